"""Round-off: the accuracy of double precision, relative to the largest term."""

# Units of round-off
ROUND_OFF = 2.0**-52
"""The distance from 1 to the next number: half of it bounds the relative error of one operation in double precision."""
HALF_UNIT = 2.0**-53
"""Largest relative error of one rounding: half of the distance between neighboring numbers."""
NEAR_ROUND_OFF = 1e-15
"""Round-off of a few operations, as a round number: about four units."""
TWO_ROUND_OFFS = 4e-16
"""Round-off of the last operation, relative to the largest term: smaller sums are zero."""
TIDY = 1e-15
"""Entries of a pose are set to a whole number if they are nearer to it than this, relative to lengths: round-off of one rotation."""

# Round-off of several operations
MOMENT_ROUND_OFF = 16.0 * 2.0**-52
"""Round-off of moments, relative to force times distance from the origin: a dozen products and sums."""
FEW_ROUND_OFFS = 4.0 * 2.0**-52
"""Round-off of a few operations, such as differences of coordinates that give rates."""
HUNDRED_ROUND_OFFS = 1e-14
"""Round-off of some hundred operations, relative to their largest term."""
TEN_ROUND_OFFS = 10.0 * 2.0**-52
"""Round-off of a sum of ten terms, relative to the largest."""
CANCELED = 1.0 / 32.0
"""Least fraction of its terms that a speed counts as if these cancel: five of 52 bits are lost then."""

# Round-off of a whole computation
POSITIONS_ROUND_OFF = 1e-12
"""Round-off of positions and velocities after many operations, relative to the largest: some thousand units."""
QUARTER_TURN = 1e-12
"""An angle is a whole number of quarter turns if it is this near to one. Frames then stay exact."""
NO_EFFORT = 1e-6
"""Forces and moments this small, relative to the largest of their kind in a motion, are drawn as none: their arrows would be less than a
pixel long."""

# Least and largest numbers
TINY = 2.0**-1022
"""The least normal number: keeps a quotient of zeros finite and changes no other."""
NOISE_OF_EVENTS = 4 * ROUND_OFF
"""Relative changes of the state that round-off of a step makes; an event function that stays within what they do to it has no sign."""
NEXT_TO_ZERO = 1e-300
"""Least value of a divisor that may be zero, or added to it: quotients of zeros stay finite, and no other number changes."""
LARGEST_SQUARED = 1e100
"""Entries of Jacobians below this have finite squares and finite sums of squares."""
