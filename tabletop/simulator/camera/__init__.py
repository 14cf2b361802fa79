"""The simulated camera: the pictures that a camera above the simulated table would give."""
