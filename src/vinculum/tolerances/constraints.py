"""Constraints and closed loops: gaps relative to the length of their loop, rates relative to velocities."""

# Closed positions
LAGRANGIAN_SAMPLE_CLOSED = 1e-11
"""Values of constraints at which a state nearby is on them, where ranks are compared."""
GAP_NOISE = 1e-13
"""Slopes of gaps below this are round-off: gaps are measured in lengths of their loop."""
CLOSED = 1e-13
"""Gaps of constraints at which they are closed, in lengths of their loop: some hundred round-offs, where Newton's method ends."""
CLOSED_ASTRAY = 1e-9
"""Distance from a constraint, in parts of the largest coordinate, beyond which closing has gone astray."""
ENSEMBLE_CLOSED = 1e-14
"""Violations of conditions, relative, at which Newton's method ends for a row of an ensemble."""
ENSEMBLE_ACCEPTED = 1e-12
"""Violations of conditions, relative, with which a row is accepted."""
FLAT_CONDITION = 1e-9
"""Largest slope of a gap below which the gap is not scaled by it."""

# A start that is taken as it is
CLOSED_AT_ONCE = 1e-13
"""Root of the sum of squares of gaps with which a start is taken as it is, without Newton's method."""
MET_AT_ONCE = 1e-9
"""Gaps and rates in slopes with which it is."""
REST_AT_ONCE = 5e-13
"""Rates of its conditions, of motion and prescribed bodies together, relative to the speeds."""
INDEPENDENT_AT_ONCE = 1e-10
"""Pivot, as part of the trace, with which its conditions are independent."""

# Starts
CONSTRAINT_MET = 1e-9
"""Values and rates of constraints at a start, relative to coordinates times slopes: what a user types with nine digits meets them."""
DEAD_POINT = 1e6
"""Velocities that others would need so many times of are not held: the loop is at a dead point there."""
RATES_TORN = 1e-8
"""Rates of gaps beyond this part of what prescribed bodies do to them cannot be followed."""
ASTRAY = 1e-6
"""Distances from a constraint that are let be, in parts of the largest coordinate."""
KINK = 1e-9
"""Distance, in parts of the largest coordinate, over which slopes that turn are not known."""
SLOPES_TURNED = 0.1
"""By such a part slopes turn there if a constraint has a kink."""
TOLD = 1e-9
"""Changes of a start beyond this part of the largest value of their kind, position or rate, before or after, are told: what closing
leaves of round-off is below."""
WARNED = 1e-6
"""Changes beyond this part of what a user has given are warned of."""
LEAST_VALUE = 1e-6
"""Values of a kind that are all smaller than this, in their units, count as so large: beside zeros there is round-off alone."""

GAPS_NAMED = 1e-3
"""Part of the largest gap from which on others are named with it as not met."""
UPSIDE_DOWN = 1e-9
"""Largest gap of a loop, in its lengths, that counts as closed though a joint is put on upside down."""
VELOCITIES_FIT = 1e-12
"""Rates of gaps, relative to the velocities, with which velocities of a start meet their conditions."""

# Conditions during a run
CONTRADICTED = 1e-6
"""Violations of redundant conditions, relative, beyond which they contradict each other."""
LOOPS_OPEN = 1e-4
"""Gaps of constraints that end a run, in lengths of their loop, whatever the tolerance: a loop that is open to the eye."""
REST_TORN = 1e-9
"""Gaps, in lengths of their loop, that prescribed motions tear open where nothing can move."""
SLIGHTLY_OPEN = 1e-8
"""The least gap that ends a run, however small the tolerance."""
LOOP_SAFETY = 1e4
"""Tolerances of an adaptive method that a gap may reach."""
DECAYS = 20.0
"""How often an error in the constraints, which is made of round-off, shrinks to 1/e in a run."""

# First multipliers of vakonomic constraints
MULTIPLIERS_SAME = 1e-8
"""Difference of two motions, relative, below which they are one."""
MULTIPLIERS_FOUND = 1e-13
"""Difference, relative, at which Newton's method ends."""
IDEAL_STEP = 1e-4
"""Step of difference quotients, relative, for motions that end at a residual of 1e-13."""
DEPENDENT_MULTIPLIERS = 1e-7
"""Part of the largest singular value below which multipliers do not matter: what those difference quotients see."""
REACHED = 1e-10
"""What runs may miss of their target, relative."""
SHOOTING_STEP = 1e-5
"""Step of difference quotients over runs, relative: the root of what these reach."""
FLAT_SHOOTING = 1e-9
"""Inverse condition of shooting below which targets do not determine multipliers."""
