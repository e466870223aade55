"""Numbers of samples: instants, states or fields at which something is evaluated. They cost time and decide nothing by
themselves.
"""

# Audits
INSTANTS_OF_INTEGRALS = 2048
"""Most instants at which first integrals are evaluated, evenly over the steps."""
INSTANTS_OF_ROUND_OFF = 5
"""Instants at which the effect of round-off in velocities on first integrals is estimated."""
SENSITIVITY_INSTANTS = 12
"""Instants at which the sensitivity of balances to small errors of the state is measured. One digit of a mean over them is needed."""
MOST_DOUBLED_STEPS = 4000
"""Most steps that are repeated in two halves. Of longer runs every n-th step is taken."""
ROUGHEST_STEPS = 64
"""So many steps of a block are doubled in any case: those in which a force is most uneven, as at a kink."""
SECOND_ROUTE_INSTANTS = 64
"""Instants at which a quantity is computed by a second, slower route."""
CONDITION_INSTANTS = 512
"""Instants, evenly over a run, at which constraints and reactions are checked."""
ROWS_OF_CONDITIONS = 2_000_000
"""Rows of conditions over tables, times instants, at which they are checked: some seconds. So ten thousand rows have 200 instants."""
SEQUENCES_LOOKED_AT = 64
"""Most orders in which sequential impacts with equally fast approaches are taken: six ties of two."""
PAIR_FORCE_INSTANTS = 4
"""Instants at which forces of pairs are checked. Each takes all pairs of a few bodies."""
PAIR_FORCE_BODIES = 6
"""Bodies whose forces are checked pair by pair."""
THIRD_LAW_INSTANTS = 4096
"""Most instants at which actions and reactions are summed."""
INSTANTS_OF_A_PHASE = 9
"""Instants inside each phase at which contact forces are checked. Other lines check its ends."""
PHASES_LOOKED_AT = 64
"""Most phases of an event-driven run whose contact forces are checked."""
STEPS_OF_SLOW_CONTACT = 16
"""Steps on both sides of an instant whose displacement bounds a penetration there: a body that has entered in one step may leave slowly."""
INSTANTS_OF_SHAPES = 4000
"""Most instants at which shapes of a tree are checked for penetration."""
STEPS_OF_WORK = 200
"""Steps in which the work of impulses is checked."""
BODY_STEPS_OF_ENERGY = 1_000_000
"""Most steps times bodies in which the energy of blocks in contact is balanced. Of longer runs some steps are taken, evenly."""
DEEPEST_STEPS = 100
"""Most steps in which penetration is recomputed, the deepest ones."""
STEPS_TO_LEAVE = 3
"""A penetration that was not predicted must be gone within this many steps."""
HITS_LOOKED_AT = 3
"""Number of impacts that are checked again, those with the longest displacements."""
STEPS_TAKEN_AGAIN = 24
"""Most steps of free bodies that are repeated with their contacts."""
FREE_STEPS_TAKEN_AGAIN = 4
"""Number of repeated steps without contact."""
CONTACTS_TAKEN_AGAIN = 20_000
"""Most contacts in all repeated steps. One step is repeated in any case."""
BODIES_PER_OUTWARD_FIELD = 40
"""Number of bodies that are tried for every outward field."""
TRIES_OF_OUTWARD_CARRIERS = 4
"""Number of contacts that are tried for every outward carrier: each needs the rows of all contacts beside it."""
STEPS_OF_OUTWARD_FIELD = 3
"""Most steps on each side of an outward field's center."""
INSTANTS_OF_SPEED = 50
"""Instants at which the largest speed of a motion is searched."""
INSTANTS_OF_FREE_BODIES = 24
"""Instants at which free bodies are checked."""
STEPS_OF_PRESSING = 24
"""Steps in which changes of momenta are compared with impulses of contacts."""
NORMAL_TILT = 0.05
"""Angle [rad] by which a normal is tilted to verify that it is the best one."""
SUPPORT_DIRECTIONS = 500
"""Random normals of which the best are taken."""
SUPPORT_STARTS = 12
"""Normals from which an ascent starts."""
LARGE_BODY = 3.0
"""Bodies larger than this many median ones are left out of a search by distance."""
IMPACTS_LOOKED_AT = 100
"""Impacts whose law is checked, evenly over all of them."""
BODIES_WEIGHED = 24
"""Most bodies that are moved together to test whether a function is invariant."""
FEWEST_STEPS_COUNTED = 100
"""A shorter run counts as this many steps when errors of steps are summed."""
INSTANTS_OF_LAGRANGIANS = 256
"""Instants at which the Euler–Lagrange equations are checked."""
ACTION_WINDOWS = 8
"""Windows in which the action is varied."""
FEWEST_WINDOWS = 3
"""Windows of a run with only a few steps."""
STEPS_OF_ACTION_WINDOW = 48
"""Most steps of a window."""
PANELS_OF_ACTION_WINDOW = 12
"""Panels of the Gauss–Kronrod rule in a window."""
CARRIERS = 24
"""Random carriers of a certificate of Hamilton's principle, most of them around impacts."""
CARRIERS_OF_A_BATCH = 8
"""Carriers whose nodes are evaluated together: many enough for compiled code, few enough for memory."""
INSTANTS_OF_SINGULARITY = 4096
"""Instants at which the measure of singular positions is evaluated."""
INSTANTS_OF_REST = 9
"""Instants at which a motion is tested for rest."""

