"""The health of a table: the doctor's checks while it runs, and bug reports."""
