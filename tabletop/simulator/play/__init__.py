"""Whole games at the simulated table: bots, scenarios, tournaments."""
