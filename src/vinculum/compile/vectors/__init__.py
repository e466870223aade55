"""Arithmetic on four and on eight numbers at once, in registers of compiled loops."""
