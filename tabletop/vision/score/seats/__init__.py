"""What pictures of a final table show of each seat: its area, its pieces, and whose the others are."""
