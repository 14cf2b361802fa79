"""Buttons, lights and buzzer on real or mock pins."""
