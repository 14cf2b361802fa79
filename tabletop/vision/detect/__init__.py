"""From one picture to the tags in it, by every way of reading."""
