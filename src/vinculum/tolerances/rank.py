"""Rank and dependence: singular values, pivots and charts that count as zero."""

# Singular values
DEPENDENT_ROWS = 1e-9
"""Part of the largest singular value, or mobility, below which rows, or slips, depend on each other: well above round-off (1e-14), below
what geometry makes."""
DEPENDENT_GRAM = 1e-11
"""Part of the largest singular value below which columns of a matrix scaled by masses depend on each other: round-off, with three digits
for masses."""
DEPENDENT_COLUMNS = 1e-8
"""Part of the largest singular value below which rows of constraints depend on each other: the root of round-off, as Jacobians at a
closed start are known no better."""
LEFT_OUT_OF_STEPS = 1e-10
"""Part of the largest singular value below which a Newton step does not go along a direction: conditions say nothing about it."""
DEPENDENT_TURNS = 1e-12
"""Part of the largest singular value below which turns of links give velocities the same rates: they are products of given numbers."""
DEPENDENT_TWISTS = 1e-10
"""Part of the largest singular value below which twists that conditions allow depend on each other, at samples closed to 1e-13."""
DEPENDENT_MOTIONS = 1e-8
"""Singular value of unit twists below which a motion is one of the others."""
DEPENDENT_LAGS = 1e-8
"""Part of the largest singular value below which coefficients of a series depend on those before: the root of round-off."""
FREE_ENOUGH = 0.2
"""Part of the freest coordinate's share from which on the first one in order is taken as independent."""
LOADED = 1e-9
"""Load of a joint by a unit stress that balances itself, from which on the joint is named as overconstrained."""
DEPENDENT_CLOSING = 1e-6
"""Part of the largest singular value below which a condition is not closed: closing it would move others far."""

# Loads that are shared
LOADS_INDEPENDENT = 1e-7
"""Inverse condition of the Delassus matrix below which contacts share a load in many ways: the root of round-off, with a margin."""
LOADS_SHARED = 1e-4
"""Part of a null vector's normal rows above which a contact's force is not determined."""

# Singular matrices
NEARLY_SINGULAR = 1e6
"""Condition numbers of a mass matrix above this let round-off grow in accelerations; below, it stays among other round-off."""
LEAST_RATIO = 1e-8
"""Ratios of singular values below this count as this: condition numbers stay below what the certificate uses."""
SINGULAR_MASS = 1e-12
"""Ratio of singular values below which a mass matrix scaled to unit diagonal is singular: some thousand round-offs."""
INDEFINITE = 1e-9
"""Part of the largest entry of ∂²L/∂v² at or below which its least eigenvalue is not positive."""
SIGN_KEPT = 1e-12
"""Part of its largest value nearby by which a row may cross zero and count as of one sign, as a square is."""
VANISHES_HERE = 0.1
"""Part of its largest value nearby below which a row vanishes at a state."""
SINGULAR_START = 1e-13
"""Least eigenvalue of a mass matrix scaled to unit diagonal, at a start: some hundred round-offs."""
SINGULAR_PROJECTION = 1e-12
"""Pivot of a projection, as part of its diagonal, below which conditions depend on each other."""
BEYOND_SQUARES = 1e-3
"""Ratios of singular values below this are lost to round-off in their squares, whose last digits count then."""

# Forms, integrals and null spaces
EXACT_FORM = 1e-8
"""Part of a form below which its exterior derivative vanishes on a distribution: root of round-off, as derivatives are of second order."""
DEPENDENT_FORMS = 1e-7
"""Part of the largest singular value below which forms of unit length depend on each other: the root of round-off, with a margin."""
ECHELON_ZERO = 1e-9
"""Entries of a basis in echelon form, whose leading ones are one, below which they are zero."""
INDEPENDENT_FORMS = 1e-9
"""Part of the largest entry below which what is left of a form is round-off, so that it depends on others."""
PIVOT_SERVES = 1e-3
"""Part of the largest entry that a pivot of a formula must have at all samples."""
INDEPENDENT_INTEGRALS = 1e-9
"""What is left of a gradient, of unit length, above which an integral is independent of others."""
DEPENDENT_BALANCES = 1e-10
"""Part of a row of powers below which what is left of it depends on others."""
NULL_VECTOR = 1e-9
"""Singular values and entries of matrices of order one below which a direction is in the null space."""
CLEAN = 1e-11
"""Distance from a multiple of one half, or from zero, within which an entry of a null vector is this number."""

PARALLEL_MOMENT_AXES = 1e-9
"""Part of the largest singular value below which axes are parallel, so that the point in which they meet may be moved along them."""
AXES_MEET = 1e-8
"""Distance, relative to the positions of axes, within which they pass through one point."""

# Charts of rotations
CHART_STARTS = 1e-6
"""Least condition of a chart at which a start is taken: coordinates are then known to ten digits."""
CHART_LOST = 1e-3
"""Condition of a chart below which a run is lost: rates of its coordinates are a thousand times what turns them."""
CHART_LOST_BY_FIXED_STEPS = 0.05
"""The same for fixed steps, which do not shorten where rates grow."""
CHART_LOST_BY_IDAS = 0.01
"""Condition of a chart below which a run of IDAS is lost, which does not change charts."""
CHART_CHANGES = 0.1
"""Condition of a chart below which it is changed for another one."""
CHART_HALFWAY = 0.5
"""Condition up to which other charts are changed with it."""
CHART_FRESH = 0.9
"""Condition above which a chart is as good as new."""
LOCKED = 1e-14
"""Sine or cosine of the middle Euler angle below which the two others are not known apart."""
CHART_SINGULAR = 1e-14
"""Condition of a chart below which it has no rates."""
