"""Monitoring along the steps of a run: constraints, charts, modes, limits of laws, crossings of events. Begin with `crossings`."""
