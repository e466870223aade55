"""Continua in space and time: media of several phases, and the world-tubes of bodies."""
