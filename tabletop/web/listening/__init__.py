"""What a listener of a seat can ask for, and how it acts by choosing from lists: words and choices, no pages."""
