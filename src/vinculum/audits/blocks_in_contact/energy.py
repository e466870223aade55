r"""Energy of blocks in contact: what contacts and forces do in steps, and the known errors of time stepping.

A step moves coordinates along v to its middle q_m, where velocities change, and along v' to its end. So its energy changes by

.. math:: E(q', v') - E(q, v) = \underbrace{h\,\bar v^T M \bar a + P\cdot\bar u}_{\text{in the middle}} +
    \bigl[E\bigr]_{(q, v)}^{(q_m, v)} + \bigl[E\bigr]_{(q_m, v')}^{(q', v')}

with the means of velocities before and after the impulses. The first term is the work of all forces and contacts. The others are what
straight halves change; without impulses they balance the work of conservative forces up to the error of the step. Corrections of
penetration are part of them. Moreau, An expression of classical dynamics, (8.10).
"""

from typing import NamedTuple

import numpy as np

from vinculum.audits.blocks_in_contact.steps import BlockStep, whole_steps
from vinculum.audits.blocks_in_contact.unilaterals import work_of_unilaterals
from vinculum.audits.certificate import Line
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.board import Board, apply, filled_board, frames_call, write
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups, tape_rows
from vinculum.tolerances.certificates import ENERGY_GAINED
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.samples import BODY_STEPS_OF_ENERGY
from vinculum.tolerances.sizes import NUMBERS_OF_A_WINDOW


class _Steps(NamedTuple):
    """Some steps: their numbers (k,), beginnings and lengths [s], and states (k, n) at their beginnings, middles and ends."""

    numbers: np.ndarray
    begin: np.ndarray
    h: np.ndarray
    start: np.ndarray
    middle: np.ndarray
    end: np.ndarray


class _Energies(NamedTuple):
    """Energies [J] (k,) of steps: changes, works of contacts and of other forces, what straight halves change, kinetic energies, and the
    sizes of energies."""

    change: np.ndarray
    contacts: np.ndarray
    forces: np.ndarray
    halves: np.ndarray
    kinetic: np.ndarray
    level: np.ndarray


