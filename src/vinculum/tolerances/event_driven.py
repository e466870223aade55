"""Event-driven contact: gaps, sliding, impacts and load distribution; velocities relative to a system's largest."""

# Gaps
QUICKEST_DECAY = 64.0
"""Rates of speeds to sizes: if round-off in gaps decayed quicker, it would make speeds by which unilateral constraints part or are hit."""
SEEN = 10.0
"""What a gap must fall and rise by, in gaps that are none: what stays closed without pressing is only rounded."""
TANGENT_TOUCH = 1e-3
"""A slope of a gap that is such a part of the one nearby vanishes."""
NEAR_A_TOUCH = 1e-3
"""How near to a touch that is looked for, as part of the stretches on both sides."""
RATE_JUMPS = 0.1
"""A rate of a gap that is still such a part of the mean jumps."""
TOUCHING = 1e-10
"""Gaps that are zero of what was closed before, in sizes of the coordinates."""
EXACTLY_TOUCHING = 1e-13
"""Gaps that are zero of what was open: this may fly as low as its gap is exact."""
START_INSIDE = 1e-9
"""Depth, in sizes of the coordinates, from which on a start is inside of a unilateral constraint."""
FLAT_GAP = 1e-8
"""Slopes of gaps below this part of the steepest vanish: such a gap has no normal."""
PASSED_THROUGH = 1e-5
"""Depth, in sizes of the coordinates, from which on a step has jumped through a unilateral constraint."""
HIDDEN = 2.0**-42
"""Round-off in gaps, relative to what coordinates do to them: a thousand units."""
ROUND_OFF_SHIFT = 2.0**-20
"""Part of a coordinate by which it is moved to see what its round-off does to gaps: large beside a unit, small beside the coordinate,
and exact in binary."""
LEAST_SYSTEM_SIZE = 1e-3
"""Size of the coordinates of a system at its origin [m], before it has moved."""

# Speeds and impulses of impacts
ZENO = 1e-9
"""Speeds after an impact below this part of the fastest one make no further impact: bounces that die away end there."""
MOST_AT_ONCE = 200
"""Most impacts and phases at one instant."""
STILL = 1e-10
"""Speeds of gaps that are none, as part of the speeds."""
APPROACH_ROUND_OFF = 1e-13
"""Speeds of approach below this part of the speeds are round-off."""
FALL = 0.1
"""Part of the speed of a fall through the size of a system that counts as its speed, while it hardly moves."""
IMPACT_RESIDUAL = 1e-13
"""What the impulses of an impact are solved to: a thousand round-offs."""
IMPACT_ACCEPTED = 1e-8
"""What they must reach at least."""
IMPACT_SWEEPS = 100_000
"""Most sweeps for the impulses of an impact."""
LEAST_SYSTEM_SPEED = 1e-6
"""Speed of a system at rest [m/s], before it has moved."""

# Contact forces
AMPLE = 1e-3
"""Forces with so much room in their cones, in parts of the largest, need not be shared anew."""
BALANCED = 1e-9
"""Part of the forces by which shared loads may miss what they balance."""
LARGEST_LOAD = 1e4
"""The most that unilateral constraints may press on each other, in terms of the least forces that balance."""
FINEST_BARRIER = 1e14
"""Weight of the load against the barrier of its cones at which the search ends: the inverse of a hundred round-offs."""
FINER_BARRIER = 20.0
"""Factor of that weight from round to round."""
LOAD_NEWTON_STEPS = 60
"""Most Newton steps for one weight."""
LOAD_HALVINGS = 40
"""Most halvings of such a step."""
LOAD_FOUND = 1e-10
"""Gain of a Newton step at which one weight is done."""
LOAD_DAMPED = 0.1
"""Gain above which a Newton step is damped, as for self-concordant barriers."""
PRESSING = 1e-12
"""Part of the forces, or of those that would open a gap, below which nothing presses."""
HOLDS_NOTHING = 1e-7
"""Part of the largest force below which a contact bears nothing that counts: the best of many shares is found to about its square."""
INCONSISTENT = 1e-6
"""Part of its terms by which a closed gap may accelerate inwards; more is Painlevé's paradox."""
AT_LIMIT = 1e-10
"""Room in cones, in parts of the forces, that may be missing at their edge."""
AMBIGUOUS = 1e-6
"""Pressures that are shared in many ways do another motion, if accelerations differ by this part of what each of them does."""
STICKS_INSIDE = 1e-9
"""Part of the squared friction limit by which a sticking force is below it."""
BARRIER_RCOND = 1e-15
"""Part of the largest singular value below which a barrier's Hessian, scaled to unit diagonal, has no direction."""

# Slips that hang together
DIRECTIONS_APART = 1e-5
"""Part by which directions of slips that hang together may miss that."""
DEPENDENT_CHANGES = 1e-12
"""Part of the largest singular value below which changes of slips depend on each other: they were chosen independent."""

