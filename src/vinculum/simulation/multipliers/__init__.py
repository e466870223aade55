"""Initial multipliers of vakonomic motions, by rule or by shooting."""
