"""Steps of integrators: error control, implicit steps, projections, series. Compiled loops hold these numbers."""

# Control of steps
STEP_SAFETY = 0.9
"""Factor of the step that an error estimate allows (Hairer, Nørsett and Wanner, II.4)."""
STEP_SHRINKS = 0.2
"""Least factor of a step after a rejected one."""
STEP_GROWS = 8.0
"""Largest factor of a step after an accepted one."""
FLOOR = 1e-3
"""The error of a coordinate is measured at least against this fraction of the largest number of its kind."""
DEFECT = 1e2
"""The interpolant of a step may miss its equations by this many tolerances. Its order is lower than that of the step, and motions without
stiff forces stay below fifty."""
AT_REST_FOR = 1e-3
"""Speeds that forces give in this time [s] are rest, next to which the interpolant may miss its equations."""
LEAST_SIZE = 1e-3
"""Least size of a state, for the first step or a short one from a start at the origin."""
LITTLE_CHANGE = 1e-3
"""Fraction of a state that changes in a short step, which only moves a motion off a zero of an event."""
LITTLE_TIME = 1e-6
"""The longest such step, as fraction of a run's span."""
CLOCK_UNIT = 2.3e-16
"""Steps below this fraction of the time are lost in the clock, and crossings are found to it: a little more than a unit."""
UNITS_OF_A_STEP = 16.0
"""Steps below so many units of the clock have collapsed: their lengths are known to a few bits."""
NO_STEP = 1e-14
"""Where rates are not finite, no step below this fraction of the time is tried."""
BEGIN_OF_TIME = 1e-6
"""Least time in such fractions, as fraction of the end of a run."""
LANE_COLLAPSED = 1e-15
"""A step of an ensemble has collapsed if it is below this fraction of the time."""
LANE_BEGIN = 1e-9
"""Least time [s] in such a fraction."""
FLOW_TOLERANCE = 1e-12
"""Relative tolerance of the steps of spectra and sections: their pairs then vanish to 1e-10 or better."""
ORBIT_TOLERANCE = 1e-13
"""The same for actions and periodic orbits, which are found to 1e-11."""
STEP_FROM_REST = 1e-3
"""First trial of a step where the state or its rate vanishes; it is adapted at once."""
TIGHTEST_FLOW = 1e-15
"""Least relative tolerance of flows with deviations: a few units, below which round-off decides."""
LOCATING_ROUNDS = 60
"""Most steps of trial lengths that locate a crossing. The rule of Illinois takes about ten, and halving would take 53."""
RESOLVED_BY_A_STEP = 0.02
"""A watched function is known within a step if the cubic through values and rates at its ends is as near to its value in the middle,
relative to its changes: this is so for two radians of a sine. Steps over which a gap that may close is not known are halved."""
BESIDE_THE_ENDS = 1e-6
"""A watched function that turns back within this fraction of a step from its start or end turns back there: by its square it is lower."""
SHORTENING_ROUNDS = 60
"""Most times that a step is made shorter for the functions that are watched; halving alone is lost in the clock after 53."""
CHATTER_SHRINKS = 1e-7
"""Impacts at a wall accumulate if the times between them shrink by restitution again and again, down to this fraction: positions, which
change with the square of the times, are then near round-off."""
CROWDED_UNITS = 4.0
"""Units of the clock by which impacts are not apart: a crossing is located to two of them."""
CROWDED_IMPACTS = 16
"""Impacts in sequence that are not apart on the clock and accumulate: in a corner between walls fewer follow each other."""

# Implicit steps
IMPLICIT_ITERATIONS = 60
"""Most fixed-point iterations of an implicit step. A step that needs more is too long."""
CONVERGED = 1e-16
"""Relative change at which a fixed point is found: below half a unit, so that the iteration repeats itself."""
PLAIN_ITERATIONS = 3
"""Fixed-point iterations of a step of blocks before they are accelerated. Those of weak dampers and slow spins need no more."""
LEAST_DAMPING_PIVOT = 0.5
"""Pivot of 1 − ½hA below which rows are exchanged. Without exchange pivots are one or more if dampers act along single velocities, or if
the mass matrix is diagonal; others come near that."""
POINTS_KEPT = 8
"""Differences of points that accelerate a fixed-point iteration: more than the stiff drives of an arm."""
DEPENDENT_DIFFERENCE = 1e-8
"""A difference of two points of a fixed-point iteration depends on others if less than this part of it is across them: the root of
round-off."""
NEARLY_CONVERGED = 1e-11
"""Relative change below which an iteration may end if it no longer decreases: round-off in rates of a stiff system."""

# Kepler's motion in universal variables
KEPLER_WIDEST = 5.4
"""Largest change of the anomaly in a span [rad]: over half a period that of an ellipse is below π + 2. Hyperbolas may change by as much."""
KEPLER_HALVINGS = 2
"""How often the argument of Stumpff's functions is divided by four, so that its size is below 5.4² / 16 = 1.8."""
KEPLER_TERMS = 10
"""Terms of their series: the next would add 1.8¹⁰ · 6 / 23! < 1e-19."""
NEARLY_PARABOLIC = 1e-4
"""Energies below this fraction of μ/r bound the anomaly as if they were this: beyond it a body is 10⁵ times as far away."""
KEPLER_IMPROVED = 1e-7
"""Relative change of the anomaly after which the next would be lost in round-off: the method is of third order."""
KEPLER_ROUNDS = 80
"""Most rounds: three for spans of a tenth of a period, and 53 if only halving helps."""
KEPLER_MISSED = 1e-12
"""Kepler's equation is solved if it is missed by less than this fraction of its terms: some thousand round-offs."""

