"""Event-driven contact: gaps, sliding, impacts and load distribution; velocities relative to a system's largest."""

# Gaps
QUICKEST_DECAY = 64.0
"""Fastest decay rate of round-off in gaps, as multiple of speed over size. A faster decay would produce speeds that open or hit unilateral
constraints."""
SEEN = 10.0
"""A gap must fall and rise by this many times the largest gap that counts as closed. Gaps that stay closed without force change by
round-off only."""
TANGENT_TOUCH = 1e-3
"""The derivative of a gap vanishes if it is below this fraction of the derivative nearby."""
NEAR_A_TOUCH = 1e-3
"""Distance from a touch at which rates are measured, as fraction of the intervals on both sides."""
RATE_JUMPS = 0.1
"""The rate of a gap jumps if it is still above this fraction of the mean rate."""
TOUCHING = 1e-10
"""A gap that was closed before is closed if it is below this, relative to the size of the coordinates."""
EXACTLY_TOUCHING = 1e-13
"""A gap that was open is closed if it is below this: a body may fly as low as its gap is exact."""
GAINED = 1e-9
"""Work of the impulses of an impact above this part of the sum of its terms is energy that the impact creates: well above their
round-off."""
ENERGY_WITHOUT_END = 1e6
"""Impacts create energy without end if a run cannot go on after they have created this multiple of what the first of them exchanged."""
MISSED = 2e-11
"""A hit was missed if an open gap is below minus this, relative to the size of the coordinates: a fifth of what certificates allow, as gaps
are sampled, and above the error of steps."""
START_INSIDE = 1e-9
"""A start violates a unilateral constraint if the penetration exceeds this, relative to the size of the coordinates."""
FLAT_GAP = 1e-8
"""The gradient of a gap vanishes if it is below this fraction of the largest. Such a gap has no normal."""
PASSED_THROUGH = 1e-5
"""A step has jumped through a unilateral constraint if the penetration exceeds this, relative to the size of the coordinates."""
HIDDEN = 2.0**-42
"""Round-off of gaps, relative to the effect of the coordinates on them: a thousand units."""
ROUND_OFF_SHIFT = 2.0**-20
"""Fraction by which a coordinate is shifted to measure how its round-off changes gaps: large compared with a unit, small compared with the
coordinate, and exact in binary."""
LEAST_SYSTEM_SIZE = 1e-3
"""Size of the coordinates of a system at its origin [m], before it has moved, and without arms and forces."""
FORCED_SIZE = 1e-6
"""The size of a system is at least this fraction of the way that forces would move it in a run: a point at rest at the origin has no
other."""

# Speeds and impulses of impacts
ZENO = 1e-9
"""No further impact follows if the speed after an impact is below this fraction of the fastest: sequences of decaying bounces end there."""
SHRINKS = 0.5
"""Impacts of a constraint accumulate if each interval between them is at most this fraction of the one before."""
ACCUMULATES_AFTER = 3
"""Number of such intervals."""
FORCE_FREE = 1e-2
"""Forces do nothing between two impacts if they change a speed by less than this fraction. If they bring a body back, it is about 2."""
MOST_AT_ONCE = 200
"""Most impacts and phases at one instant."""
STILL = 1e-10
"""Rates of gaps below this fraction of the speeds are zero."""
APPROACH_ROUND_OFF = 1e-13
"""Speeds of approach below this part of the speeds are round-off."""
FALL = 0.1
"""While a system hardly moves, its speed counts as this fraction of the speed of a fall through its size."""
IMPACT_RESIDUAL = 1e-13
"""Residual to which the impulses of an impact are solved: a thousand round-offs."""
IMPACT_ACCEPTED = 1e-8
"""Largest residual with which they are accepted."""
IMPACT_SWEEPS = 100_000
"""Most sweeps for the impulses of an impact."""
ANSWERS_WITHIN = 1.0
"""Contacts of many bodies answer an applied impulse at its instant if their gaps are below this many |g| h², h being the time step: what a
weight closes from rest within two steps. Impulses of contacts that rest are found with a residual, so that such gaps are not zero."""
LEAST_SYSTEM_SPEED = 1e-6
"""Speed of a system at rest [m/s] without forces, before it has moved."""

