"""Exchanges of mass points whose pairs run as a loop: forces on points, by pair action, by every other action, and weights."""

import numpy as np

from vinculum.audits.exchanges.by_type import Sampled
from vinculum.equations.observables.exchanges import GRAVITY, WIDTH
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows


def sample_points(
    record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
) -> Sampled:
    """What points exchange at states (T, n). Forces of pairs act on every point; those between the chosen ones cancel in their sum."""
    layout, T, n = record.model.layout, len(time), len(record.model.layout.bodies)
    chosen, place = np.zeros(n + 1, dtype=bool), {name: entry.index for name, entry in layout.bodies.items()}
    chosen[list(bodies)] = True
    x, v = states[:, : 3 * n].reshape(T, n, 3), states[:, 3 * n :].reshape(T, n, 3)
    rows = tape_rows(record, time, states, stretch)
    tape = record.model.tape("bonds")
    efforts, mass, gravity = (
        tape.groups(rows),
        tape.numbers_by_row(rows, "masses"),
        tape.numbers_by_row(rows, "gravity"),
    )
    ground = np.zeros((T, 1, 3))
    # the ground has the number −1, and stands behind the last point
    at, moving = np.concatenate([x, ground], axis=1), np.concatenate([v, ground], axis=1)
    names, inside, on, sizes, back = [], [], [], [], []
    for name, entry in layout.actions.items():
        ends = np.array([place.get(end, -1) for end in entry.bodies])
        own = chosen[ends]
        if not own.any():
            continue
        both = efforts[f"{name}/efforts"].reshape(T, len(ends), 6)
        exchanged = _exchanges(both[..., :3], at[:, ends], moving[:, ends])
        exchanged[..., 3:6] += both[..., 3:]
        names.append(name)
        inside.append(bool(own.all()) and not entry.external)
        on.append(exchanged[:, own].sum(axis=1))
        sizes.append(np.abs(exchanged[:, own]).sum(axis=1))
        back.append(-on[-1][:, :6] if entry.external else exchanged[:, ~own, :6].sum(axis=1))
    weights = _exchanges(mass[..., None] * gravity[:, None], x, v)[:, list(bodies)]
    names.append(GRAVITY)
    inside.append(False)
    on.append(weights.sum(axis=1))
    sizes.append(np.abs(weights).sum(axis=1))
    back.append(-on[-1][:, :6])
    momentum = mass[..., None] * v
    screws = np.concatenate([momentum, np.cross(x, momentum)], axis=2)
    kinetic = 0.5 * np.einsum("tni,tni->tn", momentum, v)
    motions = np.concatenate([screws, kinetic[..., None], mass[..., None], x], axis=2)
    on, sizes, back = (np.stack(one, axis=1) for one in (on, sizes, back))
    return Sampled(tuple(names), tuple(inside), on, sizes, back, motions[:, list(bodies)])


def _exchanges(force: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Exchanges (T, n, 7) at the world's origin of forces on points at x with velocities v, (T, n, 3) each."""
    found = np.empty((*force.shape[:2], WIDTH))
    found[..., :3], found[..., 3:6], found[..., 6] = force, np.cross(x, force), (force * v).sum(axis=2)
    return found
