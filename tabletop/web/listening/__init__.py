"""Playing by ear: questions and answers for a seat, and acting by choosing from lists; words and choices, no pages."""
