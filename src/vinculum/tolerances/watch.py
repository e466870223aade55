"""Monitoring during a run: events, limits, singular positions, stalls."""

# Crossings
EVENT_SHIFT = 2.0**-20
"""Fraction by which a coordinate is shifted to measure how its round-off changes events."""
EVENT_ROUND_OFF = 2.0**-46
"""Round-off in functions of events, relative to the effect of the coordinates on them: 64 units."""

# Limits
SINGULAR_LIMIT = 1e-10
"""Square of a ratio of singular values at which a run ends, as for `SINGULAR_MEASURE`."""
LOST_GRIP = 1e-8
"""Limit for the control of servos: the square of how well their efforts move the constrained quantities, over its value at the start."""
DIP = 0.2
"""A dip between samples is examined closely if it may fall to this fraction of the values around it."""
CHANGES_TO_LIMIT = 4.0
"""Steps of a given length are examined closely where the room to a limit is below this many of its changes in a step. A squared room that
reaches zero in a step is at most one such change at its ends."""
LIMIT_FIRST_STEP = 1e-3
"""First step toward a passable limit, as fraction of the limit's root over the fastest rate."""
LIMIT_CHANGE = 1e-2
"""Fraction by which a limit must change over such a step to determine its curve."""
DIP_ROOM = 1e-3
"""A dip below this fraction of the values on both sides is examined in any case."""

# Closed loops
SHORT_STEP_OF_LOOPS = 1e-6
"""Steps of closed loops below this fraction of the longest step are hopelessly short."""
STALE = 0.3
"""The chosen combination of conditions is renewed if its least singular value falls below this fraction of that of the conditions."""
USUAL_DECAY = 0.1
"""Fraction by which round-off in gaps decays in a step, for methods without a number of their own."""
SHARE_OF_TROUBLE = 0.1
"""A condition is named as a cause if its violation exceeds this fraction of the largest."""
TROUBLE_NUDGE = 1e-5
"""Distance ahead at which Jacobians are compared, relative to the size of the coordinates."""
SLOPES_TURN = 0.3
"""Jacobians are reliable if they change by less than this over that distance, relative."""
NEARLY_DEPENDENT = 1e-4
"""Conditions nearly depend on each other if the ratio of singular values is below this. This is then reported as the cause."""
DEPENDENT_WATCHED = 1e-10
"""Rows at a singular position depend on each other if a singular value is below this fraction of the largest. Independent rows are closed,
the others unchanged."""

# Switches
CHATTER = 60
"""A run chatters if it switches this many times in next to no time."""
ON_A_SWITCH = 1e-13
"""A level is at its switch, or has no derivative, below this fraction of the state, or of one."""
FAR_FROM_A_SWITCH = 1e-8
"""Fraction of the state, or of one, beyond which a level is not at its switch where that was located."""
MOMENTS_LATER = (1e-6, 1e-4)
"""Times [s] after which the level of a switch tells its sign, if its derivatives are zero; the second if round-off hides the first."""
CHATTER_TIME = 1e-10
"""Fraction of the time in which `CHATTER` switches count as chatter."""
CHATTER_BEGIN = 1e-6
"""Least time in this fraction, as fraction of a run's span."""

# Stalls
LAST_STEPS = 1000
"""Number of steps over which a run's advance is measured."""
SHRUNK = 1e-6
"""A run stalls if the mean of these steps has shrunk to this fraction of the largest step."""
ADVANCED = 1e-9
"""Fraction of the elapsed time that these steps must advance."""
HOPELESS = 1e-10
"""Fraction of a run's span that these steps must cover."""

# Singular positions
PASSAGE_FOLLOWS_WELL = 1e-13
"""A series beyond a singular position is taken at once if its defect is below this fraction of the largest rate, or below the tolerance of
the run, which all other steps have."""
PASSAGE_FOLLOWS = 1e-8
"""The same for a series that is taken at all."""
PASSAGE_ACCEPTED = 1e-10
"""Largest accepted violation of conditions beyond a singular position."""
LOOK_AHEAD = 0.05
"""Fraction of a step after which conditions are tested for becoming singular."""
REACH_OF_SERIES = 1.5
"""How far ahead a step's series is evaluated, in lengths of the step."""
SINGULAR_MEASURE = 1e-5
"""Measures below this are zero. A violation δ of a condition keeps a motion some √δ away from a singular position, so smaller measures
cannot be distinguished from zero."""
SINGULAR_ROOTS = 10.0
"""The same for larger tolerances, as multiple of their roots."""
UNKNOWN_TOLERANCE = 1e-12
"""Tolerance that is assumed for a method without one."""
MEASURE_SMALL = 1e-3
"""A singular position is searched in any case if the measure, or a row relative to its usual size, is below this."""
STEEPEST = 5.0
"""A measure is on its way to zero if it falls as this power of the time left, or a lower one. Otherwise it only decays."""
AHEAD_BY_LOW_ORDERS = 0.5
"""How far ahead low orders of a series see, in usual steps. Round-off near a singular position spoils the high orders and shortens
steps."""
LOW_ORDERS = 8
"""The highest of these orders."""
FORGET = 0.98
"""Factor from step to step of the remembered length of usual steps."""
CURVE_WIDTH = 3.0
"""How far back the curve of a measure is fitted, in times left."""
CURVE_FEWEST = 0.3
"""Least interval of known steps for such a curve, in times left."""
CURVE_AHEAD = 10.0
"""Longest time left that such a curve may predict, in lengths of this interval."""
REMEMBERED = 64
"""Number of steps that are kept for such a curve."""
EARLIER = 10.0
"""Steps that only approach a singular position end at this many times the measure that counts as zero: round-off grows with the inverse of
the measure."""
ENDED = 0.1
"""The time left near a singular position, as fraction of a usual step."""
SIMPLE_ZERO = 1.25
"""A zero is simple if the slope of the measure agrees with that of a simple zero within this factor."""
ONWARD = 0.1
"""Distance beyond a singular position at which the measure is evaluated, in lengths of steps."""
ONWARD_PARTS = 4.0
"""Ratio of the two distances at which it is evaluated."""
ONWARD_DOUBLE = 8.0
"""A motion leaves a singular position as from a simple zero if the ratio of these measures is below this."""
CURVE_STEP = 1e-2
"""Step for derivatives of a measure, as fraction of the time left."""
NEARLY_MET = 1e-6
"""A failure is told with a limit whose room has fallen to this fraction of that at the start: steps towards a singularity shrink with the
room, and end some digits before it."""
