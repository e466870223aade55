"""Mass points that interact in pairs: the field of their rates."""
