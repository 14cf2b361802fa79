"""Geometry: the plane of the table, the pose of the camera, zones, columns and grids."""
