"""Time stepping with contact: impact times and impulses of a step. Compiled kernels of `integrators.moreau` hold these numbers."""

# Impacts
IMPACT = 5.0
"""A body has had an impact in a step if its velocity changes by more than this many times what gravity does. Its impulse is then an atom in
the middle of the step. The impulses on other bodies are spread over the step."""

# Impact times
REFINED = 4
"""Secant steps that locate the closing of a gap to round-off."""
SWIFT = 2.0
"""An approach is an impact of its own if it is faster than this many times the speed that forces produce in one step."""
CLOSING = 0.125
"""An approach is no impact if it is slower than this fraction of the speed that forces give the fastest gap in a step: contacts that others
press on creep."""
NARROWED = 24
"""Most rounds that narrow the bracket of an impact time. Each evaluates seven instants at once."""
HIT_TOGETHER = 1e-12
"""Impacts within this fraction of a step are one, and gaps below this fraction of the coordinates are zero."""
LOCATED = 64
"""Most cuts of one step at impacts. Where hits at two walls accumulate, the way between them halves at least with each pair, so that after
so many it is below `HIT_TOGETHER`."""
LOCATED_BODIES = 32
"""Most bodies whose impacts are located if nothing is said. A cut costs some steps of all, and crowds hit something in every step."""
LOCATED_CUTS = 8
"""Most cuts of one step at impacts between shapes; what remains of the step then takes its hits in its middle. Balls that bounce in turn
need few, and hits that accumulate are slow before long."""
HALF_WIDTH = 5e-5
"""Half the length δ of the short step that holds a located impact between shapes in its middle, as fraction of a step. Impulses act g δ²/2
beside the path: at 5 ms less than 1e-12 m. Hits within such a step are one."""
LEAST_WIDTH = 0.01
"""The least part of this width, where an impact is near the beginning or the end of a step: the clock still resolves its length to seven
digits. Its impact may be so much late, 2.5e-9 s at 5 ms."""
SLOWEST_HIT = 1e-3
"""An approach is no impact of its own if it is slower than this fraction of the fastest body: without gravity nothing else tells it from
residuals of impulses."""
STILL_SWIFT = 0.75
"""Part of the least speed of an impact that is left where its gap closes: the first estimate is that of the middle of a step."""
CLOSING_ROUNDS = 12
"""Most Newton steps to the first closing of a gap along a step."""
WITHHELD_SPEED = 1e6
"""A contact that is to be hit later in a step would have to close so many times faster than it does to have an impulse before."""
TIME_FOUND = 1e-15
"""Fraction of the time to which an impact's instant is refined."""
TIME_NARROWED = 1e-16
"""Fraction of the time to which the bracket of a root is narrowed: below half a unit, so to neighboring numbers."""
STEP_DONE = 1e-13
"""The rest of a step after its last cut is omitted if it is below this fraction of the step."""

# The step of shapes in contact, if none is given
FALL_OF_A_STEP = 0.03
"""Part of the time √(r/g) in which the smallest shape, of reach r, falls by its size: it then falls by 5e-4 of r in a step from rest."""
WAY_OF_A_STEP = 0.05
"""Part of the smallest reach by which the fastest shape moves in a step from the start."""
SHORTEST_WAY = 1e-7
"""Change of coordinates, relative to them, over which speeds of shapes are differences."""

# Gaps
GAPS_NEARBY = 10.0
"""Gaps below this many times the deepest penetration may close when that one is pushed out."""

# Impulses of a step
FREE_BODIES_RESIDUAL = 1e-6
"""Relative residual of the impulses of free bodies, over all of them, if no tolerance is given. By `OWN` the impulse of each contact is
then as accurate as a certificate needs."""
SOUGHT = 0.9
"""Part of the tolerance that sweeps of blocks seek, so that impulses still have their residual when contacts are found again."""
FREE_BODIES_SWEEPS = 20_000
"""Most sweeps of a step before it is halved. A half step needs nearly as many sweeps, so patience is cheaper (1000 spheres at 1e-6: six
times)."""
MOST_PARTS = 1024
"""Most parts into which a step is divided."""
FORCE_ROUNDS = 40
"""Most rounds that solve for impulses and for the forces which the impulses change."""
CORRECTIONS = 4
"""Most projections that push penetrations out after a step."""
STEP_SWEEPS = 20_000
"""Most sweeps of the impulses in a step."""
STEP_SWEEPS_OF_SHAPES = 2_000
"""Most sweeps of the impulses in a step with contacts of shapes."""
STEP_RESIDUAL = 1e-10
"""Relative residual of the impulses of a step: smaller than the error of a step of the first order, so that it does not show."""
UNBOUNDED = 1.0
"""Residual of impulses that grow without bound: they are no solution at all."""
STEP_ACCEPTED = 1e-7
"""Largest accepted residual of the impulses of a step. Where many contacts press at once, load distribution is not unique, and sweeps
converge slowly just when it ceases to exist."""
LEAST_RESIDUAL = 1e-14
"""The least residual of impulses that a user may ask for as `tolerance`: round-off of a solve."""
LARGEST_RESIDUAL = 1e-1
"""The largest one: a larger residual is no solution."""
PUSH_RESIDUAL = 1e-12
"""Residual of the impulses that push penetrations out."""
