"""Steps of integrators: error control, implicit steps, projections, series. Compiled loops hold these numbers."""

# Control of steps
STEP_SAFETY = 0.9
"""Part of the step that an error estimate asks for (Hairer, Nørsett and Wanner, II.4)."""
STEP_SHRINKS = 0.2
"""Least factor of a step after one that failed."""
STEP_GROWS = 8.0
"""Largest factor of a step after one that was good."""
FLOOR = 1e-3
"""Part of the largest number of its kind below which a coordinate's error is measured against that one."""
LEAST_SIZE = 1e-3
"""Least size of a state by which a first step is guessed, or a short one made: of a start at the origin."""
LITTLE_CHANGE = 1e-3
"""Part of a state that changes in a short step, which only brings a motion off a zero of an event."""
LITTLE_TIME = 1e-6
"""Part of a run's span that such a step takes at most."""
CLOCK_UNIT = 2.3e-16
"""Part of the time below which steps are lost in the clock, and to which a crossing is found: a little more than a unit."""
NO_STEP = 1e-14
"""Part of the time below which no shorter step is tried where rates are not finite."""
BEGIN_OF_TIME = 1e-6
"""Part of the end of a run that counts as its time at the begin."""
LANE_COLLAPSED = 1e-15
"""Part of the time below which a step of an ensemble has collapsed."""
LANE_BEGIN = 1e-9
"""Seconds that count as the time of an ensemble at its begin."""

# Implicit steps
IMPLICIT_ITERATIONS = 60
"""Most fixed-point iterations of an implicit step; one that needs more is too long."""
CONVERGED = 1e-16
"""Change of a fixed point, relative, at which it is found: below half a unit, so that it repeats itself."""
NEARLY_CONVERGED = 1e-11
"""Change from which on an iteration may end where it no longer falls: round-off in rates of a stiff system."""

# Projection onto constraints after a step
PROJECTION_ROUNDS = 6
"""Most Newton steps that close conditions after a step."""
PROJECTED_SQUARED = 1e-13**2
"""Square of gaps, in lengths of their loop, at which they are closed after a step."""
RATES_PROJECTED_SQUARED = 1e-7**2
"""Square of rates of gaps, in speeds, at which no further Newton step is taken: the last one has squared what is left."""
OPEN_SQUARED = 1e-9**2
"""Square of gaps that are open after all rounds."""
TORN_SQUARED = 1e-3**2
"""Square of gaps that are too far open for Newton's method."""

# Steps of a series
NEARLY_TOLERANCE = 0.999
"""Part of a bound that a term may reach: the step that a term allows is rounded itself."""
SMALLEST_PIVOT = 1e-14
"""Pivot of a mass matrix, as part of its diagonal, below which it is singular: a hundred round-offs."""
STEP_REFINEMENTS = 60
"""Most rounds in which a step of a series is shortened to its tolerance."""
SERIES_COLLAPSED = 1e-14
"""Part of the time below which steps of a series have collapsed: some ten units of the clock."""
SERIES_BEGIN = 1e-3
"""Part of a run's span that counts as its time at the begin."""
LAST_STRETCHED = 1e-3
"""Part of a step by which the last one may be longer, so that no step of next to no length is left."""
DOUBTFUL = 1e-9
"""Defect of a series in its equations, relative to their terms, from which on a step is taken anew."""
DEFECT_SAFETY = 64.0
"""How many times the defect at the begin of a step, where a series is exact, is round-off later: forces that balance each other leave
round-off over."""
MOST_NOISE = 1e-10
"""Part of the terms above which such a defect is no round-off."""
SHORTER = 1.0 / 16.0
"""Part of a doubtful step that is tried next."""
SHORTEST = 1e-9
"""Part of `OF_THE_RUN` below which no shorter step is tried."""
OF_THE_RUN = 1e-3
"""Part of the end or span of a run by which doubtful steps are measured."""
FORETOLD = 10.0
"""Tolerances that the last orders of a series may foretell."""
LAST_ORDERS = 5
"""Orders of which this is foretold."""
LARGEST_POWER = 290.0
"""Power of ten that coefficients of a series may reach: numbers end at 308."""
USUAL_ORDER = 25
"""Order of a series from which on it is asked whether its coefficients are numbers; below only for short runs."""
BRIEF_RUN = 1e-6
"""Seconds of a run that is so short."""
FEWEST_TERMS = 4
"""Least order of a series."""
FEWEST_ORDERS_OF_PASSAGE = 4
"""Lowest order of a series that is asked for how far it reaches at a singular position."""
SAFE_STEP = 1e-12
"""Part of the time or span below which a shorter step does not help a series whose last orders grow."""
LEAST_MIXED = 1e-9
"""Part of the largest number of a state below which sizes no longer lower the tolerance of a series."""
THREE_DIGITS = 1e-3
"""Factor of a series' tolerance for every three digits by which sizes of a state differ."""
LOWEST_TOLERANCE = 1e-40
"""Lowest tolerance that a series is asked for, whose order grows with its logarithm."""
NO_ADVANCE = 1e-13
"""Part of the time or span that steps must advance, or they have collapsed."""

# IDAS
LOOSENESS = 30.0
"""Tolerances by which an interpolation may differ from a finer one before its interval is halved."""
IDAS_DECAY = 0.1
"""Part by which violations of conditions decay in the first interval."""
INTERPOLATED_FLOOR = 1e-3
"""Part of the largest number of a state by which errors of the others' interpolation are measured at least."""

# Numbers of steps
WHOLE_STEPS = 1e-12
"""Part of a span by which a number of steps may miss it: steps that a user types as decimals fill it."""
END_REACHED = 1e-14
"""Part of a span within which steps have reached its end, which is then put in their place."""
