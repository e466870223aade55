"""Time steps of long states that are not written out: `loops` over time, `steps` of a run."""
