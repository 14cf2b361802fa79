"""Turns frames into scenes: tags, the plane of the table, zones, stillness.

Knows nothing of matches, pins or pages.
"""
