"""Functions that a user gives: assumptions, positions of samples, and verdicts."""

# What a user gives
TYPED = 1e-9
"""Relative accuracy of numbers that a user types with nine digits: matrices may miss by this to be symmetric, rotations or positive."""
MEANT = 2.0**-51
"""A fraction or a short decimal is the number that was meant if it is this near to it, relative: two units of round-off, one of reading
the number and one of an operation on it."""
PATH_JUMP = 1e-9
"""A prescribed path jumps if its left and right limits differ by more than this, relative: nine digits, as users type."""
SHORTEST_AXIS = 1e-12
"""The shortest vector [m] that gives a direction. Its normalization loses no digits but round-off."""
NEARLY_A_ROTATION = 1e-6
"""Largest distance from a rotation of a matrix that a user gives, or that parameter values produce."""
UNIT_QUATERNION = 1e-6
"""Largest distance from one of the length of a quaternion that a user gives."""
UNIT_AXIS = 1e-6
"""Largest distance from one of the length of a joint axis after normalization. It is larger for parameter values for which the axis has no
direction."""
PARALLEL_JOINT_AXES = 1e-9
"""Two axes of a joint are parallel if the sine of their angle is below this."""
SYMMETRIC_STIFFNESS = 1e-12
"""Fraction of its largest entry by which the computed matrix of a penalty may miss to be symmetric."""
ORTHONORMAL = 1e-12
"""Largest distance of R Rᵀ from one for a computed rotation."""
POSITIVE = 1e-12
"""Fraction of the largest eigenvalue by which a computed tensor may miss to be symmetric or positive."""
PERIODIC_TABLE = 1e-12
"""Fraction of the largest value by which the ends of a periodic table may differ."""

# Accuracy that a user asks of integrals
FINEST_ACCURACY = 1e-14
"""The finest relative accuracy of an integral: round-off of some hundred operations."""
COARSEST_ACCURACY = 0.1
"""The coarsest one: with less, the estimate of the error is none."""
RESTRICTED_ACCURACY = 1e-3
"""Relative accuracy of the moments of a measure in a region, if the user asks for none: edges of a region converge slowly, and
estimates there are several times the error."""
MESH_ACCURACY = 1e-8
"""The same of a mesh or thin body with a density that varies."""
PAIR_ACCURACY = 1e-8
"""The same of the action of a pair of measures."""
SKEW_LAW = 1e-10
"""Fraction of its force, or of the force times the size of both bodies, by which the law of a pair may miss to be skew: it is evaluated
by a user's function, whose round-off grows where the points are close."""

# Where a function has no direction
SMOOTH_LENGTH = 1e-12
"""A length is √(d² + (this · scale)²). It is differentiable where the ends meet, and changed only by round-off elsewhere."""
NO_DIRECTION = 1e-7
"""Below this distance, in rest lengths, the line between two points has no direction, and a run stops."""
DASHPOT_FADES = 1e-13
"""Length, in rest lengths, below which the direction of a dashpot fades to zero."""
NEAR_HALF_TURN = 1e-6
"""cos²(ϑ/2) where a run stops: 0.002 rad before ϑ = π."""

# Verdicts about functions, from samples
NO_VIRIAL = 1e-8
"""The virial power of a constraint is zero below this fraction of its terms: a sum over samples that are closed to 1e-13."""
NO_TIME_SLOPE = 1e-12
"""A constraint does not depend on time if its relative time derivative is below this."""
EXPRESSION_ZERO = 1e-9
"""An expression of order one, evaluated with 15 digits, vanishes below this value."""
RHEONOMIC = 1e-8
"""Constraints depend on time if their time derivatives [1/s] exceed this."""
RATE_NOTICED = 1e-6
"""A rate does not vanish if its value exceeds this. Algebra is then not tried."""
UNCHANGED = 1e-9
"""A function is invariant under a motion of all bodies if it changes by less than this, relative to its derivatives: samples of many sizes
keep nine digits."""
FLAT_FUNCTION = 1e-3
"""Derivatives per meter or radian below this fraction of the function are measured against the function."""
FLAT_ROW = 1e-12
"""A constraint has a zero gradient if all entries of its row are below this, relative."""
VANISHED = 1e-9
"""A constraint vanishes identically on a restriction if it is below this fraction of its terms."""
SEPARATED = 1e-9
"""Levi-Civita's expressions of a separable Hamiltonian are below this fraction of their terms, and its values on a torus of level curves
differ by less of their changes along these: round-off in products of four derivatives, and steps to 1e-13 over long curves."""
UNITS_APART = 1024.0
"""Momenta of a Lagrangian further from one than this factor are counted in a unit of their own size, so that rates that vanish are told
from rates that are small in the units of the user. Nearer ones lose three digits of nine at most, and keep their round numbers."""
ZERO_ENTRY = 1e-9
"""Entries of a linearization below this fraction of the largest are zero."""
STEADY = 1e-8
"""A motion is steady if its accelerations are below this, relative to their terms: a start with eight digits satisfies it."""
ALIKE = 1e-7
"""A motion is steady if it looks the same later, up to this relative difference."""
CONSERVED = 1e-10
"""A first integral is conserved if its rate is below this, relative to its terms over all samples."""
CONSERVED_EACH = 1e-8
"""The same at each sample, whose own terms may cancel."""
SAMPLES_CLOSED = 1e-12
"""Samples meet their conditions on positions if no gap is above this, in parts of the largest coordinate or of one: the round-off of
Newton's steps, and less than what `CONSERVED` notices."""
PER_SECOND = 1e-3
"""Rates per second below this fraction of a quantity are measured against the quantity."""
SAME_CHANGE = 1e-7
"""Bases in echelon form at different samples are the same if their entries, of order one, differ by less than this: the root of round-off,
with a digit more."""
NO_EIGENVALUE = 1e-6
"""A table shows an eigenvalue as zero below this fraction of the largest: round-off splits a double zero by its root."""
NO_PART = 1e-10
"""A table omits the real or imaginary part of an eigenvalue below this fraction of it: it is round-off."""
EQUAL_MOMENTS = 1e-9
"""Two principal moments of inertia are equal if they differ by less than this fraction of the largest: nine digits, as users type."""
NO_POWER = 1e-12
"""The power of a drive is zero below this fraction of its terms."""
TIED = 1e-9
"""Multipliers that a user gives may miss their prescribed power by this fraction of its terms: nine digits."""
POWER_SOLVED = 1e-12
"""Rows and powers of a power balance are zero below this fraction of the largest entry, if the user names no other number."""
STREAMS_APART = 1e-9
"""An eigenvalue of a kinetic tensor counts as a further stream above this fraction of the largest, if the user names no other number."""
BUMP_EDGE = 1e-3
"""A bump is zero within this distance from its edge: it would be below exp(−999)."""
WRITTEN_EXACTLY = 1e-12
"""An entry of a direction or point is written as zero, or as that of an axis, if it is this near to it."""
FUNCTION_JUMPS = 1e-6
"""A function jumps at a switch if it changes there by more than this fraction of its size."""
UNNOTICED = 1e-9
"""A function does not depend on a position if it changes by less than this, relative."""
SYMMETRIC_PAIRS = 1e-9
"""Fraction by which the energy of a pair may change when both bodies are swapped, and by which their forces may fail to be opposite."""
NO_MOMENT = 1e-9
"""An action exerts no moment on a mass point if the moment is below this fraction of the forces."""

