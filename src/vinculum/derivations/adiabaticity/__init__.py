"""Whether the reactions of a constraint can do work."""
