"""Runs of models whose equations are graphs."""
