"""Functions of a user: what is assumed, where they are sampled, and what is concluded."""

# What a user gives
TYPED = 1e-9
"""Numbers of a user, relative: matrices typed with nine digits are symmetric, rotations, positive."""
PATH_JUMP = 1e-9
"""Difference of left and right limits of a prescribed path, relative, from which on it jumps: nine digits, as of numbers that users
type."""
SHORTEST_AXIS = 1e-12
"""The shortest vector that gives a direction [m]: its normalization then keeps all digits but round-off."""
NEARLY_A_ROTATION = 1e-6
"""How far matrices may be from rotations that a user gives, or that parameter values make."""
UNIT_QUATERNION = 1e-6
"""How far from one the length of a quaternion may be that a user gives."""
UNIT_AXIS = 1e-6
"""How far from one the length of a joint's axis may be that was made one: parameter values for which it has no direction leave more."""
PARALLEL_JOINT_AXES = 1e-9
"""Sine of the angle between two axes of a joint below which they are parallel."""
SYMMETRIC_STIFFNESS = 1e-12
"""Part of its largest entry by which the matrix of a penalty may miss to be symmetric: one that was computed."""
ORTHONORMAL = 1e-12
"""How far R Rᵀ may be from one: a rotation that was computed."""
POSITIVE = 1e-12
"""Part of the largest eigenvalue by which a tensor may miss to be symmetric or positive: a tensor that was computed."""
PERIODIC_TABLE = 1e-12
"""Part of the largest value by which the ends of a table that repeats itself may differ."""

# Where a function has no direction
SMOOTH_LENGTH = 1e-12
"""A length is √(d² + (this · scale)²): differentiable where the ends meet, and changed by round-off elsewhere."""
NO_DIRECTION = 1e-7
"""Distance, in rest lengths, below which a line between two points has no direction: a run stops there."""
DASHPOT_FADES = 1e-13
"""Length, in rest lengths, below which a dashpot's direction fades to none."""
NEAR_HALF_TURN = 1e-6
"""cos²(ϑ/2) where a run stops: 0.002 rad before ϑ = π."""

# Verdicts about functions, from samples
NO_VIRIAL = 1e-8
"""Part of its terms below which a constraint's virial power is none: a sum over samples that are closed to 1e-13."""
NO_TIME_SLOPE = 1e-12
"""Slope in time, relative, below which a constraint does not depend on time."""
EXPRESSION_ZERO = 1e-9
"""Value at which an expression of order one, evaluated with 15 digits, vanishes."""
RHEONOMIC = 1e-8
"""Slopes in time [1/s] above which constraints depend on time."""
RATE_NOTICED = 1e-6
"""Value of a rate above which it is seen not to vanish, before algebra is tried."""
UNCHANGED = 1e-9
"""Change of a function under a motion of all bodies, relative to its slopes, below which it is invariant: samples over many sizes keep
nine digits."""
FLAT_FUNCTION = 1e-3
"""Slopes per metre or radian below this part of a function are measured against the function."""
FLAT_ROW = 1e-12
"""Entries of a row, relative, below which a constraint has no slope."""
VANISHED = 1e-9
"""Part of its terms below which a constraint vanishes identically on a restriction."""
ZERO_ENTRY = 1e-9
"""Part of the largest entry of a linearization below which an entry is zero."""
STEADY = 1e-8
"""Accelerations, relative to their terms, below which a motion is steady: a start of eight digits is."""
ALIKE = 1e-7
"""How much a motion may differ later from how it looks now, relative, to be a steady one."""
CONSERVED = 1e-10
"""Rate of a first integral, relative to its terms over all samples, below which it is conserved."""
CONSERVED_EACH = 1e-8
"""The same at each sample, whose own terms may cancel."""
PER_SECOND = 1e-3
"""Rates per second below this part of a quantity are measured against the quantity."""
SAME_CHANGE = 1e-7
"""Entries of order one by which bases in echelon form may differ at different samples and still be one: the root of round-off, with a
digit more."""
NO_EIGENVALUE = 1e-6
"""Part of the largest entry of a linearization below which an eigenvalue is zero in its table: a double zero is split by the root of
round-off."""
NO_PART = 1e-10
"""Part of an eigenvalue below which its real or imaginary part is round-off in its table."""
EQUAL_MOMENTS = 1e-9
"""Part of the largest principal moment of inertia by which two of them may differ and be equal: nine digits, as users type."""
NO_POWER = 1e-12
"""Part of its terms below which the power of a drive is none."""
TIED = 1e-9
"""Part of its terms by which multipliers that a user gives may miss the power they must have: nine digits."""
POWER_SOLVED = 1e-12
"""Part of the largest entry below which rows and powers of a power balance are none, where a user names nothing else."""
STREAMS_APART = 1e-9
"""Part of the largest eigenvalue of a kinetic tensor from which on it counts as a further stream, where a user names nothing else."""
BUMP_EDGE = 1e-3
"""Room to its edge below which a bump is zero: it would be below exp(−999)."""
WRITTEN_EXACTLY = 1e-12
"""Distance of an entry of a direction or point from that of an axis, or from zero, within which it is written as such."""
FUNCTION_JUMPS = 1e-6
"""Part of its size by which a function must change across a switch to jump there."""
UNNOTICED = 1e-9
"""Change of a function, relative, below which it does not notice a position."""
SYMMETRIC_PAIRS = 1e-9
"""Part by which an energy of pairs may change when both are swapped, and by which their forces may not be opposite."""
NO_MOMENT = 1e-9
"""Part of the forces below which an action has no moment on a mass point."""

