"""Audits of models whose equations are graphs. Begin with `lines`."""
