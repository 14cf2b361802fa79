"""Measuring what this machine can do as a table, beside the machine that the program was written on."""