# Fields of a weak form
AT_IMPACTS = 0.75
"""Fraction of test fields that are centered at impacts, where a weak form is most sensitive."""
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
"""Panels of the Gauss–Kronrod rule over a field, besides the steps in it."""

# Functions of a user
ADIABATIC_SAMPLES = 24
"""States at which a constraint is tested for being adiabatic."""
ADIABATIC_TRIES = 96
"""Most states that are tried to find those: not every state can be brought onto a constraint."""
INTEGRABILITY_SAMPLES = 3
"""Positions at which forms are evaluated for a proof of integrability."""
INTEGRABILITY_TRIES = 20
"""Nearby positions that are tried to find one with the generic rank."""
KEPT_FUNCTION_TRIES = 3
"""Sets of numbers at which an expression is evaluated to test that it vanishes."""
BODIES_OF_A_PAIR_ACTION = 6
"""Bodies of a list that are checked if all pairs of them have one energy function."""
NEARBY_SAMPLES = 32
"""Nearby states at which derivatives are tested for vanishing by chance."""
RANK_SAMPLES = 4
"""States nearby at which ranks of constraints are compared."""
RESTRICTION_SAMPLES = 5
"""Positions at which a restriction is tested against its constraints."""
KINK_SAMPLES = 6
"""States next to a start at which Jacobians are compared, because a constraint may have a kink there."""
FEWEST_SAMPLES_OF_INTEGRALS = 8
"""Least number of valid samples that decide about a first integral."""
METRIC_BOX = 2.0
"""Random places of a chart have coordinates between minus this and this: angles and lengths of order one, on both sides of zero."""
METRIC_TRIES = 40
"""Random places that are tried for each one that is needed inside a chart; half-spaces and shells take a few."""
KILLING_SAMPLES = 24
"""Places at which a field is tested for leaving a metric unchanged."""
FEWEST_POINTS_OF_AN_ACTION = 64
"""Points of a period, at which an action is first integrated; the trapezoidal rule over a period converges exponentially."""
MOST_POINTS_OF_AN_ACTION = 1 << 14
"""Most points of a period: enough next to a separatrix."""
BESIDE_A_PLACE = 1e-3
"""Distance at which derivatives of constraints are looked at beside a place, relative to one or to its coordinates: there a rank that is
lower at the place alone is seen, far above round-off."""
SEPARABILITY_SAMPLES = 16
"""States at which Levi-Civita's conditions, and H on a torus, are tested: an analytic expression that does not vanish everywhere vanishes
at random states with probability zero."""
SEPARABILITY_REACH = 0.1
"""Distance of these states from the start, as a fraction of each coordinate and momentum: near enough to stay where H is defined."""
FAR_FROM_MEDIAN = 4.0
"""States at which a function exceeds its median by this factor are left out of a search for polynomial integrals: monomials of a high
degree are alike at states that lie alike."""
NOTICED_SAMPLES = 6
"""Random positions at which the arguments of a function are tested for dependence."""
SAMPLES_OF_A_SCALE = 16
"""Random positions for each scale of lengths."""
CROSSING_SAMPLES = 129
"""Instants at which the distance of a path from a face is evaluated to find crossings."""
PANELS_OF_A_WINDOW = 80
"""Panels of a test function's support. With the Gauss rule of the order below they integrate smooth bumps to round-off."""
ORDER_OF_A_WINDOW = 24
"""Points of the Gauss rule on each panel."""
PAIR_SAMPLES = 64
"""Pairs of points at which an energy is tested."""
ACTION_SAMPLES = 4
"""Random states at which a user's action is tested."""
CHECKED_OF_PAIRS = 8
"""Bodies of a pair action that are checked when it is added. Its function is the same for all pairs."""

