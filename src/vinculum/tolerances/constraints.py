"""Constraints and closed loops: gaps relative to the length of their loop, rates relative to velocities."""

# Closed positions
LAGRANGIAN_SAMPLE_CLOSED = 1e-11
"""A sample state near the start satisfies the constraints if their values are below this. Ranks are compared at such states."""
GAP_NOISE = 1e-13
"""Jacobian entries of gaps below this are round-off. Gaps are measured in lengths of their loop."""
CLOSED = 1e-13
"""Gaps of constraints below this are closed, in lengths of their loop. Newton's method ends there, at some hundred round-offs."""
CLOSED_ASTRAY = 1e-9
"""Newton's method has gone astray if the distance to a constraint exceeds this fraction of the largest coordinate."""
ENSEMBLE_CLOSED = 1e-14
"""Relative violation of conditions at which Newton's method ends for a row of an ensemble."""
ENSEMBLE_ACCEPTED = 1e-12
"""Largest relative violation of conditions of an accepted row."""
FLAT_CONDITION = 1e-9
"""A gap is not scaled by its largest Jacobian entry if that is below this."""

# A start that is accepted without Newton's method
CLOSED_AT_ONCE = 1e-13
"""A start is accepted without Newton's method if the root of the sum of squares of its gaps is below this."""
MET_AT_ONCE = 1e-9
"""The same for each gap and rate, relative to the largest entry of its Jacobian row."""
REST_AT_ONCE = 5e-13
"""The same for the rates of its conditions, with prescribed bodies included, relative to the speeds."""
INDEPENDENT_AT_ONCE = 1e-10
"""Least pivot, as fraction of the trace, for which the conditions of such a start are independent."""

# Starts
CONSTRAINT_MET = 1e-9
"""Largest value and rate of a constraint at a start, relative to coordinates times Jacobian entries: numbers that a user types with nine
digits satisfy it."""
BEHIND_A_WALL = 1e-12
"""Negative gap of a start at a wall of a Hamiltonian, relative to one or to coordinates and momenta: round-off of a point on it."""
LOCAL_SURFACE = 1e-11
"""Next Newton step of dependent coordinates, relative to one or to themselves, at which a place is on the surface of constraints: above the
round-off of solved ones, and what is left where Newton's method has not converged is far larger."""
DEAD_POINT = 1e6
"""Given velocities are not kept if other velocities would need to be this many times larger: the loop is then at a dead point."""
RATES_TORN = 1e-8
"""A loop cannot follow prescribed bodies if rates of gaps exceed this fraction of the rates that these bodies produce."""
ASTRAY = 1e-6
"""Distances to a constraint below this fraction of the largest coordinate are accepted."""
KINK = 1e-9
"""Distance, as fraction of the largest coordinate, over which Jacobians are compared to find a kink."""
SLOPES_TURNED = 0.1
"""A constraint has a kink if its Jacobian row changes by more than this over that distance, relative."""
TOLD = 1e-9
"""Changes of a start beyond this fraction of the largest position, or rate, before or after are reported. Round-off of closing is
smaller."""
WARNED = 1e-6
"""Changes beyond this fraction of what a user has given cause a warning."""
LEAST_VALUE = 1e-6
"""Least scale of positions and rates, in their units: if all values are zero, only round-off would remain as scale."""

GAPS_NAMED = 1e-3
"""Gaps above this fraction of the largest are named with it in an error message."""
UPSIDE_DOWN = 1e-9
"""A loop counts as closed with a joint mounted upside down if its largest gap is below this, in lengths of the loop."""
VELOCITIES_FIT = 1e-12
"""Velocities of a start satisfy their conditions if the rates of gaps are below this, relative to the velocities."""

# Conditions during a run
CONTRADICTED = 1e-6
"""Redundant conditions contradict each other if their relative violation exceeds this."""
LOOPS_OPEN = 1e-4
"""A run ends if a gap of a constraint exceeds this, in lengths of its loop, whatever the tolerance: the loop is then visibly open."""
REST_TORN = 1e-9
"""Gaps above this, in lengths of their loop, count as torn open by prescribed motions where nothing can move."""
SLIGHTLY_OPEN = 1e-8
"""The least gap that ends a run, however small the tolerance."""
LOOP_SAFETY = 1e4
"""A gap may reach this many tolerances of an adaptive method."""
DECAYS = 20.0
"""An error in the constraints shrinks by a factor 1/e this many times in a run. Such errors are round-off."""

# First multipliers of vakonomic constraints
MULTIPLIERS_SAME = 1e-8
"""Two motions are the same if they differ by less than this, relative."""
MULTIPLIERS_FOUND = 1e-13
"""Relative difference at which Newton's method ends."""
IDEAL_STEP = 1e-4
"""Relative step of difference quotients over motions that are solved to a residual of 1e-13."""
DEPENDENT_MULTIPLIERS = 1e-7
"""Multipliers do not matter if their singular value is below this fraction of the largest: the accuracy of those difference quotients."""
REACHED = 1e-10
"""Relative distance by which runs may miss their target."""
SHOOTING_STEP = 1e-5
"""Relative step of difference quotients over runs: the root of the accuracy of these."""
FLAT_SHOOTING = 1e-9
"""Targets do not determine multipliers if the inverse condition number of shooting is below this."""
