"""Parts of the momentum balance of bodies of variable mass: impressed forces, increment, constraints, and momentum in transit."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.phases import phases
from vinculum.audits.quadrature import W_KRONROD, X
from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import ROUND_OFF


def with_parts(motion: Record, lines: Sequence[Line]) -> list[Line]:
    r"""The lines, with the parts of the balance of momentum in the details of those of bodies of variable mass.

    .. math:: \dot{\mathcal P} = \mathcal F + \mathcal F_i + \mathcal F_c

    Cheremensky, On Concept of Mechanical System, (15). The momentum in transit is that of mass on its way through the body; as it is
    carried along with the body it is in the increment, what it changes by itself is not.
    """
    masses = motion.model.layout.masses
    if not masses:
        return list(lines)
    parts, transit = _impulses(motion)
    told, apart = {}, ", and contact impulses apart" if motion.model.is_bounded else ""
    for name in masses:
        i = motion.model.layout.bodies[name].index
        sizes = np.linalg.norm(parts[:, i], axis=1)
        sizes[sizes <= SAFETY * ROUND_OFF * sizes.max()] = 0.0
        told[f"momentum of '{name}'"] = (
            f"∫𝓕 dt is {sizes[0]:.4g} N s, of the increment ∫𝓕ᵢ dt {sizes[1]:.4g} N s, of constraints ∫𝓕_c dt {sizes[2]:.4g} N s{apart}"
        )
        carried = f"up to {transit[i]:.3g} N s in transit, whose own changes are left out" if transit[i] else ""
        told[f"mass balance of '{name}'"] = carried
    return [replace(line, detail="; ".join(filter(None, (line.detail, told.get(line.law, ""))))) for line in lines]


def _impulses(motion: Record) -> tuple[np.ndarray, np.ndarray]:
    """Impulses (3, bodies, 3) [N s] of impressed forces, increments and constraints, and the largest momentum in transit (bodies,)."""
    count = len(motion.model.layout.bodies)
    total, transit = np.zeros((3, count, 3)), np.zeros(count)
    for _, part in phases(motion):
        for edges, _ in part.pieces.blocks():
            h = np.diff(edges)
            time = (edges[:-1, None] + h[:, None] * X).ravel()
            states = recorded_states(part, time, part.pieces.state(time))
            found = evaluate_groups(part.model.tape("balance"), tape_rows(part, time, states))
            applied, increment, moving = (
                found[name].reshape(len(time), count, 3) for name in ("applied", "increment", "transit_momentum")
            )
            wrench = found["wrench"].reshape(len(time), count, 6)[..., :3]
            forces = np.stack([applied, increment, wrench - applied - increment])
            weights = (h[:, None] * W_KRONROD).ravel()
            total += np.einsum("pkbi,k->pbi", np.nan_to_num(forces), weights)
            transit = np.maximum(transit, np.linalg.norm(moving, axis=2).max(axis=0))
    return total, transit
