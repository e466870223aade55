"""Round-off: the accuracy of double precision, relative to the largest term."""

# Units of round-off
ROUND_OFF = 2.0**-52
"""The distance from 1 to the next number: half of it bounds the relative error of one operation in double precision."""
HALF_UNIT = 2.0**-53
"""Largest relative error of one rounding: half of the distance between neighboring numbers."""
NEAR_ROUND_OFF = 1e-15
"""Round-off of a few operations, as a round number: about four units."""
TWO_ROUND_OFFS = 4e-16
"""Round-off of the last operation, relative to the largest term: what is below it in a sum is zero."""
TIDY = 1e-15
"""Entries of a pose nearer to a whole number than this, relative to lengths, are it: round-off of one rotation."""

# Round-off of several operations
MOMENT_ROUND_OFF = 16.0 * 2.0**-52
"""Round-off of moments, relative to force times distance from the origin: a dozen products and sums."""
FEW_ROUND_OFFS = 4.0 * 2.0**-52
"""Round-off of a few operations, as of coordinates of which rates are made."""
HUNDRED_ROUND_OFFS = 1e-14
"""Round-off of some hundred operations, relative to their largest term."""
TEN_ROUND_OFFS = 10.0 * 2.0**-52
"""Round-off of a sum of ten terms, relative to the largest."""
CANCELED = 1.0 / 32.0
"""Part of its terms that counts where a speed cancels: five of 52 bits are lost then."""

# Round-off of a whole computation
POSITIONS_ROUND_OFF = 1e-12
"""Round-off of positions and velocities after many operations, relative to the largest: some thousand units."""
QUARTER_TURN = 1e-12
"""Distance from a whole number of quarter turns within which an angle is one, so that frames stay exact."""

# Least and largest numbers
TINY = 2.0**-1022
"""The least normal number: keeps a quotient of zeros finite and changes no other."""
NEXT_TO_ZERO = 1e-300
"""Added to, or the least of, a divisor that may be zero: quotients of zeros stay finite, and no other number changes."""
LARGEST_SQUARED = 1e100
"""Entries of Jacobians below which their squares, and sums of these, are numbers."""
