"""Numbers of samples: instants, states or fields at which something is evaluated. They cost time and decide nothing by
themselves.
"""

# Audits
INSTANTS_OF_INTEGRALS = 2048
"""Most instants at which first integrals are evaluated, evenly over the steps."""
SENSITIVITY_INSTANTS = 12
"""Instants at which it is measured how balances grow with small errors in a state; a mean over them is needed, to a digit."""
MOST_DOUBLED_STEPS = 4000
"""Most steps that are taken again in two halves; of longer runs every n-th."""
SECOND_ROUTE_INSTANTS = 64
"""Instants at which a quantity is computed by a second, slower route."""
CONDITION_INSTANTS = 512
"""Instants at which constraints and reactions are looked at, evenly over a run."""
PAIR_FORCE_INSTANTS = 4
"""Instants at which forces of pairs are checked: each takes all pairs of a few bodies."""
PAIR_FORCE_BODIES = 6
"""Bodies whose forces are checked pair by pair."""
THIRD_LAW_INSTANTS = 4096
"""Most instants at which actions and reactions are added up."""
INSTANTS_OF_A_PHASE = 9
"""Instants inside each phase at which contact forces are looked at; its ends have their own lines."""
PHASES_LOOKED_AT = 64
"""Most phases of an event-driven run whose contact forces are looked at."""
STEPS_OF_SLOW_CONTACT = 16
"""Steps on both sides of an instant whose travel bounds a depth there: what has entered in a step may be slow to leave."""
INSTANTS_OF_SHAPES = 4000
"""Most instants at which shapes of a tree are looked at for penetration."""
STEPS_OF_WORK = 200
"""Steps whose impulses are asked for their work."""
DEEPEST_STEPS = 100
"""Most steps whose penetration is looked at anew, the deepest ones."""
STEPS_TO_LEAVE = 3
"""Steps in which a penetration that was not foreseen is gone."""
HITS_LOOKED_AT = 3
"""Hits with the longest ways that are looked at again."""
STEPS_TAKEN_AGAIN = 24
"""Most steps of free bodies that are taken again with their contacts."""
FREE_STEPS_TAKEN_AGAIN = 4
"""How many of them have no contact."""
CONTACTS_TAKEN_AGAIN = 20_000
"""Most contacts of all steps that are taken again, but of one."""
BODIES_PER_OUTWARD_FIELD = 40
"""How many bodies are looked at for every outward field."""
STEPS_OF_OUTWARD_FIELD = 3
"""Most steps on each side of an outward field's center."""
INSTANTS_OF_SPEED = 50
"""Instants at which the largest speed of a motion is looked for."""
INSTANTS_OF_FREE_BODIES = 24
"""Instants at which free bodies are looked at."""
STEPS_OF_PRESSING = 24
"""Steps whose changes of momenta are compared with impulses of contacts."""
NORMAL_TILT = 0.05
"""By what a normal is tilted to see that it is the best one [rad]."""
SUPPORT_DIRECTIONS = 500
"""Random normals from which the best are taken."""
SUPPORT_STARTS = 12
"""Normals from which an ascent starts."""
LARGE_BODY = 3.0
"""Bodies larger than this many median ones are left out of a search by distance."""
IMPACTS_LOOKED_AT = 100
"""Impacts whose law is looked at, evenly over all of them."""
BODIES_WEIGHED = 24
"""Most bodies that are moved together to see whether a function is invariant."""
FEWEST_STEPS_COUNTED = 100
"""Steps that a short run counts as when errors of steps are added up."""
INSTANTS_OF_LAGRANGIANS = 256
"""Instants at which Euler and Lagrange's equations are looked at."""
ACTION_WINDOWS = 8
"""Windows in which the action is varied."""
FEWEST_WINDOWS = 3
"""Windows of a run that has a few steps only."""
STEPS_OF_ACTION_WINDOW = 48
"""Most steps of a window."""
PANELS_OF_ACTION_WINDOW = 12
"""Panels of Gauss–Kronrod's rule in a window."""
INSTANTS_OF_SINGULARITY = 4096
"""Instants at which the measure of singular positions is evaluated."""
INSTANTS_OF_REST = 9
"""Instants at which it is seen whether a motion is at rest."""

