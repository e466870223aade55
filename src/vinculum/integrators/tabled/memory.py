"""Memory of runs with long states."""

from vinculum.integrators.dop853.coefficients import EXTENDED, POWER
from vinculum.tolerances.sizes import LOOP_NUMBERS_PER_CHUNK, MOST_STEPS_PER_CHUNK


def steps_of_a_chunk(numbers: int) -> int:
    """Steps that are taken between two checks, of a state of so many ``numbers``."""
    return min(max(LOOP_NUMBERS_PER_CHUNK // (8 * max(numbers, 1)), 1), MOST_STEPS_PER_CHUNK)


def bytes_of_steps(numbers: int) -> int:
    """Bytes for the stages of a step and one chunk of steps, with their dense output, of a state of so many ``numbers``."""
    return 8 * numbers * (EXTENDED + 2 * steps_of_a_chunk(numbers) * (1 + POWER))
