"""Motions that were computed elsewhere: charts unwrapped, jumps found. Begin with `given`."""
