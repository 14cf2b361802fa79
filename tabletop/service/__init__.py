"""The table as a service of its machine: installed, started at boot, watched over, started safely when it fails."""
