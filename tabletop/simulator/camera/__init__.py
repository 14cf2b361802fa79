"""What a camera above the simulated table would hand over."""
