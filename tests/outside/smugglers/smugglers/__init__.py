"""Smugglers, a game for two that is installed beside tabletop: its rules, and a part for each layer."""
