"""What several commands share: options, files, progress, and the sentences that describe the commands."""
