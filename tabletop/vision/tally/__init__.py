"""What a final table is worth, game by game, as far as it lies there to be seen."""
