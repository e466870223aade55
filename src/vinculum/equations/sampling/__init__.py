"""Graphs at random states: tests for vanishing, jumps, and invariance. Begin with `states`."""
