"""Conditions on states in numbers: gaps of closed loops and rows of constraints, and projection of states onto them."""