# Fields of a weak form
AT_IMPACTS = 0.75
"""Share of test fields whose centers are impacts: what happens there is what a weak form sees best."""
WIDEST_FIELD = 32
"""Most steps on each side of a field's center."""
BODIES_OF_A_FIELD = 3
"""Most bodies that a field moves."""
JOINTS_OF_A_FIELD = 3
"""Most joints that a field moves."""
FIELDS = 200
"""Random test fields of a weak form."""
OUTWARD_FIELDS = 50
"""Random test fields that leave unilateral constraints."""
PANELS_OF_A_FIELD = 4
"""Panels of Gauss–Kronrod's rule over a field, besides the steps in it."""

# Functions of a user
ADIABATIC_SAMPLES = 24
"""States at which it is looked whether a constraint is adiabatic."""
ADIABATIC_TRIES = 96
"""States that are tried to find those, as not all can be brought onto a constraint."""
INTEGRABILITY_SAMPLES = 3
"""Positions at which forms are looked at for a proof of integrability."""
INTEGRABILITY_TRIES = 20
"""Positions that are tried nearby for a rank that is the usual one."""
KEPT_FUNCTION_TRIES = 3
"""Sets of numbers at which an expression is evaluated to see that it vanishes."""
BODIES_OF_A_PAIR_ACTION = 6
"""Bodies of a list that are looked at, if all pairs of them have one energy function."""
NEARBY_SAMPLES = 32
"""Nearby states at which it is seen whether slopes vanish by chance."""
RANK_SAMPLES = 4
"""States nearby at which ranks of constraints are compared."""
RESTRICTION_SAMPLES = 5
"""Positions at which a restriction is seen to meet its constraints."""
KINK_SAMPLES = 6
"""States next to a start at which slopes are compared, as a constraint may have a kink there."""
FEWEST_SAMPLES_OF_INTEGRALS = 8
"""Samples that must remain to tell a first integral."""
NOTICED_SAMPLES = 6
"""Random positions at which it is seen what a function notices."""
SAMPLES_OF_A_SCALE = 16
"""Random positions for each scale of lengths."""
CROSSING_SAMPLES = 129
"""Instants at which a path's distance from a face is asked for its crossings."""
PANELS_OF_A_WINDOW = 80
"""Panels of a test function's support: with Gauss's rule of the order below they integrate smooth bumps to round-off."""
ORDER_OF_A_WINDOW = 24
"""Points of Gauss's rule on each panel."""
PAIR_SAMPLES = 64
"""Pairs of points at which an energy is tried."""
ACTION_SAMPLES = 4
"""Random states at which a user's action is tried."""
CHECKED_OF_PAIRS = 8
"""Bodies of a pair action that are looked at when it is added: its function is the same for all pairs."""

# Steps and runs
PLACES_OF_SERIES = 8
"""How many times in a piece of a series gaps are looked at."""
PLACES_OF_TIME_STEPS = 2
"""How many times in a piece of time stepping gaps are looked at."""
LOOKS_AT_LOADS = 4
"""Looks at a step, whether its contact forces stay in their cones."""
OFTEN = 1e-3
"""The longest time between them as a part of the run."""
LOOKS_FOR_HITS = 8
"""Looks at a step for hits that were missed."""
LOOKS_NEAR_BEGIN = 44
"""Looks at the part in which a gap closes, ever nearer to its begin, where a flight may be very short."""
FIRST_POINTS = 256
"""Intervals of the first grid on which IDAS is asked for its solution."""
POINTS_OF_A_POLYNOMIAL = 8
"""Points through which a polynomial of each interval goes."""
FEWEST_STEPS_AT_REST = 1000
"""Steps of a motion in which nothing moves by itself."""
LOOKS_AT_LIMITS = 8
"""Looks at a step for limits."""
PLACES_AHEAD = 33
"""At how many instants a step's series is asked for a singular position ahead."""
ZOOMS = 10
"""How often the stretch around the least measure of singular positions is divided anew."""
SAMPLES_OF_MEASURE = 24
"""Instants before a singular position through which a curve of its measure is laid."""
INSTANTS_CONTINUED = 6
"""Instants on either side through which a motion is continued to an impact between two of them."""
MOST_SERVO_SAMPLES = 20_000
"""Most instants at which efforts of servos are looked at for their bounds."""
FEWEST_SERVO_SAMPLES = 1_000
"""Least instants of them."""
SERVO_SAMPLES_PER_STEP = 8
"""Instants in each step."""
FEWEST_STEPS = 500
"""Least steps of a run whose forces depend on time, so that what they do is not missed between two steps."""
DEFAULT_GRID = 1001
"""Output instants where none are asked for."""
LOOKS_AT_SWITCHES = 4
"""Looks at a step for switches of a Lagrangian."""
MULTIPLIER_INSTANTS = 129
"""Instants at which vakonomic multipliers are compared."""
