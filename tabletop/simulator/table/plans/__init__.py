"""How the pieces of one zone lie to one another: columns, grids and towers, as plans in the zone's own frame."""
