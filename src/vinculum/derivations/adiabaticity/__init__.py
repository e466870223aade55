"""Whether the reactions that keep a constraint can do work."""
