"""Palazzo by Reiner Knizia: columns of tiles, money in three currencies, an architect who walks the quarries."""
