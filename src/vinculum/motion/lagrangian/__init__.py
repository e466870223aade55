"""Motions of systems given by a Lagrangian."""
