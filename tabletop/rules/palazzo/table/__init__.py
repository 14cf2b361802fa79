"""The physical table of Palazzo: zones, buttons, and how actions are read from a layout."""
