"""Plans of how the pieces of one zone are arranged (columns, grids and towers), in the zone's own frame."""