def energy_line(motion: Record, chosen: list[BlockStep]) -> Line:
    """The change of energy that neither work nor known errors of steps explain, summed over steps. Where conditions or bodies that carry
    others on a given motion answer impulses, it is that of the ``chosen`` steps."""
    answered = bool(tabled_in(motion.model).conditions) or _is_carried(motion, chosen)
    if answered:
        numbers = np.array([one.number for one in chosen])
        moved = np.array([one.change - one.unexplained_change() for one in chosen])
        found = _energies(motion, _steps(motion, numbers), moved)
    else:
        numbers, most = whole_steps(motion), max(1, BODY_STEPS_OF_ENERGY // len(motion.model.layout.bodies))
        numbers = numbers[np.unique(np.linspace(0, len(numbers) - 1, min(most, len(numbers))).astype(int))]
        size = max(1, NUMBERS_OF_A_WINDOW // (motion.model.nq + motion.model.nv))
        parts = [_energies(motion, _steps(motion, numbers[k : k + size])) for k in range(0, len(numbers), size)]
        found = _Energies(*(np.concatenate(x) for x in zip(*parts, strict=True)))
    left = np.cumsum(found.change - found.contacts - found.forces - found.halves)
    left = np.sign(left) * np.maximum(np.abs(left) - HUNDRED_ROUND_OFFS * found.level.max(), 0.0)
    size = max(
        float(found.kinetic.max()), float(np.abs(np.cumsum(found.change)).max()), _weights(motion), np.finfo(float).tiny
    )
    worst = int(np.argmax(np.abs(left))) if np.all(np.isfinite(left)) else 0
    off = float(np.abs(left[worst])) / size if np.isfinite(left[worst]) else np.inf
    if answered:
        reason = f"work of forces, contacts and reactions in {len(numbers)} steps, and what the steps are known to miss"
    else:
        errors = float(np.abs(np.cumsum(found.halves + found.forces)).max()) / size
        reason = (
            f"contacts do {found.contacts.sum():.3g} J of work in {len(numbers)} steps; forces without energy, and what steps are known to "
            f"miss, {errors:.1e}"
        )
    end = float(np.asarray(motion.pieces.times)[numbers[worst] + 1])
    detail = f"until t = {end:.9g} s" if off > ENERGY_GAINED else ""
    return Line("energy balance", off, ENERGY_GAINED, reason, detail)


def _weights(motion: Record) -> float:
    """The energy m (|g| h)² [J] of all bodies that fall for a step."""
    begin = np.array([motion.pieces.begin])
    masses = tape_groups(motion, "balance", begin, motion.pieces.state(begin))["mass"].sum()
    return float(masses) * (block_shapes_of(motion.model).pull * (motion.method.step or 0.0)) ** 2


def _is_carried(motion: Record, chosen: list[BlockStep]) -> bool:
    """Whether kinetic energies have terms linear in the velocities, as those of bodies on a base with a given motion have."""
    nq, time = motion.model.nq, np.array([one.begin + one.h for one in chosen])
    states = np.array([one.end for one in chosen])
    back = np.concatenate([states[:, :nq], -states[:, nq:]], axis=1)
    one, other = (tape_groups(motion, "balance", time, x)["kinetic"] for x in (states, back))
    return bool(np.any(np.abs(one - other) > HUNDRED_ROUND_OFFS * np.abs(one).max()))


def _steps(motion: Record, numbers: np.ndarray) -> _Steps:
    edges = np.asarray(motion.pieces.times)
    begin, h = edges[numbers], edges[numbers + 1] - edges[numbers]
    if len(numbers) and np.all(np.diff(numbers) == 1):
        c = np.asarray(motion.pieces.coefficients[int(numbers[0]) : int(numbers[-1]) + 1])
    else:
        c = np.array([np.asarray(motion.pieces.coefficients[int(k)]) for k in numbers])
    middle, end = (c[:, :, 0] + x * c[:, :, 1] + x * x * c[:, :, 2] for x in (0.5 * h[:, None], h[:, None]))
    start, middle, end = (motion.model.on_charts(x) for x in (c[:, :, 0], middle, end))
    return _Steps(numbers, begin, h, start, middle, end)


def _energies(motion: Record, steps: _Steps, moved: np.ndarray | None = None) -> _Energies:
    """The energies of some steps. ``moved`` (k, nv): changes of velocities in the middles by forces and contacts together, if they are
    known; their whole work then counts as that of forces."""
    nq, middle = motion.model.nq, steps.begin + 0.5 * steps.h
    v, after = steps.start[:, nq:], steps.end[:, nq:]
    mean, place = 0.5 * (v + after), steps.middle[:, :nq]

    def energy(time: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Kinetic and potential energies (2, k)."""
        found = tape_groups(motion, "balance", time, states)
        return np.stack([found["kinetic"][:, 0], found["potential"][:, 0]])

    def at(velocities: np.ndarray) -> np.ndarray:
        return np.concatenate([place, velocities], axis=1)

    first, last = energy(steps.begin, steps.start), energy(steps.begin + steps.h, steps.end)
    arrived, left = energy(middle, at(v)), energy(middle, at(after))
    if moved is None:
        rates = [
            np.concatenate(list(tape_groups(motion, "motion", middle, at(x)).values()), axis=1)[:, nq:]
            for x in (v, after)
        ]
        change, contacts = steps.h[:, None] * 0.5 * (rates[0] + rates[1]), _work_of_contacts(motion, steps, at(mean))
    else:
        change, contacts = moved, np.zeros(len(v))
    both = [energy(middle, at(mean + sign * change))[0] for sign in (1.0, -1.0)]
    forces = 0.5 * (both[0] - both[1])  # v̄ᵀ M Δv
    halves = (arrived - first + last - left).sum(axis=0)
    kinetic, level = np.abs(last[1] - first[1]) + first[0], np.abs(first).sum(axis=0)
    return _Energies((last - first).sum(axis=0), contacts, forces, halves, kinetic, level)


def _work_of_contacts(motion: Record, steps: _Steps, states: np.ndarray) -> np.ndarray:
    """P · ū and M · ω̄ (k,) [J] of the recorded contacts of steps, for states (k, n) in their middles with mean velocities. What contacts do
    on given motions is no work on the blocks."""
    solver, shapes, k = motion.contact_solver, block_shapes_of(motion.model), len(steps.numbers)
    assert solver is not None and solver.pressing is not None
    rows, work = solver.pressing, np.zeros(k)
    rows, bounded = rows.split(len(shapes.kinds))
    work += work_of_unilaterals(motion, steps.numbers, steps.begin + 0.5 * steps.h, states, bounded)
    own = np.flatnonzero(np.isin(rows.contact_solver, steps.numbers))
    if not len(own):
        return work
    step = np.searchsorted(steps.numbers, rows.contact_solver[own])
    bodies, place, P, M = rows.bodies[own], rows.places[own], rows.impulses[own], rows.moments[own]
    nq, time = motion.model.nq, steps.begin + 0.5 * steps.h
    still = np.concatenate([states[:, :nq], np.zeros_like(states[:, nq:])], axis=1)
    boards = []
    for one in (states, still):
        board, Z = filled_board(tabled_in(motion.model), tape_rows(motion, time, one))
        for kind in range(len(board.tabled.kinds)):
            write(frames_call(board, kind), Z)
        boards.append((board, Z))
    for side, sign in ((0, 1.0), (1, -1.0)):
        mine = np.flatnonzero(bodies[:, side] < shapes.moving)
        of = shapes.bodies[bodies[mine, side]]
        (u, w), (drift, turned) = (_point_velocities(b, Z, step[mine], of, place[mine]) for b, Z in boards)
        each = np.einsum("ck,ck->c", P[mine], u - drift) + np.einsum("ck,ck->c", M[mine], w - turned)
        np.add.at(work, step[mine], sign * each)
    return work


def _point_velocities(board: Board, Z: np.ndarray, step: np.ndarray, body: np.ndarray, place: np.ndarray):
    """Velocities (C, 3) of points of bodies, and their angular velocities (C, 3), in the rows ``step`` of a board."""
    at = Z[:, board.frames : board.wrenches].reshape(len(Z), -1, FRAME)[step, body]
    arm = place - at[:, :3]
    found = np.cross(at[:, 15:18], arm)
    for k, kind in enumerate(board.tabled.kinds):
        if not kind.deforms:
            continue
        row = np.full(board.tabled.bodies, -1)
        row[kind.bodies[:, 0]] = np.arange(len(kind))
        own = np.flatnonzero(row[body] >= 0)
        both = apply(board.kind_call(k, "deformations"), Z).transpose(0, 2, 1).reshape(len(Z), len(kind), 2, 3, 3)
        phi, rate = (both[step[own], row[body[own]], part] for part in (0, 1))
        found[own] = np.einsum("cij,cj->ci", rate, np.linalg.solve(phi, arm[own][:, :, None])[:, :, 0])
    return at[:, 12:15] + found, at[:, 15:18]
