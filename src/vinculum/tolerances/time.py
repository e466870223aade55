"""Time: equal instants, zero durations, waiting times."""

# Instants and durations
NO_DURATION = 1e-14
"""Steps shorter than this part of the latest time are round-off in a clock, and have no quadrature."""
BRIEF_PHASE = 1e-10
"""Phases of so small a part of the motion do nothing, as between two slips that stop together up to round-off."""
SAME_INSTANT = 1e-12
"""Instants nearer than this, relative to the latest time (or to one second), are one: crossings are found to some round-offs."""
SAME_LENGTH = 1e-9
"""Steps whose lengths differ by less than this part are of one length."""
END_OF_PHASE = 1e-9
"""Part of a phase before its end where its last state is asked, so that the next phase is not."""
FIRST_AWAY = 1e-9
"""First distance from a singular position, as part of its step, at which it is looked for the measure to have grown."""
FARTHEST_AWAY = 0.1
"""The farthest such distance."""
NARROWEST_FIELD = 1e-9
"""Part of the latest instant below which no field is narrow: pieces may be as short as round-off."""
SAME_INSTANT_OF_RUN = 1e-13
"""Instants nearer than this, relative to the run or its end, are one where both are numbers of a user: given impulses, the end of a run.
Ten times nearer than crossings, which are found."""
CROSSINGS_TOGETHER = 1e-13
"""Crossings nearer than this, relative to the time or one second, are one: those of one step or one path are found by one function."""
CROSSING_FOUND = 1e-16
"""Seconds to which a crossing of a path with a face is found."""
CROSSING_FOUND_RELATIVE = 8.9e-16
"""The same as part of the time: the least that SciPy's root finder takes, four units."""
RUN_ENDED = 1e-9
"""Part of a run's span within which its last instant is its end."""
GRID_IN_STEPS = 1e-9
"""Distance of an instant of a grid from a whole number of steps, relative to the latest time or one second: nine digits, as users type."""
GRID_LEAVES = 1e-12
"""Seconds by which a grid may leave a motion: round-off of a grid's ends."""
SAME_OF_AN_INTERVAL = 1e-9
"""Parts of an interval that are taken for nothing."""
AT_BEGIN = 1e-13
"""Part of a run's span within which a crossing is that of the start, which has none."""

# Seconds of patience
SECONDS_FOR_ADIABATICITY = 2.0
"""Seconds for a proof by algebra that a constraint is adiabatic."""
SECONDS_FOR_FORMULAS = 5.0
"""Seconds for simplified formulas, before longer ones are given."""
SECONDS_FOR_INVARIANCE = 20.0
"""Seconds for a proof that a function is invariant."""
SECONDS_FOR_PRODUCTS = 5.0
"""Seconds to write an energy by products of vectors."""
SECONDS_WHEN_REFUTED = 0.5
"""Seconds for a proof that samples have refuted; it is tried all the same, so that a disagreement would show."""
SECONDS_BEFORE_PROGRESS = 2.0
"""Seconds of a run before its progress is shown."""
SECONDS_OF_SHOOTING = 10.0
"""Seconds after which no further places to begin at are tried."""
CLOCK_RESOLUTION = 1e-6
"""Seconds that a piece of work counts at least when its speed is measured."""
