"""Test doubles of a table, its pages, its phones and its photographs, for tests, benchmarks and tools."""
