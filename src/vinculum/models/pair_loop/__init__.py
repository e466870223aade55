"""Mass points that interact in pairs, evaluated by a loop over pairs instead of one graph. Begin with `type` and `trace`."""
