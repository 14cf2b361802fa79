"""From frames to scenes: tags, the plane of the table, zones, stillness.  Knows no match, no pins, no pages."""
