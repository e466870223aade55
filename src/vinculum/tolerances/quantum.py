"""Quantum states on manifolds."""

LEVELS = 1e-9
"""Default agreement of two expansions, relative to the largest level asked for, or to the norm of a packet. Both converge geometrically, so
that the last one is better; round-off of dense eigenvalues is near 1e-13."""
FINER = 1.5
"""Ratio of the sizes of two expansions that are compared: each step multiplies the digits by it where convergence is geometric."""
RITZ = 1e-13
"""Round-off of an eigenvalue, relative to the largest one asked for: what a few hundred rotations of order one leave."""
SAME_LEVEL = 1e-9
"""Levels are one, degenerate, if they differ by less than this fraction of the largest one asked for: that is the default agreement."""
JOINED_ENDS = 1e-9
"""Difference of metric or potential at both ends of a periodic coordinate, relative to one or to their size: π typed with nine digits."""
ONE_NODE = 1e-9
"""Nodes of a mesh are one place if they are nearer than this, in units of the range or radius; nodes are at least 1e-4 apart."""
ELEMENTS_ALONG = 40
"""Elements along each coordinate if none are given: levels are good to about 1e-5."""
PACKET_STATES = 64
"""States that the first expansion of a wave packet can tell apart."""
HERMITE_ENDS = 7.5
"""Widths from the manifold at which integrals across a confining oscillator end: exp(−7.5²) is below round-off."""
HERMITE_LEAST = 5.0
"""Fewest such widths that must fit before the nearest center of curvature: exp(−5²) = 1e-11 of the probability lies beyond."""
BEFORE_FOCUS = 0.98
"""Part of the distance to the nearest center of curvature in which normals do not meet that integrals use."""
NORMAL_FRAMES = 200
"""Sets of random vectors that are tried as references of normals; the one that is farthest from the tangents is used."""
NORMALS_APART = 0.1
"""Least singular value of the normal parts of references: with less, normals rotate fast somewhere and their tube needs many functions."""
EXCITED = 0.5
"""A confined state is transversally excited if its mean number of transversal quanta exceeds this."""
CONFINED_LEVELS = 1e-10
"""Default accuracy of levels of a confined particle, relative to the spread of the tangential ones: extrapolation in κ^(−1/2) then keeps
eight digits."""
TAIL = 0.1
"""An expansion is refined along a coordinate if the share of its fastest functions there is above this fraction of the largest such share:
those of the others change the levels less than the refined ones still do."""
ORTHOGONAL = 1e-15
"""Coordinates are orthogonal if |g^ij| is below this fraction of √(g^ii g^jj) everywhere: round-off, whose integrals change no level."""