# Slips
FAINT = 2.0**-50
"""Part of the fastest speed that difference quotients must shift a slip by: some round-offs."""
NO_ACCELERATION = 1e-12
"""Accelerations below this part of the largest are those of what is held: they are none, not round-off."""
COARSE_SLIP = 100.0
"""Slips below this many tolerances of a method without series are none."""
TURNED_AS_FAR = 1.0 + 1e-6
"""A slip that has turned as far as it may, up to round-off, has done so: the phase would end again where it begins."""
NUDGE = 1e-12
"""Part of the speeds with which a slip begins where its direction is not known yet: ten thousand round-offs."""
FIRST_SLIP_GUESS = 1e-6
"""Part of the speeds at which first slips are guessed."""
BARELY = 1e-6
"""Part of its terms below which what is to come of a slip's acceleration is none: forces barely hold."""
LONGEST_FIRST_STEP = 0.1
"""The longest first step of a slip, as a part of the run."""
SHORTEST_FIRST_STEP = 1e-11
"""The shortest one, as part of the run or the time, before it is given up."""
FARTHER = 2.0
"""Where to begin trying, by the length of such a step before."""
SLIP_NOISE = 2.0**-46
"""Round-off in accelerations of slips, relative: 64 units."""
DIRECTED = 1e-6
"""Part of the accelerations by which directions of slips may miss their forces."""
SLOWED_DOWN = 1.0 / 32.0
"""Where a slip has slowed down to this part, a Runge–Kutta step ends: its stages near the rest have a direction u/|u| full of round-off."""
SLOW_SLIP = 1e-4
"""Part of the speeds below which a slip is slow."""
DRIVEN = 0.5
"""Part of the friction from which on forces drive a slow slip."""
STEP_OF_STOPPING = 0.125
"""The longest step, as part of the time in which a slip stops."""
STEP_OF_TURNING = 4.0
"""The longest step, as part of the time in which a slip turns to its force where it has slowed down: explicit Runge–Kutta steps of the
eighth order are stable up to six of them."""
LOOK_OF_STOPPING = 4.0
"""How long that holds, in such times."""
SMALL_SLIP = 1e-9
"""Slips, as a part of the speeds, at which accelerations are asked: their directions are known, and what else they do is less."""
SLIPPING = 1e-13
"""Slips slower than this share of the speeds are none: their direction u/|u| has a Taylor series whose 20th term would exceed all
numbers."""
STOPS_SOON = 4e-13
"""Slips that stop or began within this time [s] are none, for the same reason."""

# Iterations
COLLOCATION_ITERATIONS = 25
"""Most Newton steps of a collocation step."""
COLLOCATED = 1e-14
"""Newton step, relative to the changes, at which it has converged: some fifty round-offs."""
COLLOCATION_SETTLED = 1e-7
"""Newton step below which it may end where it no longer halves."""
COLLOCATION_LONGEST = 0.5
"""The longest Newton step, in parts of the changes."""
COLLOCATION_SHIFT = 1e-4
"""Step of difference quotients, in parts of the least slip: they are needed to a few digits."""
SLIP_STAGES = 7
"""Stages of collocation from a rest; a series of a lower order takes as few."""
SLIP_TRIALS = 30
"""Most lengths of a first step that are tried."""
TOUCH_ROUNDS = 16
"""How often the stretch around a least gap is divided."""
TOUCH_PARTS = 17
"""Instants of such a stretch."""
TOUCH_NEWTON_STEPS = 40
"""Most Newton steps for the instant of a touch."""
SUDDEN_ITERATIONS = 60
"""Most Newton steps for slips that begin suddenly."""
SUDDEN_HALVINGS = 30
"""Most halvings of such a step."""
SUDDEN_SETTLED = 1e-12
"""Newton step, relative, at which directions of sudden slips are found."""
SUDDEN_FOUND = 1e-6
"""What they may miss, relative."""
ACTIVE_SET_ROUNDS = 3
"""Rounds in which gaps that were pushed in are closed."""

# Spans of time stepping
FIRST_SPAN = 2.0**-10
"""The first span of time stepping as a part of the run."""
STEPS_OF_A_SPAN = 128
"""Its number of time steps."""
SOON = 4.0
"""A span that begins within so many lengths of the one before follows soon."""
SETTLED_SPEED = 1e-7
"""What is slower than this part of the speeds where unilateral constraints press is at rest: time steps solve for their impulses no
better."""
UNRESOLVED_STEPS = 2.0
"""Leaps at less than what forces make of a speed in so many time steps are over in twice as many: such steps tell them from rest no
more."""
STEPS_BACK = 4.0 * UNRESOLVED_STEPS
"""How many time steps back a unilateral constraint has pressed that presses: the longest leap that steps do not resolve, and as much
again."""

# Runs that get nowhere
NO_TIME = 1e-4
"""Part of a run's span in which so many steps or phases mean that it gets nowhere."""
NO_TIME_OF_HITS = 1e-2
"""Part of it in which so many impacts do: those that end do so in a row that shrinks like a power, of which few are in any such part."""
STEPS_IN_NO_TIME = 20_000
"""Steps in this part of a span from which on a run gets nowhere."""
PHASES_IN_NO_TIME = 300
"""Phases in it."""
MODELS_IN_NO_TIME = 16
"""Sets of closed contacts in the part of them, each with equations that are derived anew in half a second: more are handed over."""
HITS_IN_NO_TIME = 2_000
"""Impacts in the part of them."""
