"""Runs of blocks in contact over tables."""
