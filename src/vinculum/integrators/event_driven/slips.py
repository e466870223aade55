"""Sliding velocities at unilateral constraints as vectors in the world."""

from collections.abc import Callable, Collection

import numpy as np

from vinculum.bonds.unilaterals import contact_frame, slip_velocity
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.models.model import Model
from vinculum.scalars import symbol, symbols
from vinculum.systems import placements, with_bases
from vinculum.systems.unilaterals import unilateral_views


def slip_tape(model: Model):
    """Tape of the sliding velocities (3,) [m/s] of all unilateral constraints with friction, by name, as functions of state and time."""
    assert model.tree is not None
    tree = with_bases(model.tree)
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    outside = tree.at(t, q)
    placed, found = placements(outside, q, v), {}
    for one in tree.unilaterals:
        if one.unilateral.friction is not None:
            views = unilateral_views(outside, one, placed, q, v)
            _, point, frame = contact_frame(one.unilateral, views, t)
            found[one.unilateral.name] = list((frame[1:] @ slip_velocity(views, point)) @ frame[1:])
    return trace({"q": q, "v": v, "t": np.array([t])}, found, model.parameters)


def slips_at(tape, t: float, state: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
    """Sliding velocities (3,) [m/s] at a state, by the names of their unilateral constraints."""
    found = arrays.evaluate(tape, np.concatenate([state, [t], values])[None])[0]
    return {name: found[3 * k : 3 * k + 3] for k, (name, _) in enumerate(tape.outputs)}


def chosen_slips(tape, values: np.ndarray, names: Collection[str]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Function for the sliding velocities (B, c, 3) [m/s] of some unilateral constraints, for states (B, n) at instants (B,)."""
    places = [k for k, (name, _) in enumerate(tape.outputs) if name in names]

    def slips(states: np.ndarray, times: np.ndarray) -> np.ndarray:
        given = np.broadcast_to(values, (len(times), len(values)))
        return arrays.evaluate(tape, np.column_stack([states, times, given])).reshape(len(times), -1, 3)[:, places]

    return slips
