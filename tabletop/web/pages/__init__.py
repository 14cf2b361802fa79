"""The routes of the pages, one module per subject."""
