"""Graphs at random states: what vanishes identically, what jumps, what notices a rigid motion."""
