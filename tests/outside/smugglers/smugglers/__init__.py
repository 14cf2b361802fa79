"""Smugglers, a game for two that is installed beside tabletop: rules, and a part for each layer."""
