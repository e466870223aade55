"""Threads that share a batch, and when sharing saves time."""
