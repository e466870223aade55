"""Time stepping with contact: impact times and impulses of a step. Compiled kernels of `integrators.moreau` hold these numbers."""

# Impacts
IMPACT = 5.0
"""Bodies that change their velocity by more than so many times what gravity does in a step have been hit: their impulse is an atom in
the middle of the step. That of the others is spread over the step."""

# Impact times
REFINED = 4
"""Secant steps that bring a closed gap's instant to round-off."""
SWIFT = 2.0
"""An approach is an impact of its own if it is faster than this many times what forces make of a speed in one step."""
CLOSING = 0.125
"""Slower than this part of what forces make of the fastest gap's speed in a step nothing is hit: what others press on creeps."""
NARROWED = 24
"""Most rounds that narrow the bracket of an impact time: each asks seven instants at once."""
HIT_TOGETHER = 1e-12
"""Part of a step within which impacts are one, and of the coordinates within which gaps are zero."""
LOCATED = 4
"""Most times that one step is cut for an impact."""
TIME_FOUND = 1e-15
"""Part of the time to which an impact's instant is refined."""
TIME_NARROWED = 1e-16
"""Part of the time to which the bracket of a root is narrowed: below half a unit, so to neighboring numbers."""
STEP_DONE = 1e-13
"""Part of a step that is left after its last cut and not taken any more."""

# Gaps
GAPS_NEARBY = 10.0
"""Gaps narrower than this many times the deepest penetration may be closed by pushing that one out."""

# Impulses of a step
FREE_BODIES_RESIDUAL = 1e-6
"""What impulses of free bodies are solved to where no tolerance is given, relative to all of them: by `OWN` each contact is then known
to what a certificate needs."""
FREE_BODIES_SWEEPS = 20_000
"""Most sweeps of a step before it is halved: a half needs nearly as many, so patience is cheaper (1000 spheres at 1e-6: six times)."""
MOST_PARTS = 1024
"""Parts into which a step is divided at most."""
FORCE_ROUNDS = 40
"""Most times that impulses are solved for anew with the forces that they change."""
CORRECTIONS = 4
"""Most projections that push penetrations out after a step."""
STEP_SWEEPS = 20_000
"""Most sweeps of the impulses in a step."""
STEP_SWEEPS_OF_SHAPES = 2_000
"""Most sweeps of those with contacts of shapes."""
STEP_RESIDUAL = 1e-10
"""What the impulses of a step are solved to, relative: beyond what a step of the first order is worth, so that no residual shows."""
STEP_ACCEPTED = 1e-7
"""What the impulses of a step must reach at least: where many press at once they share loads in many ways, and sweeps settle slowly
right when these no longer hold."""
LEAST_RESIDUAL = 1e-14
"""The least residual of impulses that `tolerance` may ask for: round-off of a solve."""
LARGEST_RESIDUAL = 1e-1
"""The largest one: more is no solution."""
PUSH_RESIDUAL = 1e-12
"""Residual of the impulses that push penetrations out."""