# Contact forces
AMPLE = 1e-3
"""Contact forces are not redistributed while their distance from the boundary of the cones is above this, relative to the largest force."""
RELEASED = 1e-12
"""Shared loads let go once their forces leave the cones by this fraction of the largest force. It is above what the search for these
forces leaves, or contacts would stick again at that instant, and below the error of impulses that solvers accept."""
BALANCED = 1e-9
"""Fraction of the forces by which distributed loads may miss the load that they balance."""
LARGEST_LOAD = 1e4
"""Largest normal force between unilateral constraints that press against each other, as multiple of the least forces in balance."""
FINEST_BARRIER = 1e14
"""Weight of the load against the barrier of its cones at which the search ends: the inverse of a hundred round-offs."""
FINER_BARRIER = 20.0
"""Factor of that weight from round to round."""
LOAD_NEWTON_STEPS = 60
"""Most Newton steps for one weight."""
LOAD_HALVINGS = 40
"""Most halvings of such a step."""
LOAD_FOUND = 1e-10
"""The solution for one weight is found when the gain of a Newton step is below this."""
LOAD_DAMPED = 0.1
"""Gain above which a Newton step is damped, as for self-concordant barriers."""
PRESSING = 1e-12
"""Normal forces below this fraction of the forces, or of those that would open a gap, are zero."""
HOLDS_NOTHING = 1e-7
"""A contact bears no load if its force is below this fraction of the largest. The best of many load distributions is found to about the
square of it."""
INCONSISTENT = 1e-6
"""Fraction of its terms by which a closed gap may accelerate inward. A larger acceleration is Painlevé's paradox."""
AT_LIMIT = 1e-10
"""Distance from the boundary of the cones, in parts of the forces, that round-off may take at the boundary."""
AMBIGUOUS = 1e-6
"""Different load distributions give different motions if their accelerations differ by this fraction of what each distribution produces."""
STICKS_INSIDE = 1e-9
"""A sticking force is below the friction limit by this fraction of the squared limit."""
GRIPS_UP_TO = 1e-13
"""A contact that sticks begins to slip when its force exceeds the limit by this fraction of the squared limit: more than round-off, because
a block on a sliding one of the same roughness needs all its friction."""
CAME_TO_SLIP = 1e-8
"""A contact whose limit of friction ended a phase slips if its force is as near to the limit as this fraction of the squared limit: what an
event at a wrong instant by round-off leaves, while the force changes by its own size in a nanosecond."""
BARRIER_RCOND = 1e-15
"""Part of the largest singular value below which a barrier's Hessian, scaled to unit diagonal, has no direction."""

# Coupled slips
DIRECTIONS_APART = 1e-5
"""Directions of coupled slips may miss their coupling by this fraction."""
DEPENDENT_CHANGES = 1e-12
"""Changes of slips depend on each other below this fraction of the largest singular value. They were chosen independent."""

# Slips
FAINT = 2.0**-50
"""Difference quotients must shift a slip by at least this fraction of the fastest speed: some round-offs."""
NO_ACCELERATION = 1e-12
"""Accelerations below this fraction of the largest are set to zero: they belong to coordinates at rest."""
COARSE_SLIP = 100.0
"""For a method without series, slips below this many tolerances are zero."""
TURNED_AS_FAR = 1.0 + 1e-6
"""Margin for round-off where a slip has turned as far as a phase allows. Without it the next phase would end where it begins."""
NUDGE = 1e-12
"""A slip whose direction is not known yet begins with this fraction of the speeds: ten thousand round-offs."""
LEVERED = 1e-10
"""Velocities may change by this fraction of the speeds where a slip that counts as none is turned: a hundred times the slip with which
sliding begins, as levers of a hundred make of it. With longer levers the slip passes through zero by itself."""
LEAPT = 1e-9
"""Velocities may change by this fraction of the speeds where a slip that counts as none begins or ends."""
PASSED_AT_MOST = 1e-6
"""The change of velocities, as fraction of the speeds, in a step in which slips pass through zero: its third power is below round-off."""
FIRST_SLIP_GUESS = 1e-6
"""First slips are guessed with this fraction of the speeds."""
BARELY = 1e-6
"""The acceleration of a slip is zero if it is below this fraction of its terms: friction barely prevents the slip."""
LONGEST_FIRST_STEP = 0.1
"""The longest first step of a slip, as fraction of the run."""
SHORTEST_FIRST_STEP = 1e-11
"""The shortest first step that is tried, as fraction of the run or the time."""
FARTHER = 2.0
"""The first trial of a first step is this many times as long as the previous one."""
SLIP_NOISE = 2.0**-46
"""Round-off in accelerations of slips, relative: 64 units."""
DIRECTED = 1e-6
"""Directions of slips may miss those of their forces by this fraction of the accelerations."""
SLOWED_DOWN = 1.0 / 32.0
"""A Runge–Kutta step ends where a slip has slowed down to this fraction: for stages near rest the direction u/|u| is full of round-off."""
SLOW_SLIP = 1e-4
"""A slip is slow below this fraction of the speeds."""
DRIVEN = 0.5
"""Forces drive a slow slip if they exceed this fraction of the friction."""
STEP_OF_STOPPING = 0.125
"""The longest step, as fraction of the time in which a slip stops."""
STEP_OF_TURNING = 4.0
"""The longest step, as multiple of the time in which a slowed slip turns toward its force. Explicit Runge–Kutta steps of the eighth order
are stable up to six of these times."""
LOOK_OF_STOPPING = 4.0
"""How long this limit of the step holds, as multiple of the time in which the slip stops."""
SMALL_SLIP = 1e-9
"""Accelerations are evaluated with slips of this fraction of the speeds: their directions are known, and other effects of the slips are
smaller."""
SLIPPING = 1e-13
"""Slips slower than this fraction of the speeds are zero: the 20th term of the Taylor series of their direction u/|u| would overflow."""
STOPS_SOON = 4e-13
"""Slips that stop, or have begun, within this fraction of the duration of a run are zero for the same reason."""

