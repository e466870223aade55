"""Conditions on states in numbers: gaps of closed loops and rows of constraints, and how states are brought back to them."""
