"""Contact: gaps, cones and impulses, and how long their solvers try. Compiled kernels of `contact` hold these numbers."""

# Gaps and depths
LOOKED_AT_REST = 0.02
"""Part of the smallest radius within which bodies at rest are looked at."""
TOUCH = 1e-9
"""Bodies touch if their gap is below this part of the smallest body's radius."""
SLACK = 1e-5
"""Penetration below this part of the smallest body's radius is left as it is."""
LISTED_AT_REST = 1e-6
"""Part of the smallest shape within which contacts are listed that nothing approaches."""
DEEP_START = 1e-6
"""Part of the smallest shape by which shapes may start inside each other."""
MOVE_SETTLED = 1e-12
"""Change of a sweep, in parts of the gaps, at which a move is found."""
AIMED = 1e-9
"""Gaps that are aimed at, in parts of the largest coordinate: moves end on the right side of round-off."""
SHALLOW_START = 1e-5
"""Depths, in the same parts, beyond which a move goes half of the way: a straight one would go too far where gaps are bent."""

# Cones
INSIDE_THE_CONE = 1e-9
"""Part of the friction cone's width by which a sticking contact is inside of it."""
PRESSES = 1e-9
"""Part of the largest impulse below which one presses nothing."""
EQUAL_INERTIAS = 1e-12
"""Part of the largest moment by which inertias may differ from a sphere's: round-off of a solid's formulas."""
ELLIPSE_FOUND = 1e-16
"""Newton step, relative, at which the nearest point of an ellipse is found: below half a unit."""

# Residuals
OWN = 5e-3
"""In a crowd of equal bodies the worst contact misses some hundred times as large a part of its own as all contacts do of all. At the
usual tolerance of 1e-6 it is 2e-4, the largest error with which a certificate can still tell a thousandth."""
HARDEST = 1e-3
"""Part of the hardest hit of a step below which no change of velocity counts as smaller: bodies that are held between others while these
are hit, without gravity, do nothing themselves."""
APPROACH_LEFT = 1e-12
"""Part of the fastest approach below which no further impact follows where impacts are taken one after the other."""
SMALL_ROTATION = 1e-6
"""Angle of a step [rad] below which sin(a/2)/a is two terms of its series: the third is below round-off."""

# Dependent rows
DEPENDENT_PIVOTS = 1e-11
"""Part of a row's own mobility below which it depends on those before: a hundred thousand round-offs of an elimination."""

# Pivots of the linear complementarity problem
CORNERS_OF_A_CONE = 8
"""Of a polygon that stands for a disc or an ellipse; an interval has two."""
MOST_PIVOTS = 20
"""Most pivots, in numbers of unknowns."""
LARGEST_TABLE = 600
"""The most unknowns of a table of pivots, which is dense."""
NO_PIVOT = 1e-11
"""Entries of a column below this part of its largest are no pivots."""
TIED_RATIOS = 1e-12
"""Ratios as near to each other, relative, are equal."""

# Sweeps of Gauss and Seidel
MEMORY = 6
"""Sweeps of which Anderson's acceleration makes the next one."""
PLENTY = 200
"""Sweeps after which velocities are made anew from impulses, against the round-off of sweeps that update them."""
SWEEPS_BEFORE_NEWTON = 100
"""Sweeps after which other ways are tried, and again after four times as many."""
CONTACTS_WORTH_SHARING = 200
"""Contacts from which on two threads are worth it."""
BODIES_WORTH_SHARING = 100
"""Bodies from which on two threads share the work."""
CONTACTS_TIMED = 1e5
"""Contacts swept after which it is known how quick they are."""
TIMED_ANEW = 16
"""Looks after which the speed of two threads is measured anew."""
STUCK = 400
"""Sweeps without a smaller change after which the momentum is another one."""
PAUSE = 3
"""Sweeps between two looks at the residual, which cost as much as a sweep: at least this many."""
RARELY = 32
"""The part of those that were, after which the residual is looked at again."""
OWN_ROUNDS = 2
"""Rounds in which the own block of a contact with friction is solved in a sweep."""
PAIRED_AHEAD = 12
"""How far ahead a contact is looked for that shares no body with the one before."""
PARTITION_HALVINGS = 24
"""Halvings of the plane between two threads' bodies: to one part in ten million of their extent."""
LOOKS_BEFORE_YIELD = 100
"""How often a thread looks before it gives way."""
LOOKS_BEFORE_SLEEP = 4000
"""How often a thread looks before it sleeps."""
SWEEPS_BEFORE_RENEWAL = 200
"""Sweeps from which on velocities are made anew: impulses that go astray on their way, as between heavy and light bodies, leave their
round-off in velocities to which every sweep adds."""
SWEEPS_AFTER_RENEWAL = 4
"""How often more sweeps may follow."""
ANDERSON_DAMPING = 1e-12
"""Part of the trace that is added to the normal equations of Anderson's acceleration, as its differences become parallel."""

