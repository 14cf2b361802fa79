"""From the tags in photographs to final scores."""
