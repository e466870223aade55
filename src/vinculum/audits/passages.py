"""Nothing goes through thin walls: the ways of the centers of shapes against planes with two sides, meshes and height fields."""

from collections.abc import Callable

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.contact_rows import shape_motions
from vinculum.kernels.pile_tape import matrices
from vinculum.motion import Motion
from vinculum.motion.pile_passages import Passages, centers_of_shapes
from vinculum.motion.states import recorded_states, tape_rows

LEGS, BLOCK = 2_000_000, 200
PASSED = 1e-4


def passage_lines(motion: Motion) -> list[Line]:
    """No center of a shape goes through a thin wall between two ends of pieces; no line where there is none."""
    pile, shapes = motion.model.pile, motion.model.shapes
    if pile is not None:
        return _lines(motion, Passages(pile), list(motion.model.layout["bodies"]), lambda t: _of_pile(motion, t))
    if shapes is not None:
        names = list(motion.model.layout["shapes"])[: shapes.moving]
        return _lines(motion, Passages(shapes, shapes.pairs >= 0), names, lambda t: _of_tree(motion, t))
    return []


def _lines(
    motion: Motion, through: Passages, names: list[str], centers: Callable[[np.ndarray], np.ndarray]
) -> list[Line]:
    if not through.needed:
        return []
    times = np.asarray(motion.pieces.times)
    times = times[:: max(1, -(-len(times) * len(names) // LEGS))]
    told = ""
    for k in range(0, len(times) - 1, BLOCK):
        instants = times[k : k + BLOCK + 1]
        gone = through.first(centers(instants))
        if gone is not None:
            leg, body, wall = gone
            told = f"'{names[body]}' through wall {wall - len(names) + 1} after t = {instants[leg]:.9g} s"
            break
    return [
        Line(
            "nothing goes through surfaces",
            float(bool(told)),
            PASSED,
            f"ways of centers in {len(times) - 1} legs",
            told,
        )
    ]


def _of_pile(motion: Motion, times: np.ndarray) -> np.ndarray:
    pile = motion.model.pile
    assert pile is not None
    q = motion.pieces.state(times)[:, : 7 * pile.count].reshape(len(times), pile.count, 7)
    R = matrices(q[..., 3:])
    return centers_of_shapes(pile, q[..., :3] + np.einsum("knij,nj->kni", R, pile.centers), R)


def _of_tree(motion: Motion, times: np.ndarray) -> np.ndarray:
    states = motion.model.on_charts(recorded_states(motion, times, motion.pieces.state(times)))
    return shape_motions(motion.model, tape_rows(motion, times, states)).centers
