"""Who sits where, who is present, and what they agree on."""