# Iterations
COLLOCATION_ITERATIONS = 25
"""Most Newton steps of a collocation step."""
COLLOCATED = 1e-14
"""Newton step, relative to the changes, at which it has converged: some fifty round-offs."""
COLLOCATION_SETTLED = 1e-7
"""Newton's method may end below this step if the step no longer halves."""
COLLOCATION_LONGEST = 0.5
"""The longest Newton step, as fraction of the changes."""
COLLOCATION_SHIFT = 1e-4
"""Step of difference quotients, as fraction of the smallest slip. Only a few digits are needed."""
SLIP_STAGES = 7
"""Stages of collocation from rest. A series of a lower order takes as few stages as its order."""
SLIP_TRIALS = 30
"""Most trial lengths of a first step."""
TOUCH_ROUNDS = 16
"""How often the interval around the minimum of a gap is subdivided."""
TOUCH_PARTS = 17
"""Instants in such an interval."""
TOUCH_NEWTON_STEPS = 40
"""Most Newton steps for the instant of a touch."""
SUDDEN_ITERATIONS = 60
"""Most Newton steps for slips that begin suddenly."""
SUDDEN_HALVINGS = 30
"""Most halvings of such a step."""
SUDDEN_SETTLED = 1e-12
"""Relative Newton step at which the directions of sudden slips are found."""
SUDDEN_FOUND = 1e-6
"""Largest relative residual of these directions."""
ACTIVE_SET_ROUNDS = 3
"""Rounds of Newton's method that move a state onto the gaps to be closed."""

# Spans of time stepping
FIRST_SPAN = 2.0**-10
"""The first span of time stepping, as fraction of the run."""
STEPS_OF_A_SPAN = 128
"""Number of time steps in the first span."""
SOON = 4.0
"""A span follows soon if it begins within this many lengths of the previous span."""
SETTLED_SPEED = 1e-7
"""A pressed contact is at rest below this fraction of the speeds: time steps solve for their impulses no more accurately."""
UNRESOLVED_STEPS = 2.0
"""A bounce is not resolved if its speed is less than forces produce in this many time steps. It ends within twice as many steps, so that
time steps cannot distinguish it from rest."""
STEPS_BACK = 4.0 * UNRESOLVED_STEPS
"""A unilateral constraint presses if it pressed within this many time steps: the longest bounce that steps do not resolve, and as much
again."""

# Runs without progress
NO_TIME = 1e-4
"""Fraction of a run's span. A run that takes too many steps or phases within it makes no progress."""
NO_TIME_OF_HITS = 1e-2
"""The same for impacts. An impact sequence that ends shrinks geometrically, so it has few impacts in any such interval."""
STEPS_IN_NO_TIME = 2_000
"""Steps within `NO_TIME` above which a run makes no progress: it would take twenty million steps in all."""
PHASES_IN_NO_TIME = 300
"""Phases within `NO_TIME` above which a run makes no progress."""
MODELS_IN_NO_TIME = 16
"""Sets of closed contacts within `NO_TIME_OF_HITS` above which time stepping takes over: deriving the equations of each takes about half
a second."""
OPERATIONS_OF_SETS = 40_000
"""Operations in the equations of all sets of closed contacts, above which no further equations are derived and time stepping takes over:
deriving, compiling and auditing them takes a tenth to half a millisecond per operation, so that they take some twenty
seconds at most. A run that needs more sets meets each only briefly, and time stepping needs none."""
HITS_IN_NO_TIME = 2_000
"""Impacts within `NO_TIME_OF_HITS` above which a run makes no progress."""
FEWER_HITS = 0.25
"""Factor of that number for a run that was handed over because of its impacts: they are likely to go on."""
