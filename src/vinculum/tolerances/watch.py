"""Monitoring during a run: events, limits, singular positions, stalls."""

# Crossings
EVENT_SHIFT = 2.0**-20
"""Part of a coordinate by which it is moved to see what its round-off does to events."""
EVENT_ROUND_OFF = 2.0**-46
"""Round-off in functions of events, relative to what coordinates do to them: 64 units."""

# Limits
SINGULAR_LIMIT = 1e-10
"""Square of a ratio of singular values at which a run ends, as for `SINGULAR_MEASURE`."""
LOST_GRIP = 1e-8
"""The square of how well efforts move what they are to keep, over that at the start."""
DIP = 0.2
"""Part of the values around that a dip between looks must fall to, to be looked at closely."""
LIMIT_FIRST_STEP = 1e-3
"""First step to a passable limit, in parts of its root over the fastest rate."""
LIMIT_CHANGE = 1e-2
"""Part by which a limit must change over such a step for its curve to be known."""
DIP_ROOM = 1e-3
"""Part of the values on both sides up to which a dip is looked at in any case."""

# Closed loops
SHORT_STEP_OF_LOOPS = 1e-6
"""Part of the longest step below which steps of closed loops are hopelessly short."""
STALE = 0.3
"""Part of the least singular value of conditions that their chosen combination may lose before it is chosen anew."""
USUAL_DECAY = 0.1
"""Part by which round-off in gaps decays in a step of a method that has no number of its own."""
SHARE_OF_TROUBLE = 0.1
"""Share of the largest from which on a condition is named as a cause."""
TROUBLE_NUDGE = 1e-5
"""How far ahead slopes are asked, in sizes of the coordinates."""
SLOPES_TURN = 0.3
"""How much slopes may turn on that way, relative, to be known."""
NEARLY_DEPENDENT = 1e-4
"""Ratio of singular values below which conditions nearly depend on each other, which is told as the cause."""
DEPENDENT_WATCHED = 1e-10
"""Part of the largest singular value below which rows at a singular position depend on each other: these are closed, as the others stay."""

# Switches
CHATTER = 60
"""Switches in next to no time from which on a run chatters."""
ON_A_SWITCH = 1e-13
"""Part of the state, or of one, within which a level is at its switch, and below which it has no slope."""
CHATTER_TIME = 1e-10
"""Part of the time in which `CHATTER` switches are no motion."""
CHATTER_BEGIN = 1e-6
"""Part of a run's span that counts as its time at the begin."""

# Stalls
LAST_STEPS = 1000
"""Steps over which a run's advance is measured."""
SHRUNK = 1e-6
"""Part of the largest step to which the mean of these must have shrunk to stall."""
ADVANCED = 1e-9
"""Part of the time elapsed that these steps must advance."""
HOPELESS = 1e-10
"""Part of a run's span that these steps must do."""

# Singular positions
PASSAGE_FOLLOWS_WELL = 1e-13
"""Part of the largest rate by which a series may miss the equations beyond a singular position to be taken at once."""
PASSAGE_FOLLOWS = 1e-8
"""The same to be taken at all."""
PASSAGE_ACCEPTED = 1e-10
"""Violations of conditions beyond a singular position."""
LOOK_AHEAD = 0.05
"""Part of a step after which it is looked whether conditions become singular."""
REACH_OF_SERIES = 1.5
"""How far ahead a step's series is asked, in lengths of the step."""
SINGULAR_MEASURE = 1e-5
"""Measures below this are zero: a violation δ of a condition keeps a motion some √δ away from a singular position, so that smaller ones
cannot be told from zero."""
SINGULAR_ROOTS = 10.0
"""The same with larger tolerances, in roots of these."""
UNKNOWN_TOLERANCE = 1e-12
"""What stands for the tolerance of a method that has none."""
MEASURE_SMALL = 1e-3
"""Measures, and rows as part of their usual size, below which a singular position is looked for in any case."""
STEEPEST = 5.0
"""Measures of such a power of the time left, or a lower one, are on their way to zero; others only decay."""
AHEAD_BY_LOW_ORDERS = 0.5
"""Lengths of usual steps that low orders of a series see ahead: round-off next to a singular position spoils the high ones and shortens
steps."""
LOW_ORDERS = 8
"""The highest of these orders."""
FORGET = 0.98
"""Factor by which the length of usual steps is forgotten from step to step."""
CURVE_WIDTH = 3.0
"""How far back the curve of a measure is laid, in times left."""
CURVE_FEWEST = 0.3
"""The least stretch of known steps for such a curve, in times left."""
CURVE_AHEAD = 10.0
"""The most time left that such a curve foretells, in lengths of this stretch."""
REMEMBERED = 64
"""Steps that are remembered for such a curve."""
EARLIER = 10.0
"""Where steps only come closer, round-off grows with the inverse of the measure: they end at so many times what is taken for zero."""
ENDED = 0.1
"""Part of a usual step that the time left stands for, where steps have come close to a singular position."""
SIMPLE_ZERO = 1.25
"""Factor within which the slope of a measure is that of a simple zero."""
ONWARD = 0.1
"""How far beyond a singular position the measure is asked, in lengths of steps."""
ONWARD_PARTS = 4.0
"""Ratio of the two distances there."""
ONWARD_DOUBLE = 8.0
"""Ratio of their measures up to which a motion comes out of a singular position as out of a simple zero."""
CURVE_STEP = 1e-2
"""Part of the time left over which slopes of a measure are taken."""
