"""What a still scene means for the match: layouts are compared and interpreted, and memory spans several scenes."""
