"""A table without a table: pieces that lie, a camera model that sees them, hands that move them."""
