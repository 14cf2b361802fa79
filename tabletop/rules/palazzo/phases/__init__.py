"""The rules of Palazzo, phase by phase."""
