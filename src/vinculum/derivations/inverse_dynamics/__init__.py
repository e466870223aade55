"""The forces that a given motion needs, and what joints carry meanwhile."""
