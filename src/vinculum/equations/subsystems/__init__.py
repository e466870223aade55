"""Masses, moments and motions of subsystems after Telegin (2014)."""
