"""What the table looks like where it is bare, and what is unlike it in the small picture."""
