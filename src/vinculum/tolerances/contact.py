"""Contact: gaps, cones and impulses, and how long their solvers try. Compiled kernels of `contact` hold these numbers."""

# Gaps and depths
LOOKED_AT_REST = 0.02
"""Contacts between bodies at rest are searched within this fraction of the smallest radius."""
SPARE_REACH = 0.05
"""Bounding spheres of shapes that deform are larger than needed by this fraction, so that near pairs are listed anew after a stretch of
some percent and not in every step."""
TOUCH = 1e-9
"""Bodies touch if their gap is below this part of the smallest body's radius."""
SLACK = 1e-5
"""Penetration below this part of the smallest body's radius is left as it is."""
LISTED_AT_REST = 1e-6
"""Contacts that nothing approaches are listed within this fraction of the smallest shape."""
DEEP_START = 1e-6
"""Shapes may penetrate each other at the start by this fraction of the smallest shape."""
MOVE_SETTLED = 1e-12
"""A move that opens gaps is found when a sweep changes it by less than this fraction of the gaps."""
AIMED = 1e-9
"""Moves aim at gaps of this fraction of the largest coordinate, so that they end on the open side of round-off."""
SHALLOW_START = 1e-5
"""Penetrations above this fraction of the largest coordinate are halved by a move, not removed: a straight move would overshoot where gaps
are curved."""

# Cones
INSIDE_THE_CONE = 1e-9
"""A sticking contact lies inside the friction cone by at least this fraction of its width."""
PRESSES = 1e-9
"""Impulses below this fraction of the largest are zero."""
EQUAL_INERTIAS = 1e-12
"""Fraction of the largest moment of inertia by which moments may differ and still be those of a sphere: round-off of a solid's formulas."""
ELLIPSE_FOUND = 1e-16
"""Relative Newton step at which the nearest point of an ellipse is found: below half a unit."""

# Residuals
OWN = 5e-3
"""Ratio of two relative errors: that of all contacts together, and that of the worst contact on its own scale. The second is some hundred
times larger in a crowd of equal bodies. At the usual tolerance of 1e-6 it is 2e-4, the largest error with which a certificate can still
detect a thousandth."""
HARDEST = 1e-3
"""Least scale of a body's change of velocity in a step, as fraction of the largest change by an impact. Without gravity, a body that is
clamped between others during their impact does not change its own velocity."""
APPROACH_LEFT = 1e-12
"""In sequential impacts no further impact follows if the approach is slower than this fraction of the fastest."""
JAMMED = 1e6
"""Impulses whose product with the speeds is above this multiple of the energies may be no solution: friction jams a contact whose law asks
it to separate, and the iteration diverges."""
JAM_LEAVES = 1e-3
"""Such impulses are none if a gap still approaches with this fraction of the speeds, or slips with it, inside its friction cone by this
fraction of the cone."""
SERIES_ROTATION = 0.5
"""Below this square of a rotation angle [rad²] cosine and sine of its half are seven terms of their series: the eighth is below 1e-17."""

# Dependent rows
DEPENDENT_PIVOTS = 1e-11
"""A row depends on the rows before it if its pivot is below this fraction of its own mobility: a hundred thousand round-offs of an
elimination."""
IMMOVABLE = 1e-13
"""Impulses along an axis of a contact move nothing if conditions leave less than this fraction of its mobility: some hundred round-offs. A
mobility is a square, so that velocities below 3e-7 of what the impulse alone would give are left out."""

# Pivots of the linear complementarity problem
CORNERS_OF_A_CONE = 8
"""Corners of the polygon that replaces a disc or an ellipse. An interval has two."""
MOST_PIVOTS = 20
"""Most pivots, as multiple of the number of unknowns."""
LARGEST_TABLE = 600
"""Most unknowns of a tableau of pivots, which is dense."""
NO_PIVOT = 1e-11
"""Entries of a column below this fraction of its largest are not used as pivots."""
TIED_RATIOS = 1e-12
"""Ratios are equal if they differ by less than this, relative."""

# Gauss–Seidel sweeps
MEMORY = 6
"""Number of past sweeps from which Anderson's acceleration builds the next iterate."""
PLENTY = 200
"""Sweeps after which velocities are recomputed from impulses, because sweeps that update them add round-off."""
SWEEPS_BEFORE_NEWTON = 100
"""Sweeps after which other methods are tried, and again after four times as many."""
CONTACTS_WORTH_SHARING = 200
"""Least number of contacts for which two threads share the sweeps."""
BODIES_WORTH_SHARING = 100
"""Least number of bodies for which two threads share the work."""
CONTACTS_TIMED = 1e5
"""Number of contacts to sweep before their speed is known."""
TIMED_ANEW = 16
"""Number of timings after which the speed of two threads is measured again."""
STUCK = 400
"""Sweeps without a smaller change after which another momentum factor is tried."""
STUCK_AT_FIRST = 40
"""The same for the first, largest but one factor; a quarter of the sweeps so far is added. Most steps need some dozens of sweeps, and a
momentum with which an island oscillates would take many times as many."""
PAUSE = 3
"""Least number of sweeps between two evaluations of the residual, each of which costs as much as a sweep."""
RARELY = 32
"""The residual is evaluated again after so many sweeps: the sweeps so far, divided by this number."""
PART_OF_EXPECTED = 0.5
"""The residual is evaluated again after this part of the sweeps that its present rate of decrease needs."""
PART_OF_SWEPT = 0.25
"""At most, after this part of the sweeps so far: rates change."""
OWN_ROUNDS = 2
"""Rounds in which a sweep solves the 3×3 block of one contact with friction."""
PAIRED_AHEAD = 12
"""How many contacts ahead a sweep searches for one that shares no body with the contact before it."""
CONTACTS_WORTH_GROUPS = 64
"""Least number of contacts of which groups of eight are made for sweeps: with fewer, most groups would not be full."""
PARTITION_HALVINGS = 24
"""Halvings that place the plane between the bodies of two threads: to one part in ten million of their extent."""
LOOKS_BEFORE_YIELD = 100
"""Polls of a waiting thread before it yields."""
LOOKS_BEFORE_SLEEP = 4000
"""Polls of a waiting thread before it sleeps."""
SWEEPS_BEFORE_RENEWAL = 200
"""Number of sweeps after which velocities are recomputed from impulses. Every sweep adds round-off to the velocities, and more if
impulses diverge first, as between heavy and light bodies."""
SWEEPS_AFTER_RENEWAL = 4
"""Most rounds of further sweeps after such a renewal."""
ANDERSON_DAMPING = 1e-12
"""Fraction of the trace that is added to the normal equations of Anderson's acceleration, because its differences become parallel."""

