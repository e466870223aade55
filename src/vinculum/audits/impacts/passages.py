"""No shape passes through another: paths of the centers of shapes relative to thin walls and whole shapes."""

from collections.abc import Callable

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.integrators.free_bodies.passages import Passages
from vinculum.integrators.moreau.contacts import shape_places
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import NOTHING_PASSED
from vinculum.tolerances.sizes import MOST_LEGS, STEPS_OF_A_BLOCK

Places = tuple[np.ndarray, Callable[[], np.ndarray]]


def passage_lines(motion: Record) -> list[Line]:
    """No center of a shape of a tree goes through a thin wall or a whole shape between two ends of pieces. No line if there is neither."""
    shapes = motion.model.shapes
    if shapes is None:
        return []
    names = list(motion.model.layout.shapes)[: shapes.moving]
    return lines_of_passages(motion, Passages(shapes, shapes.pairs >= 0), names, lambda t: _of_tree(motion, t))


def lines_of_passages(
    motion: Record, through: Passages, names: list[str], places: Callable[[np.ndarray], Places]
) -> list[Line]:
    """The line for passages through others. If there are very many legs, several are merged. Then only thin walls are checked, because
    bodies may exchange positions in the meantime."""
    if not through.needed:
        return []
    times = np.asarray(motion.pieces.times)
    every = max(1, -(-len(times) * len(names) // MOST_LEGS))
    times, told = times[::every], ""
    for k in range(0, len(times) - 1, STEPS_OF_A_BLOCK):
        instants = times[k : k + STEPS_OF_A_BLOCK + 1]
        centers, axes = places(instants)
        gone = through.first(centers, axes) if every == 1 else through.first_of_thin(centers)
        if gone is not None:
            leg, body, other = gone
            what = f"wall {other - len(names) + 1}" if other >= len(names) else f"'{names[other]}'"
            told = f"'{names[body]}' through {what} after t = {instants[leg]:.9g} s"
            break
    reason = f"paths of centers in {len(times) - 1} legs"
    return [Line("nothing goes through others", float(bool(told)), NOTHING_PASSED, reason, told)]


def _of_tree(motion: Record, times: np.ndarray) -> Places:
    states = motion.model.on_charts(recorded_states(motion, times, motion.pieces.state(times)))
    centers, axes = shape_places(motion.model, tape_rows(motion, times, states))
    return centers, lambda: axes
