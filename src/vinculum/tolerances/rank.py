"""Rank and dependence: singular values, pivots and charts that count as zero."""

# Singular values
DEPENDENT_ROWS = 1e-9
"""Rows, or slips, depend on each other if a singular value, or mobility, is below this fraction of the largest: well above round-off
(1e-14), below what geometry produces."""
DEPENDENT_GRAM = 1e-11
"""Columns of a matrix scaled by masses depend on each other if a singular value is below this fraction of the largest: round-off, with
three digits for masses."""
DEPENDENT_COLUMNS = 1e-8
"""Rows of constraints depend on each other if a singular value is below this fraction of the largest: the root of round-off, because
Jacobians at a closed start are known no better."""
LEFT_OUT_OF_STEPS = 1e-10
"""A Newton step has no component along directions whose singular value is below this fraction of the largest: conditions do not determine
it."""
DEPENDENT_TURNS = 1e-12
"""Rotations of links give velocities the same rates if a singular value is below this fraction of the largest. They are products of given
numbers."""
DEPENDENT_TWISTS = 1e-10
"""Twists that conditions allow depend on each other if a singular value is below this fraction of the largest, at samples closed to
1e-13."""
DEPENDENT_MOTIONS = 1e-8
"""A motion depends on others if the singular value of their unit twists is below this."""
DEPENDENT_LAGS = 1e-8
"""Coefficients of a series depend on the previous ones if a singular value is below this fraction of the largest: the root of round-off."""
FREE_ENOUGH = 0.2
"""The first coordinate in order whose share exceeds this fraction of the freest coordinate's share is taken as independent."""
LOADED = 1e-9
"""A joint is named as overconstrained if a unit self-stress loads it by more than this."""
DEPENDENT_CLOSING = 1e-6
"""A condition is not closed if its singular value is below this fraction of the largest: closing it would move others far."""

# Shared loads
LOADS_INDEPENDENT = 1e-7
"""Load distribution among contacts is not unique if the inverse condition number of the Delassus matrix is below this: the root of
round-off, with a margin."""
LOADS_SHARED = 1e-4
"""The force of a contact is not determined if the normal rows of a null vector exceed this fraction."""

# Singular matrices
NEARLY_SINGULAR = 1e6
"""Condition number of a mass matrix above which round-off grows in accelerations. Below it, this growth is hidden by other round-off."""
LEAST_RATIO = 1e-8
"""Least ratio of singular values that is used, so that condition numbers stay below those that the certificate uses."""
SINGULAR_MASS = 1e-12
"""A mass matrix scaled to unit diagonal is singular if the ratio of its singular values is below this: some thousand round-offs."""
NO_INERTIA = 1e-30
"""A joint moves no inertia if what it moves is below this part of what it would move if all axes had the inertia of its body: the square
of an angle known to ten round-offs."""
INDEFINITE = 1e-9
"""∂²L/∂v² is not positive definite if its least eigenvalue is not above this fraction of the largest entry."""
SIGN_KEPT = 1e-12
"""A row keeps its sign, as a square does, if it crosses zero by less than this fraction of its largest value nearby."""
VANISHES_HERE = 0.1
"""A row vanishes at a state if it is below this fraction of its largest value nearby."""
SINGULAR_START = 1e-13
"""Least eigenvalue of a mass matrix scaled to unit diagonal below which it is singular at a start: some hundred round-offs."""
SINGULAR_PROJECTION = 1e-12
"""Conditions depend on each other if a pivot of the projection is below this fraction of its diagonal."""
BEYOND_SQUARES = 1e-3
"""Ratios of singular values below this are lost in the round-off of their squares. They are then computed without squares."""

# Forms, integrals and null spaces
EXACT_FORM = 1e-8
"""The exterior derivative of a form vanishes on a distribution if it is below this fraction of the form: root of round-off, as derivatives
are of second order."""
DEPENDENT_FORMS = 1e-7
"""Forms of unit length depend on each other if a singular value is below this fraction of the largest: the root of round-off, with a
margin."""
ECHELON_ZERO = 1e-9
"""Entries of a basis in echelon form are zero below this. Its leading entries are one."""
INDEPENDENT_FORMS = 1e-9
"""A form depends on others if its remainder after elimination is below this fraction of the largest entry."""
PIVOT_SERVES = 1e-3
"""A pivot of a formula must exceed this fraction of the largest entry at all samples."""
INDEPENDENT_INTEGRALS = 1e-9
"""A first integral is independent of others if the remainder of its unit gradient exceeds this."""
DEPENDENT_BALANCES = 1e-10
"""A row of powers depends on others if its remainder is below this fraction of it."""
NULL_VECTOR = 1e-9
"""A direction is in the null space if singular values and entries of matrices of order one are below this."""
FAR_CENTERS = 1e3
"""Distance of mass centers from the origin, relative to those between them, above which fields that depend on the mass center are taken
about the middle of the centers: their coefficients are found to round-off times this ratio."""
CLEAN = 1e-11
"""An entry of a null vector is set to zero, or to a multiple of one half, if it is this near to it."""

PARALLEL_MOMENT_AXES = 1e-9
"""Axes are parallel if a singular value is below this fraction of the largest. The point where they meet may then be moved along them."""
AXES_MEET = 1e-8
"""Axes pass through one point if their distance from it is below this, relative to their positions."""

# Charts of rotations
CHART_STARTS = 1e-6
"""Least condition of a chart with which a start is accepted: coordinates are then known to ten digits."""
CHART_LOST = 1e-3
"""A run is lost if the condition of a chart falls below this: rates of its coordinates are a thousand times the angular velocity."""
CHART_LOST_BY_FIXED_STEPS = 0.05
"""The same for fixed steps, which do not become shorter where rates grow."""
CHART_LOST_BY_IDAS = 0.01
"""The same for a run of IDAS, which does not change charts."""
CHART_CHANGES = 0.1
"""A chart is replaced by another one if its condition falls below this."""
CHART_HALFWAY = 0.5
"""Charts whose condition is below this are changed together with it."""
CHART_FRESH = 0.9
"""A chart is as good as new if its condition is above this."""
LOCKED = 1e-14
"""The first and last Euler angles are not determined separately if the sine or cosine of the middle one is below this."""
CHART_SINGULAR = 1e-14
"""A chart has no rates if its condition is below this."""
SINGULAR_SECOND_MOMENT = 1e-12
"""A second moment of an affine body is singular if its least principal value is below this part of the largest: its thickness is then a
millionth of its length, and the rates of deformation across it have hardly any inertia."""
SINGULAR_POINT_BODY = 1e-12
"""The inertia of a point-body is not positive definite if its least eigenvalue is below this part of the largest, in units of its mass and
radius of gyration: solving with it would lose twelve of sixteen digits."""
