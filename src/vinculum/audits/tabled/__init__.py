"""Audits of blocks and bonds over tables. Begin with `bonds`."""