# Where samples are
PAIR_DISTANCES = (1.0, 1e-10, 1e10)
"""Distances [m] at which the energy of a pair is tried: what people see, atoms and planets."""
SPREAD = 0.4
"""How far samples are from a start [m, rad]: far enough to be generic, near enough for a chart."""
SAMPLED_SPAN = 1.0
"""Span of the instants of samples [s]."""
NEARBY = 1e-2
"""How far nearby samples are from a state [m, rad]: rows that vanish by chance do not there."""
NEARBY_FOR_RANK = 0.03
"""How far states are from a start [m, rad] at which ranks are compared: after projection they are on the constraints and off singular
sets."""
NEAREST_SAMPLE = 0.25
"""Least size of a random coordinate or velocity: zeros make functions vanish by chance."""
FARTHEST_SAMPLE = 1.25
"""Largest size of one."""

# Difference quotients
SENSITIVITY_STEP = 1e-6
"""Relative step of the difference quotients of sensitivities: they are needed to a digit, so anything from 1e-3 to 1e-9 serves."""
PAIR_FORCE_STEP = 0.005
"""Step of central differences of order eight, as part of a distance: their error is about (step)⁸, of round-off 2⁻⁵²/step."""
VARIATION = 0.004
"""Size of a variation, in parts of what a coordinate does in a window: differences of the action are of the second order in it."""
ASIDE = 1e-7
"""How far positions are moved to see what depends on them, relative: the root of round-off, with a digit more."""
EVENT_SLOPE_STEP = 1e-7
"""Time [s] after which an event's function is asked for its slope, at a state that is not one of its zeros."""
ZERO_SLOPE_STEP = 1e-6
"""Time [s] over which a function that is zero with its slope, as a gap that parts after a soft hit, is still zero."""
STIFFNESS_STEP = 1e-6
"""Relative step of difference quotients for a stiffness, needed to a digit."""
CROSSING_SLOPE_STEP = 1e-5
"""Time [s] before and after a crossing at which its slope is asked: the root of round-off, with a digit for central differences."""
VARIATION_LEAST = 1e-3
"""Part of the largest ratio of a curve to its bump below which a variation is not made smaller."""
