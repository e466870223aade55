"""Skew bi-measures: the action of one measure on another by a law of pairs of points. Begin with `bimeasure`."""
