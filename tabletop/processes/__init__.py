"""Child processes that answer this one's questions and end when it ends."""
