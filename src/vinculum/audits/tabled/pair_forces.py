"""Forces of very many pairs: opposite, and equal to finite differences of the energies for some bodies."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.compile.targets import arrays
from vinculum.models.tabled.board import Board, all_frames, write
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.pair_loop.pair_loop import PairGroup, PairLoop
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups, tape_rows
from vinculum.tolerances.certificates import PAIR_FORCES_BY_TWO_ROUTES, PAIRS_OPPOSITE
from vinculum.tolerances.functions import PAIR_FORCE_STEP
from vinculum.tolerances.samples import PAIR_FORCE_BODIES, PAIR_FORCE_INSTANTS

WEIGHTS = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""Central differences of order eight: Fornberg, Math. Comp. 51 (1988) 699."""


def pair_lines(motion: Record) -> list[Line]:
    """Newton's third law for the pairs of a pair loop, and their forces against differences of their energies."""
    loop = tabled_in(motion.model).pair_loop
    if loop is None:
        return []
    time = np.linspace(motion.pieces.begin, motion.pieces.end, PAIR_FORCE_INSTANTS)
    states = motion.pieces.state(time)
    balance = tape_groups(motion, "balance", time, states)
    force, size = balance["pair_force"].reshape(PAIR_FORCE_INSTANTS, -1, 3), balance["pair_size"]
    left = np.abs(force.sum(axis=1)).max(axis=1)
    third = float((left / np.maximum(size.sum(axis=1), np.finfo(float).tiny)).max())
    third = third if np.isfinite(third) else np.inf
    return [Line("Newton's third law", third, PAIRS_OPPOSITE, f"forces of {loop.pairs} pairs"),
            _energy_line(motion, loop, time, states, force, size)]  # fmt: skip


def _energy_line(motion: Record, loop: PairLoop, time, states, force, size) -> Line:
    """The largest difference between the forces on some bodies and the derivatives of their pairs' energies, relative to their sizes."""
    names, known, points = list(motion.model.layout.bodies), loop.known_numbers(motion.values), np.unique(loop.members)
    chosen = np.random.default_rng(5).choice(points, min(PAIR_FORCE_BODIES, len(points)), replace=False)
    positions = _positions(motion, time, states)
    worst, detail = 0.0, ""
    for k, t in enumerate(time):
        x = positions[k]
        total = np.zeros((len(chosen), 3))
        for group, numbers in zip(loop.groups, known, strict=True):
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


def _positions(motion: Record, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Origins (T, n, 3) of all bodies."""
    board = Board(tabled_in(motion.model))
    Z = board.fill(tape_rows(motion, time, states))
    for call in all_frames(board):
        write(call, Z)
    return Z[:, board.frames : board.wrenches].reshape(len(Z), -1, FRAME)[:, :, :3]


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
