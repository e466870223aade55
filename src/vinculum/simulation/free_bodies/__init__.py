"""Runs of free bodies in contact."""
