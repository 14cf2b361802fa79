"""Identifies faint tags, whose score and lead are too low, by slower comparisons that model errors in more detail."""
