"""Mass points that act in pairs, evaluated by a loop over pairs instead of one graph."""
