"""Runs of systems given by a Lagrangian."""
