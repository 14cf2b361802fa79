"""The physical table of Patrician: zones, buttons, and how actions are read from a layout."""
