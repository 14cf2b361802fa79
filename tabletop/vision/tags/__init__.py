"""What our tags say and look like."""
