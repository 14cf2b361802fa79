"""The table as a service of its machine: installed, started at boot, supervised, and started safely if it fails."""
