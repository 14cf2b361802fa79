"""What people are shown of pictures: lists, overlays, scores."""
