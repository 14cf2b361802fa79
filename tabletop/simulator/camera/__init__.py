"""What a camera above the simulated table would deliver."""
