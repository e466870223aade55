"""Runs of mass points that interact in pairs."""