# Positions of samples
PAIR_DISTANCES = (1.0, 1e-10, 1e10)
"""Distances [m] at which the energy of a pair is tested: everyday size, atoms and planets."""
SPREAD = 0.4
"""Distance of samples from a start [m, rad]: far enough to be generic, near enough for a chart."""
SAMPLED_SPAN = 1.0
"""Span of the instants of samples [s]."""
NEARBY = 1e-2
"""Distance of nearby samples from a state [m, rad]: rows that vanish by chance at the state do not vanish there."""
NEARBY_FOR_RANK = 0.03
"""Distance from a start [m, rad] of the states at which ranks are compared. After projection they satisfy the constraints and are off
singular sets."""
NEAREST_SAMPLE = 0.25
"""Least size of a random coordinate or velocity: functions may vanish by chance at zeros."""
FARTHEST_SAMPLE = 1.25
"""Largest size of a random coordinate or velocity."""

# Difference quotients
SENSITIVITY_STEP = 1e-6
"""Relative step of the difference quotients of sensitivities. One digit is needed, so anything from 1e-3 to 1e-9 serves."""
PAIR_FORCE_STEP = 0.005
"""Step of central differences of order eight, as fraction of a distance. Their truncation error is about (step)⁸, their round-off
2⁻⁵²/step."""
SHORTER_STEPS = (1 / 8, 1 / 64)
"""Parts of this step over which differences are taken again where they disagree with a force: a switch of the law within the first span,
or a length much below the largest of its table, spoils the differences and not the force."""
VARIATION = 0.004
"""Size of a variation, as fraction of the change of a coordinate in a window. Differences of the action are of the second order in it."""
CARRIED = 1e-3
"""Distance in τ between tensor measures or curves that a carrier has moved, times the fastest rate at which it deforms them. Differences
are of the sixth order in it, steps of a flow of the fourth, and both stay below the round-off of a difference quotient."""
SECOND_DIFFERENCE = 0.02
"""The same for second differences, which divide by its square: the sixth root of round-off is larger, and leaves steps of a flow of the
fourth order too long."""
STAYS = 1e-7
"""A coordinate whose values and displacements are below this fraction of the largest one gives no length to compare a carrier with: it may
be round-off alone."""
CARRIER_ENDS = 1e-12
"""A carrier vanishes at the ends of a motion if it is below this fraction of its largest value along the motion: round-off of its
functions."""
ASIDE = 1e-7
"""Relative displacement of positions that shows what depends on them: the root of round-off, with a digit more."""
EVENT_SLOPE_STEP = 1e-7
"""Time step for the derivative of an event's function at a state that is not one of its zeros, in parts of a second or of a shorter run."""
ZERO_SLOPE_STEP = 1e-6
"""Time, in the same parts, over which a function with zero value and zero derivative is still zero, such as a gap that opens after an
inelastic impact."""
STIFFNESS_STEP = 1e-6
"""Relative step of difference quotients for a stiffness. One digit is needed."""
CROSSING_SLOPE_STEP = 1e-5
"""Time, in the same parts, before and after a crossing at which its derivative is measured: the root of round-off, with a digit for
central differences."""
VARIATION_LEAST = 1e-3
"""A variation is not made smaller than this fraction of the largest ratio of a curve to its bump."""
NEXT_TO_CUTOFF = 1e-6
"""Distance from a cutoff, as a part of it, at which a pair energy is asked whether it ends there."""
ENDS_AT_CUTOFF = 1e-5
"""Largest energy there, relative to the largest at smaller distances. One that ends with a slope at the cutoff has about the distance
above, times some units; one that is cut off, as r⁻⁶ at 2.5 sizes, has a hundredth."""

# Deformations
COLLAPSED = 1e-10
"""A flat or rod-like body is crushed if det φᵀφ, one without deformation, is below this: it never becomes negative, and lengths shrink to
1e-5 then."""
