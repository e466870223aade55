"""Boundary-value problems of stationary action."""

CURVES = 1e-8
"""Default change of a curve, relative to one or to its size, when its mesh is refined for the last time. The last mesh is better."""
DEGREE = 8
"""Degree of the polynomials on an element: smooth curves reach round-off with a few elements, and a corner costs few unknowns."""
FIRST_ELEMENTS = 3
"""Elements of the first mesh, which is then halved once in any case."""
REFINEMENTS = 24
"""Most refinements: an element at a jump of a second derivative is then below 1e-7 of the whole time."""
MOST_ELEMENTS = 600
"""Most elements: some 5000 unknowns for each coordinate."""
IPOPT_TOLERANCE = 1e-12
"""Optimality and violation of conditions at which IPOPT ends: below it round-off of sums of a few hundred terms decides."""
IPOPT_ACCEPTED = 1e-9
"""The same that is accepted if a few further steps do not help. The comparison of two meshes measures what is left."""
IPOPT_ITERATIONS = 1000
"""Most steps of IPOPT. Smooth problems need some tens."""
MET = 1e-6
"""A condition can be met if least squares of its violation leave less than this, relative to numbers of order one: squares of 1e-12 are
the accuracy of IPOPT."""
END_ON_CONSTRAINT = 1e-9
"""Gap of a constraint on positions at an end that a user types with nine digits."""
NEGATIVE_SECOND_VARIATION = 1e-7
"""Second variation, relative to the largest second derivatives, below whose negative an action is not least. Up to a conjugate point it is
zero at least; the curve and its multipliers, and thus second derivatives, are known to `IPOPT_ACCEPTED` or to the default `CURVES`."""
DESCENTS = 4
"""Most moves from a curve whose action is stationary and not least. One suffices unless another such curve is met."""
LENGTH_OF_A_DESCENT = 0.1
"""Length of such a move, relative to one or to the size of the curve: far beyond round-off, and near enough for IPOPT to follow."""
MOST_UNKNOWNS_OF_A_VARIATION = 1500
"""Most unknowns of a mesh on which the second variation is examined, by a full matrix: a second of work. Finer meshes add short waves,
whose second variation has the sign that those of the mesh before have (Legendre's condition)."""
