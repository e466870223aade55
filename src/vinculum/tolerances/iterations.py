"""Iteration limits outside compiled kernels, and termination."""

# Newton's method
LEGENDRE_ROUNDS = 100
"""Most Newton steps for velocities from momenta."""
LEGENDRE_HALVINGS = 40
"""Halvings of such a step: down to round-off."""
LEGENDRE_ENOUGH = 1e-11
"""Momenta missed, relative, that are good enough where steps no longer help."""
RANK_ROUNDS = 30
"""Most Newton steps that bring states nearby onto constraints, where ranks are compared."""
LAGRANGIAN_START_ROUNDS = 50
"""Most Newton steps that bring a start onto the constraints of a Lagrangian."""
SETTLING_STEPS = 40
"""Most Newton steps to a steady motion."""
SETTLING_LONGEST = 0.3
"""The longest of them [m, rad]: within it equations are nearly linear."""
NEWTON_DONE = 1e-15
"""Newton step, relative to numbers of order one or larger, at which a search ends: round-off of a few operations."""
LAGRANGIAN_START_DONE = 1e-16
"""The same for starts of a Lagrangian, which are moved as little as possible: below half a unit, so that nothing changes any more."""
LAGRANGIAN_START_CLOSED = 1e-6
"""Part of `CONSTRAINT_MET` at which the rows of such a start are zero: below it round-off decides."""
START_NEWTON_STEPS = 30
"""Most Newton steps that close velocities of a start, and positions nearby."""
CLOSING_ITERATIONS = 200
"""Most damped Newton steps that close the positions of a start."""
CLOSING_TRIES = 12
"""Random places from which closing begins anew."""
CLOSING_LONGEST = 0.5
"""The longest of these steps [m, rad], within which a loop's equations are nearly linear."""
FIRST_DAMPING = 1e-3
"""First damping of Levenberg and Marquardt, relative to the squares of slopes: nearly a Newton step."""
LEAST_DAMPING = 1e-30
"""The least damping: a number, so that it can grow again."""
DAMPING_AGAIN = 1e-12
"""The least damping after a step that failed: less changes no digit of a step that is to be another one."""
MOST_DAMPING = 1e8
"""Damping above which steps are too short to close anything."""
CLOSING_STALLED = 1e-16
"""Longest change of a step [m, rad] below which it changes nothing."""
SAMPLE_NEWTON_STEPS = 20
"""Most Newton steps that bring samples onto constraints."""
EXACT_ROUNDS = 4
"""Newton steps in higher precision from a state in double precision: each doubles the digits."""
OUTPUT_ROUNDS = 8
"""Most Newton steps that close conditions at output instants: from a run's state two are enough."""
MULTIPLIER_ROUNDS = 20
"""Most Newton steps for first multipliers."""
SHOOTING_ROUNDS = 30
"""Most Newton steps of shooting."""
SHOOTING_HALVINGS = 10
"""Most halvings of such a step."""
ELSEWHERE = 8
"""Further places where shooting begins."""

# Halvings
JUMP_HALVINGS = 50
"""Halvings of a stretch in which a function jumps: nearly all digits."""
EVENT_HALVINGS = 60
"""Halvings of a step for the instant of an event: all digits of a number."""
LIMIT_HALVINGS = 80
"""Golden sections, or halvings, of a step for the instant of a limit."""

# Iterations of audits
SHARING_ROUNDS = 60
"""Most edges of a friction cone that are added when shared contact forces are sought; each round gains one or two digits."""
EXPLAINING_ITERATIONS = 3000
"""Most projected gradient steps when impulses are sought that explain a motion."""
POWER_ITERATIONS = 30
"""Power iterations for the largest eigenvalue of the Delassus operator: a step length needs two digits."""
OUTWARD_TRIES = 12
"""How often the random part of a direction is halved until the direction is outward."""
SUPPORT_ASCENTS = 60
"""Steps of ascent over normals when shapes are seen apart by support functions."""

# Refinements
IDAS_ROUNDS = 40
"""Most refinements of the grid on which IDAS is asked for its solution."""
LIMIT_GROWTHS = 40
"""How often a first step is made four times as long until a limit changes over it."""
SERVO_ROUNDS = 4
"""How often the stretch around a largest effort is divided."""
SERVO_PARTS = 33
"""Instants of such a stretch."""
MOVES_APART = 60
"""Most moves that bring shapes and gaps of a start apart."""
SWEEPS_APART = 2000
"""Most sweeps for one move."""
