"""The rules of Patrician, phase by phase."""
