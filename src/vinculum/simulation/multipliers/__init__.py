"""Multipliers at the start of vakonomic motions, by rule or by shooting."""
