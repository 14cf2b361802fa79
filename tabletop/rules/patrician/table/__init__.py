"""The physical table of Patrician: zones, buttons, and what a layout shows was done."""
