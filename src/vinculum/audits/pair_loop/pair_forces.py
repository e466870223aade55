"""Forces of very many pairs: opposite, and equal to finite differences of the energies for some bodies."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.compile.targets import arrays
from vinculum.models.pair_loop.pair_loop import PairGroup
from vinculum.models.pair_loop.type import pair_loop_of
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups
from vinculum.tolerances.certificates import PAIR_FORCES_BY_TWO_ROUTES, PAIRS_OPPOSITE
from vinculum.tolerances.functions import PAIR_FORCE_STEP
from vinculum.tolerances.samples import PAIR_FORCE_BODIES, PAIR_FORCE_INSTANTS

WEIGHTS = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""Central differences of order eight: Fornberg, Math. Comp. 51 (1988) 699."""


def pair_lines(motion: Record) -> list[Line]:
    """Newton's third law for the pairs, and their forces against differences of their energies."""
    time = np.linspace(motion.pieces.begin, motion.pieces.end, PAIR_FORCE_INSTANTS)
    states = motion.pieces.state(time)
    balance = tape_groups(motion, "balance", time, states)
    force, size = balance["pair_force"].reshape(PAIR_FORCE_INSTANTS, -1, 3), balance["pair_size"]
    left = np.abs(force.sum(axis=1)).max(axis=1)
    third = float((left / np.maximum(size.sum(axis=1), np.finfo(float).tiny)).max())
    pairs = pair_loop_of(motion.model).pairs
    return [Line("Newton's third law", third if np.isfinite(third) else np.inf, PAIRS_OPPOSITE, f"forces of {pairs} pairs"),
            _energy_line(motion, time, states, force, size)]  # fmt: skip


def _energy_line(motion: Record, time, states, force, size) -> Line:
    """The largest difference between the forces on some bodies and the derivatives of their pairs' energies, relative to their sizes."""
    pair_loop, names = pair_loop_of(motion.model), list(motion.model.layout.bodies)
    known = pair_loop.known_numbers(motion.values)
    chosen = np.random.default_rng(5).choice(pair_loop.count, min(PAIR_FORCE_BODIES, pair_loop.count), replace=False)
    worst, detail = 0.0, ""
    for k, t in enumerate(time):
        x = states[k, : 3 * pair_loop.count].reshape(-1, 3)
        total = np.zeros((len(chosen), 3))
        for g, group in enumerate(pair_loop.groups):
            numbers = known[f"group {g}"].reshape(len(group.members), -1)
            for i, body in enumerate(chosen):
                if body in group.members:
                    total[i] -= _gradient(
                        group, x, numbers, int(np.flatnonzero(group.members == body)[0]), t, motion.values
                    )
        apart = np.abs(total - force[k, chosen]).max(axis=1) / np.maximum(size[k, chosen], np.finfo(float).tiny)
        apart = np.where(np.isfinite(apart), apart, np.inf)
        if apart.max() > worst:
            worst = float(apart.max())
            detail = f"'{names[chosen[int(np.argmax(apart))]]}' at t = {t:.4g} s"
    reason = f"differences of the energies of all pairs of {len(chosen)} bodies"
    return Line(
        "forces of the pairs",
        worst,
        PAIR_FORCES_BY_TWO_ROUTES,
        reason,
        detail if worst > PAIR_FORCES_BY_TWO_ROUTES else "",
    )


def _gradient(
    group: PairGroup, x: np.ndarray, numbers: np.ndarray, own: int, t: float, values: np.ndarray
) -> np.ndarray:
    """The gradient (3,) of the energies of all pairs of one body, by differences over a small fraction of each
    distance."""
    others = np.delete(np.arange(len(group.members)), own)
    here, there = x[group.members[own]], x[group.members[others]]
    step = PAIR_FORCE_STEP * np.linalg.norm(there - here, axis=1)
    energy = group.tape.slices(group.tape.outputs)["energy"].start
    tail = [np.broadcast_to(numbers[own], (len(others), numbers.shape[1])), numbers[others], np.full((len(others), 1), t),
            np.broadcast_to(values, (len(others), len(values)))]  # fmt: skip
    slope = np.zeros(3)
    for axis in range(3):
        for r, weight in enumerate(WEIGHTS, 1):
            for sign in (1.0, -1.0):
                moved = np.tile(here, (len(others), 1))
                moved[:, axis] += sign * r * step
                found = arrays.evaluate(group.tape, np.concatenate([moved, there, *tail], axis=1))[:, energy]
                slope[axis] += np.sum(sign * weight * found / step)
    return slope
