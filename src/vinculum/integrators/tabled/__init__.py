"""Blocks and bonds over tables: the `field` of their rates, `loops` over time, `steps` of a run."""