# Leaps along a drift of sweeps
DRIFT_SWEEPS = 25
"""Number of sweeps over which a drift is measured."""
LOOSE_LEAP = 1.5
"""Factor by which a leap may increase the residual."""
FARTHEST_LEAP = 1e6
"""The longest leap, as multiple of the drift."""
LEAPS_BELOW = 0.1
"""Leaps are taken only below this residual. Above it sweeps do not drift but diverge, and a leap to large impulses would cost digits of the
velocities."""
FIRST_LEAP = 200
"""Sweeps before the first leap. If few faces touch, with more contact rows than degrees of freedom, the leap need not wait."""
FIRST_MOMENTUM = 0.9
"""Momentum of the first sweeps. The law of friction is not symmetric, so more momentum makes sweeps diverge."""
FIRST_DIVISION = 32
"""Sweeps after which islands in which the law holds are left out; then after twice as many, and so on. Finding them costs two sweeps."""
FIRST_NEWTON = 1000
"""Sweeps before the finisher (Newton's method and interior points) is called."""
FEW_FACES = 200
"""Number of contacts below which faces are few, so that a leap need not wait."""

# Newton's method, interior points, projected gradients
NEWTON_STARTS = 8
"""Number of starting points of Newton's method."""
POLYGONS = 3
"""How often the polygons of the friction cones are turned to the directions of the impulses."""
PROXIMAL_ROUNDS = 8
"""Most rounds of the proximal method around Newton's."""
NEWTON_ITERATIONS = 60
"""Most Newton steps of one round."""
PROXIMAL_SIZES = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
"""Sizes of the proximal term in successive rounds, in inverse mobilities of each row. The last one is kept."""
SHORTEST_STEP = 1e-3
"""Least fraction of a Newton step that a line search takes."""
NEWTON_SETTLED = 1e-13
"""Relative residual or change of impulses at which Newton's method ends: a thousand round-offs."""
AWAY_FROM_THE_EDGE = (0.1, 1e-3)
"""Distances from the boundary of the cone at which the last attempts of the interior-point method start, as fractions of that of the first
attempt."""
FACTORS_AFTER_INTERIOR_POINT = 20
"""Most factorizations of Newton's method that starts from an interior point."""
FACTORS_AFTER_SWEEPS = 150
"""Most factorizations of Newton's method that starts from sweeps."""
FEW_CONTACTS = 40
"""Most contacts of an island whose Delassus operator is written out for Newton's method and pivots: its cube costs as much as factors of a
sparse matrix of the bodies."""
CONTACTS_WORTH_FACTORS = 1000
"""Most contacts for which factorizations are worth it. With more contacts, sweeps of a shorter step are faster."""
INTERIOR_ITERATIONS = 40
"""Most steps of the interior-point method."""
INTERIOR_PATIENCE = 12
"""Most successive steps without improvement."""
BACK_FROM_EDGE = 0.99
"""Fraction of the distance to the boundary of the cone that a step goes."""
SHORT_STEP = 0.2
"""After a step below this fraction, the next one goes toward the center of the cone."""
CENTERED = 0.5
"""Weight of the center in that step."""
PENALTY_ITERATIONS = 10
"""Most Newton iterations for one P̄ of the penalty method."""
PENALTY_QUICK = 5
"""Most iterations after which ρ may grow."""
PENALTY_HALVINGS = 8
"""Most halvings of a step."""
PENALTY_GROWS = 3.0
"""Factor by which ρ grows if Newton's method converges quickly."""
PENALTY_FALLS = 5.0
"""Factor by which ρ falls if it fails."""
PENALTY_GIVEN_UP = 1.0
"""The method is given up at this ρ."""
NEWTON_ASTRAY = 1e-3
"""The proximal method is given up if the residual of a round exceeds this, relative to the impulses."""
SUFFICIENT_DECREASE = 1e-3
"""Fraction of the decrease of a full step that a line search requires (Armijo's rule)."""
SUFFICIENT_DECREASE_OF_PENALTY = 1e-4
"""The same for the penalty method, which halves its steps only a few times."""

# Moving penetrating bodies apart
PARTINGS = 200
"""Most rounds that move the penetrating bodies of a start apart."""
UNEVEN = 20.0
"""The number of sweeps that move bodies apart grows with the root of the ratio of their masses, up to this factor."""
DEPENETRATION_RESIDUAL = 1e-3
"""Fraction of the penetration that is left when bodies are moved apart. The next step continues."""
