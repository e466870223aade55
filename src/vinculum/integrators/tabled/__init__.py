"""Blocks and bonds over tables: the field of their rates."""
