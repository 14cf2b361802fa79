"""The match and its referee: from scenes and presses to accepted, journalled events."""
