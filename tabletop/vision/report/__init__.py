"""What people get to see of pictures: lists, overlays, scores."""
