"""What gives a damaged journal back its events, and tells that some are missing."""
