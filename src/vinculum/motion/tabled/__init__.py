"""Motions of blocks and bonds over tables."""
