"""Runs of models that are written out."""
