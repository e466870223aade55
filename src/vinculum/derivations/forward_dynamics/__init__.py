"""The accelerations of a batch of states: one public door, the cheapest route."""
