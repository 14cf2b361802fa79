"""Files written so that a power cut leaves the old one or the new one, and read with clear errors."""
