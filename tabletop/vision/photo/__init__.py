"""From a photograph to the tags in it, and to what cannot be read."""