# Projection onto constraints after a step
PROJECTION_ROUNDS = 6
"""Most Newton steps that close conditions after a step."""
PROJECTED_SQUARED = 1e-13**2
"""Square of the gaps, in lengths of their loop, at which they are closed after a step."""
RATES_PROJECTED_SQUARED = 1e-7**2
"""Square of the rates of gaps, in speeds, at which no further Newton step follows: the last one has squared the error."""
OPEN_SQUARED = 1e-9**2
"""Square of gaps that count as open after all rounds."""
TORN_SQUARED = 1e-3**2
"""Square of gaps that are too far open for Newton's method."""
CHARTS_LEFT = 1e-8
"""Change of coordinates by a projection, relative to them, whose square is round-off: quaternions that are brought back to length one then
leave the conditions by no more."""
CLOSINGS = 8
"""Most projections, each with quaternions of length one: a change of a tenth leaves 1e-2, 1e-4 and 1e-8 of it."""

# Steps of a series
NEARLY_TOLERANCE = 0.999
"""Fraction of a bound that a term may reach: the step that a term allows is rounded itself."""
SMALLEST_PIVOT = 1e-14
"""A mass matrix is singular if a pivot is below this fraction of its diagonal: a hundred round-offs."""
STEP_REFINEMENTS = 60
"""Most rounds that shorten a step of a series to its tolerance."""
SERIES_COLLAPSED = 1e-14
"""Steps of a series have collapsed if they are below this fraction of the time: some ten units of the clock."""
SERIES_BEGIN = 1e-3
"""Least time in this fraction, as fraction of a run's span."""
LAST_STRETCHED = 1e-3
"""Fraction by which the last step may be longer, so that no tiny step remains."""
DOUBTFUL = 1e-9
"""A step is repeated if the defect of its series in the equations exceeds this, relative to their terms."""
DEFECT_SAFETY = 64.0
"""Defects up to this many times that at the beginning of a step are round-off. The series is exact at the beginning, and forces that
balance leave round-off."""
MOST_NOISE = 1e-10
"""A defect at the beginning above this fraction of the terms is no round-off."""
SHORTER = 1.0 / 16.0
"""Length of the next trial, as fraction of the doubtful step."""
SHORTEST = 1e-9
"""Fraction of `OF_THE_RUN` below which no shorter step is tried."""
OF_THE_RUN = 1e-3
"""Doubtful steps are measured against this fraction of the end or span of a run."""
FORETOLD = 10.0
"""Error, in tolerances, that the last orders of a series may predict."""
LAST_ORDERS = 5
"""Number of orders from which this error is predicted."""
LARGEST_POWER = 290.0
"""Largest power of ten of coefficients of a series. Double precision ends at 308."""
USUAL_ORDER = 25
"""From this order on the coefficients of a series are tested for overflow, below it only for short runs."""
BRIEF_RUN = 1e-6
"""Length [s] of such a short run."""
FEWEST_TERMS = 4
"""Least order of a series."""
FEWEST_ORDERS_OF_PASSAGE = 4
"""Lowest order of a series that is tested for how far it reaches at a singular position."""
SAFE_STEP = 1e-12
"""Below this fraction of the time or span a shorter step does not help a series whose last orders grow."""
LEAST_MIXED = 1e-9
"""Numbers of a state below this fraction of the largest do not lower the tolerance of a series further."""
THREE_DIGITS = 1e-3
"""Factor of a series' tolerance for every three digits by which sizes of a state differ."""
LOWEST_TOLERANCE = 1e-40
"""Lowest tolerance of a series. Its order grows with the logarithm of it."""
NO_ADVANCE = 1e-13
"""Steps have collapsed if they advance by less than this fraction of the time or span."""

# IDAS
LOOSENESS = 30.0
"""Tolerances by which an interpolation may differ from a finer one before its interval is halved."""
IDAS_DECAY = 0.1
"""Fraction by which violations of conditions decay in the first interval."""
INTERPOLATED_FLOOR = 1e-3
"""Interpolation errors are measured at least against this fraction of the largest number of a state."""

# Numbers of steps
WHOLE_STEPS = 1e-12
"""Fraction of a span by which a whole number of steps may miss it, so that steps typed as decimals fill it."""
END_REACHED = 1e-14
"""Steps have reached the end of a span within this fraction of it. The end is then set exactly."""
NEIGHBOR_SKIN = 0.15
"""Part of a cutoff by which lists of near pairs reach beyond it. They are made anew once a body has moved half of that. Less makes them
anew more often, more lists pairs without forces; from 0.1 to 0.3 the time hardly differs."""
PASSAGES_TAKE = 1e-9
"""Least time of many passages in a row, as fraction of a run: a motion that oscillates through a jump of a force so fast has more periods
than a run has steps."""
