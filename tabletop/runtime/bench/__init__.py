"""Measuring how well this machine can run a table, compared with the machine that the program was written on."""
