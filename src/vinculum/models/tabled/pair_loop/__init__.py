"""All pairs of points, evaluated by a loop over pairs instead of rows of a table. Begin with `pair_loop` and `trace`."""
