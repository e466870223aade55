"""Time: equal instants, zero durations, waiting times."""

# Instants and durations
NO_DURATION = 1e-14
"""Steps shorter than this fraction of the latest time are round-off in a clock, and have no quadrature."""
BRIEF_PHASE = 1e-10
"""Phases shorter than this fraction of the motion have no effect, such as those between two slips that stop together up to round-off."""
SAME_INSTANT = 1e-12
"""Instants are the same if they differ by less than this, relative to the latest time of the run: crossings are found to some
round-offs."""
SAME_LENGTH = 1e-9
"""Steps are of equal length if they differ by less than this fraction."""
END_OF_PHASE = 1e-9
"""The last state of a phase is evaluated this fraction of the phase before its end, so that it does not belong to the next phase."""
FIRST_AWAY = 1e-9
"""First distance from a singular position, as fraction of the motion, at which its measure is tested for growth."""
FARTHEST_AWAY = 0.1
"""The largest such distance."""
NARROWEST_CARRIER = 1e-6
"""Least half width of a random carrier, as fraction of the largest time: difference quotients of carried instants keep six digits of it."""
NARROWEST_FIELD = 1e-9
"""No field is narrower than this fraction of the latest instant: pieces may be as short as round-off."""
SAME_INSTANT_OF_RUN = 1e-13
"""Instants that a user gives, as of impulses or the end of a run, are the same if they differ by less than this, relative to the run or its
end. This is ten times nearer than for crossings, which are computed."""
CROSSINGS_TOGETHER = 1e-13
"""Crossings are the same if they differ by less than this, relative to the time or one second: one function finds all crossings of one step
or path."""
CROSSING_FOUND = 1e-16
"""Absolute accuracy [s] of a crossing of a path with a face."""
CROSSING_FOUND_RELATIVE = 8.9e-16
"""The same as fraction of the time: the least that SciPy's root finder accepts, four units."""
RUN_ENDED = 1e-9
"""The last instant of a run is its end within this fraction of its span."""
GRID_IN_STEPS = 1e-9
"""An instant of a grid is a whole number of steps within this distance, relative to the latest time or one second: nine digits, as users
type."""
GRID_LEAVES = 1e-12
"""Time [s] by which a grid may exceed a motion: round-off of the grid's ends."""
SAME_OF_AN_INTERVAL = 1e-9
"""Durations below this fraction of an interval are zero."""
AT_BEGIN = 1e-13
"""A crossing within this fraction of a run's span belongs to the start and does not count."""

# Seconds of patience
SECONDS_FOR_ADIABATICITY = 2.0
"""Seconds for an algebraic proof that a constraint is adiabatic."""
SECONDS_FOR_FORMULAS = 5.0
"""Seconds for simplified formulas, before longer ones are returned."""
SECONDS_IN_NOTEBOOK = 2.0
"""Seconds for the formulas that a notebook asks for twice, as HTML and as LaTeX."""
SECONDS_FOR_INVARIANCE = 20.0
"""Seconds for a proof that a function is invariant."""
SECONDS_FOR_PRODUCTS = 5.0
"""Seconds to write an energy by products of vectors."""
SECONDS_WHEN_REFUTED = 0.5
"""Seconds for a proof that samples have refuted. It is still tried, so that a disagreement would show."""
SECONDS_BEFORE_PROGRESS = 2.0
"""Seconds of a run before its progress is shown."""
SECONDS_OF_SHOOTING = 10.0
"""Seconds after which no further starting points are tried."""
CLOCK_RESOLUTION = 1e-6
"""Least time [s] of a piece of work whose speed is measured."""
