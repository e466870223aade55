"""Runs of blocks and bonds over tables."""