# Steps and runs
PLACES_OF_SERIES = 8
"""Number of instants in a piece of a series at which gaps are evaluated."""
PLACES_OF_TIME_STEPS = 1
"""Number of instants in a piece of time stepping at which gaps are evaluated: its ends. Between them the parabola of a step bulges by
h² q̈/8, also where a contact only ceases to press."""
SIGNS_OF_ROUND_OFF = 2
"""Number of random signs with which round-off is added to velocities to see its effects."""
LOOKS_AT_LOADS = 4
"""Number of instants in a step at which contact forces are tested to stay in their cones."""
OFTEN = 1e-3
"""The longest time between these instants, as fraction of the run."""
LOOKS_FOR_HITS = 8
"""Number of instants in a step at which missed impacts are searched."""
LOOKS_NEAR_BEGIN = 44
"""Number of instants, ever nearer to the beginning of the interval in which a gap closes: a flight may be very short."""
FIRST_POINTS = 256
"""Intervals of the first grid on which IDAS returns its solution."""
POINTS_OF_A_POLYNOMIAL = 8
"""Points that the polynomial of each interval interpolates."""
FEWEST_STEPS_AT_REST = 1000
"""Steps of a motion in which no coordinate moves freely."""
FEWEST_STEPS_SCREENED = 4
"""Number of steps from which on changes of rooms to limits, which tell near steps from far ones, are those of neighbors."""
LOOKS_AT_LIMITS = 8
"""Number of instants in a step at which limits are tested."""
PLACES_AHEAD = 33
"""Number of instants at which a step's series is tested for a singular position ahead."""
ZOOMS = 16
"""How often the interval around the least measure of singular positions is subdivided at most: ten times are enough if no prediction
succeeds."""
FINEST_ZOOM = 2.0**-31
"""Distance of the last samples, as fraction of this interval: the instant of a position is known to nine digits of it."""
SAMPLES_OF_MEASURE = 24
"""Instants before a singular position to which a curve of its measure is fitted."""
INSTANTS_CONTINUED = 6
"""Instants on either side from which a motion is extrapolated to an impact between two of them."""
MOST_SERVO_SAMPLES = 20_000
"""Most instants at which efforts of servos are compared with their bounds."""
FEWEST_SERVO_SAMPLES = 1_000
"""Least number of these instants."""
SERVO_SAMPLES_PER_STEP = 8
"""Number of these instants in each step."""
FEWEST_STEPS = 500
"""Least number of steps of a run whose forces depend on time, so that no change of a force is missed between two steps."""
DEFAULT_GRID = 1001
"""Output instants if the user asks for none."""
LOOKS_AT_SWITCHES = 4
"""Number of instants in a step at which switches of a Lagrangian are tested."""
MULTIPLIER_INSTANTS = 129
"""Instants at which vakonomic multipliers are compared."""
CUTOFF_SAMPLES = (0.3, 0.5, 0.7, 0.9)
"""Distances, as parts of the cutoff, at which a pair energy is compared with its end."""
SAMPLES_OF_A_CHART = 10
"""Samples along each axis of a chart that tell along which one lines cross the boundary of a region evenly."""
SAMPLES_OF_A_SIDE = 4
"""Lines along each side of a cell that tell whether all of them cross the boundary of a region in the same way."""
SAMPLES_OF_A_LINE = 17
"""Samples along a line, between which one crossing of each face is located, and two beside the least one."""
HALVINGS_OF_A_CUT_CHART = 4
"""Bisections of a chart across the lines on which a region is cut out, before errors are estimated: sixteen cells of 7 × 7 lines."""
SAMPLES_OF_A_CURVE = 1001
"""Positions on a curve or along each side of a surface that is given by a function, for its bounding ball and its picture."""
PAIRS_LOOKED_AT = 1000
"""About how many pairs of points of each array are tested for opposite forces on one line."""
BESIDE_A_SAMPLE = 1e-6
"""Part of the way to the next sample at which the slope of a gap is seen."""
SEARCHES_FOR_A_DIP = 60
"""Golden sections of the interval in which a gap is least: they end at round-off."""
INSTANTS_OF_BLOCKS = 3
"""Instants of a motion at which blocks over tables are compared with equations of their own."""
KINDS_DERIVED_AGAIN, ROWS_DERIVED_AGAIN = 6, 2
"""Kinds of blocks, and rows of each, whose equations a certificate derives one by one: each costs some hundredths of a second."""
