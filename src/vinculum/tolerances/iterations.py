"""Iteration limits outside compiled kernels, and termination."""

# Newton's method
LEGENDRE_ROUNDS = 100
"""Most Newton steps for velocities from momenta."""
LEGENDRE_HALVINGS = 40
"""Halvings of such a step: down to round-off."""
LEGENDRE_WRITTEN_ROUNDS = 18
"""Newton steps for velocities from momenta where they are written out in a compiled function: with shortened steps on the way to the root,
and five that square the error near it."""
LEGENDRE_WRITTEN_LENGTHS = 7
"""Lengths of each of these steps that are tried, every one a quarter of the one before: down to 1/4096."""
LEGENDRE_STARTS = tuple(10.0**k for k in range(-4, 5))
"""Sizes of velocities, of which Newton's method starts at the best where it finds no root from zero, as if the Hessian vanishes there."""
LEGENDRE_SHIFT = 1e-14
"""Multiple of the unit matrix, relative to the largest entry, that is added to a Hessian: velocities that it leaves open are not moved."""
LEGENDRE_SEARCHES = 24
"""Random starts, besides those sizes, of the search for further velocities with the same momenta."""
LEGENDRE_SEARCH_ROUNDS = 40
"""Newton steps of each of these searches; those that end elsewhere than at a root are left out."""
LEGENDRE_STATES = 8
"""Most of given states, evenly spaced, at which further velocities are searched for."""
ONE_ROOT = 1e-6
"""Velocities are one root if their momenta, and those between them, agree to this fraction: a multiple root is known to a root of 1e-11."""
LEGENDRE_ENOUGH = 1e-11
"""Relative residual of momenta that is accepted if further steps do not help."""
ORBIT_ROUNDS = 40
"""Most Newton steps for a periodic orbit."""
ORBIT_HALVINGS = 10
"""Halvings of such a step."""
PERIOD_KNOWN = 4.0
"""Factor within which the period of an orbit must be guessed: Newton's method would otherwise follow multiples of it."""
SHOOTING_ENOUGH = 100.0
"""Distance, relative to the state and in tolerances of steps, by which a periodic orbit may miss its start: Newton's method reaches no
more than the errors of all steps together."""
LOCAL_ROUNDS = 5
"""Newton steps that are written out for dependent coordinates about a place: each doubles the digits, and the order of the derivatives that
are right."""
ACTION_CROSSINGS = 64
"""Crossings among which an oscillation returns to its start; turning points and other crossings come between."""
ACTION_RETURN = 1e-8
"""Distance from the start, relative to the state, at which an oscillation has returned: far above the errors of its steps."""
FREQUENCY_ROUNDS = 12
"""Times that each frequency of a signal is refined while the other terms are taken away."""
FREQUENCY_FOUND = 1e-17
"""Relative change at which such a step ends: below a unit, so that it repeats itself."""
FREQUENCY_STEPS = 30
"""Most Newton steps for the maximum of a spectrum."""
RANK_ROUNDS = 30
"""Most Newton steps that bring nearby states onto constraints, where ranks are compared."""
LAGRANGIAN_START_ROUNDS = 50
"""Most Newton steps that bring a start onto the constraints of a Lagrangian."""
SETTLING_STEPS = 40
"""Most Newton steps to find a steady motion."""
SETTLING_LONGEST = 0.3
"""The longest of these steps [m, rad]. The equations are nearly linear within it."""
NEWTON_DONE = 1e-15
"""Newton step, relative to numbers of order one or larger, at which a search ends: round-off of a few operations."""
LAGRANGIAN_START_DONE = 1e-16
"""The same for starts of a Lagrangian, which are moved as little as possible: below half a unit, so that nothing changes any more."""
LAGRANGIAN_START_CLOSED = 1e-6
"""The constraints of such a start are zero below this fraction of `CONSTRAINT_MET`: below it round-off decides."""
START_NEWTON_STEPS = 30
"""Most Newton steps that bring the velocities of a start, and nearby positions, onto the constraints."""
CLOSING_ITERATIONS = 200
"""Most damped Newton steps that close the positions of a start."""
CLOSING_TRIES = 12
"""Number of random positions from which closing starts again."""
CLOSING_LONGEST = 0.5
"""The longest of these steps [m, rad]. The equations of a loop are nearly linear within it."""
FIRST_DAMPING = 1e-3
"""First Levenberg–Marquardt damping, relative to the squares of derivatives: nearly a Newton step."""
LEAST_DAMPING = 1e-30
"""The least damping. It is not zero, so that it can grow again."""
DAMPING_AGAIN = 1e-12
"""The least damping after a failed step. A smaller one would not change a digit of the next step."""
MOST_DAMPING = 1e8
"""Damping above which steps are too short to close anything."""
CLOSING_STALLED = 1e-16
"""A step that changes nothing by more than this [m, rad] ends the search."""
SAMPLE_NEWTON_STEPS = 20
"""Most Newton steps that bring samples onto constraints."""
EXACT_ROUNDS = 4
"""Newton steps in higher precision that start from a state in double precision. Each adds the digits of double precision,
less those that a nearby singular position takes."""
OUTPUT_ROUNDS = 8
"""Most Newton steps that close conditions at output instants. From a state of the run two are enough."""
MULTIPLIER_ROUNDS = 20
"""Most Newton steps that find first multipliers."""
SHOOTING_ROUNDS = 30
"""Most Newton steps of shooting."""
SHOOTING_HALVINGS = 10
"""Most halvings of such a step."""
ELSEWHERE = 8
"""Number of further starting points of shooting."""

# Halvings
JUMP_HALVINGS = 50
"""Halvings of an interval in which a function jumps: nearly all digits."""
EVENT_HALVINGS = 60
"""Halvings of a step to locate an event: all digits of a number."""
LIMIT_HALVINGS = 80
"""Golden sections, or halvings, of a step to locate a limit."""

# Iterations of audits
SHARING_ROUNDS = 60
"""Most edges added to each friction cone in the search for shared contact forces; a round gains one or two digits."""
EXPLAINING_ITERATIONS = 3000
"""Most projected gradient steps in the search for impulses that explain a motion."""
POWER_ITERATIONS = 30
"""Power iterations for the largest eigenvalue of the Delassus operator: a step length needs two digits."""
OUTWARD_TRIES = 12
"""How often the random part of a direction is halved to make the direction outward."""
SUPPORT_ASCENTS = 60
"""Steps of ascent over normals that prove shapes apart by support functions."""

# Refinements
IDAS_ROUNDS = 40
"""Most refinements of the grid on which IDAS returns its solution."""
LIMIT_GROWTHS = 40
"""How often a first step is made four times as long until a limit changes over it."""
PASSAGES_IN_A_ROW = 20
"""Passages through a jump of a force that take no time (`PASSAGES_TAKE`) after which a motion is at rest there: one is enough to pass with
a velocity, two for a velocity at round-off."""
SERVO_ROUNDS = 4
"""How often the interval around a largest effort is subdivided."""
SERVO_PARTS = 33
"""Instants in such an interval."""
MOVES_APART = 60
"""Most moves that separate the shapes and open the gaps of a start."""
SWEEPS_APART = 2000
"""Most sweeps for one move."""
POLAR_ITERATIONS = 9
"""Steps of Newton's scaled iteration for a polar decomposition, always all of them so that it has derivatives. It converges
quadratically: 9 steps reach round-off for condition numbers of a deformation up to 1e16 (Higham)."""
CROSSING_ROUNDS = 80
"""Most steps for a crossing of a line and the boundary of a region: a bisection of all digits, with some to spare."""
