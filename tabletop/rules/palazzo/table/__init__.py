"""The physical table of Palazzo: zones, buttons, and what a layout shows was done."""
