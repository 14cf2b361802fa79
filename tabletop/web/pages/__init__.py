"""The routes of the pages, one module a subject."""