# Leaps along a drift of sweeps
DRIFT_SWEEPS = 25
"""Sweeps over which a drift is measured."""
LOOSE_LEAP = 1.5
"""By what factor a leap may make the residual larger."""
FARTHEST_LEAP = 1e6
"""The longest leap, in drifts."""
LEAPS_BELOW = 0.1
"""The residual above which sweeps do not drift but go astray; a leap to large impulses would leave velocities with fewer digits."""
FIRST_LEAP = 200
"""Sweeps before the first leap, except where few faces meet, whose contacts outnumber freedoms."""
FIRST_NEWTON = 1000
"""Sweeps before the finisher is asked."""
FEW_FACES = 200
"""Contacts up to which faces are few, so that a leap need not wait."""

# Newton's method, interior points, projected gradients
NEWTON_STARTS = 8
"""Places where Newton's method begins."""
POLYGONS = 3
"""How often polygons are turned to where impulses point."""
PROXIMAL_ROUNDS = 8
"""Most rounds of the proximal method around Newton's."""
NEWTON_ITERATIONS = 60
"""Most Newton steps of one round."""
PROXIMAL_SIZES = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
"""Sizes of the proximal term, in inverse mobilities of each row, one round after the other; the last is kept."""
SHORTEST_STEP = 1e-3
"""The shortest part of a Newton step that a line search takes."""
NEWTON_SETTLED = 1e-13
"""Residual or change of impulses, relative, at which Newton's method ends: a thousand round-offs."""
AWAY_FROM_THE_EDGE = (0.1, 1e-3)
"""How far from the edge of the cone, in parts of the first attempt, the last attempts of the interior-point method start."""
FACTORS_AFTER_INTERIOR_POINT = 20
"""Factorizations of Newton's method after an interior point."""
FACTORS_AFTER_SWEEPS = 150
"""Factorizations of Newton's method from sweeps."""
CONTACTS_WORTH_FACTORS = 1000
"""Contacts up to which factors are worth it; with more, sweeps of a shorter step get there sooner."""
INTERIOR_ITERATIONS = 40
"""The most steps of the interior point method."""
INTERIOR_PATIENCE = 12
"""The most of them in a row that make nothing better."""
BACK_FROM_EDGE = 0.99
"""Part of the way to the edge of the cone that a step goes."""
SHORT_STEP = 0.2
"""A step of such a part is so short that the next one goes to the middle of the cone."""
CENTERED = 0.5
"""By this much it goes to the middle."""
PENALTY_ITERATIONS = 10
"""The most Newton iterations for one P̄ of the penalty method."""
PENALTY_QUICK = 5
"""Iterations up to which ρ may grow."""
PENALTY_HALVINGS = 8
"""The most halvings of a step."""
PENALTY_GROWS = 3.0
"""Factor by which ρ grows where Newton's method is quick."""
PENALTY_FALLS = 5.0
"""Factor by which ρ falls where it fails."""
PENALTY_GIVEN_UP = 1.0
"""The ρ at which it is given up."""
RENEWED = 20
"""Iterations between two renewals of s, the part of velocity that friction adds to the normal."""
LONGER = 0.9
"""The inverse step after an iteration in parts of that before."""
NEWTON_ASTRAY = 1e-3
"""Residual of a round, relative to the impulses, beyond which the proximal method is given up."""
SUFFICIENT_DECREASE = 1e-3
"""Part of a full step's fall that a line search asks of a step (Armijo's rule)."""
SUFFICIENT_DECREASE_OF_PENALTY = 1e-4
"""The same for the penalty method, whose steps are halved a few times only."""
CURVATURE_ROUND_OFF = 1e-12
"""Part by which a measured curvature may exceed its bound: round-off of two products."""

# Bodies that are moved out of each other
PARTINGS = 200
"""Most rounds that move bodies of a start out of each other."""
UNEVEN = 20.0
"""Sweeps that move bodies of different masses out of each other grow with the root of the ratio of masses, up to this factor."""
DEPENETRATION_RESIDUAL = 1e-3
"""Part of the depth that is left when bodies are moved out of each other; the next step moves on."""
