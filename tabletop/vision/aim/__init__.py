"""How well the camera sees the table, and what to do about it."""
