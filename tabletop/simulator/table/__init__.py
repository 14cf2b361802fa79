"""The simulated table: pieces, zone cards, and the hands that move them."""
