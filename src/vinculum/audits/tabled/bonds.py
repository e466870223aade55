"""Bonds over tables on a motion: Newton's third law for all rows, and the power of energies against their differences."""

import numpy as np

from vinculum.audits.balances.lines import worst_line
from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import moment_scale
from vinculum.audits.tabled.pair_forces import WEIGHTS, pair_lines
from vinculum.models.layout import Layout
from vinculum.models.tabled.board import Board, Call, all_frames, apply, filled_board, write
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.tolerances.certificates import ACTIONS_PAIRED, PAIR_FORCES_BY_TWO_ROUTES
from vinculum.tolerances.functions import PAIR_FORCE_STEP, SHORTER_STEPS
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import PAIR_FORCE_INSTANTS


def lines_of_bonds(motion: Record) -> list[Line]:
    """Lines of all bonds over tables and in the pair loop. Of Newton's third law the worse one is told."""
    lines: dict[str, Line] = {}
    for line in [*_table_lines(motion), *pair_lines(motion)]:
        lines[line.law] = worst_line([lines[line.law], line]) if line.law in lines else line
    return list(lines.values())


def _table_lines(motion: Record) -> list[Line]:
    """Newton's third law of all bonds between bodies, and −dU/dt of every energy against the power of its forces."""
    tabled = tabled_in(motion.model)
    if not tabled.bonds:
        return []
    time = np.linspace(motion.pieces.begin, motion.pieces.end, PAIR_FORCE_INSTANTS)
    board, Z = filled_board(tabled, tape_rows(motion, time, motion.pieces.state(time)))
    tabled = board.tabled
    for call in all_frames(board):
        write(call, Z)
    paired = [
        (b, bond) for b, bond in enumerate(tabled.bonds) if len(bond) and not _is_external(motion.model.layout, bond)
    ]
    lines = [_third_law(board, Z, paired, time)] if paired else []
    return lines + _power(board, Z, time)


def _is_external(layout: Layout, bond: BondTable) -> bool:
    return layout.actions[bond.names[0]].external or any(bond.grounded)


def _third_law(board: Board, Z: np.ndarray, paired: list[tuple[int, BondTable]], time: np.ndarray) -> Line:
    """The worst of Σ F and Σ (M + x × F) over all rows, relative to the efforts of the row."""
    worst, where, count = 0.0, "", 0
    for b, bond in paired:
        m, e = bond.ends.shape
        efforts = apply(board.bond_call(b, bond.forces), Z)[:, : 6 * e].reshape(len(Z), e, 6, m)
        places = board.frames + FRAME * bond.ends.T[:, None] + np.arange(3)[None, :, None]
        x = Z[:, places]
        force, moment = efforts[:, :, :3], efforts[:, :, 3:]
        arm = x - x.mean(axis=1, keepdims=True)
        turning = moment + np.cross(arm, force, axis=2)
        size = np.maximum(np.abs(force).sum(axis=(1, 2)), np.finfo(float).tiny)
        sizes = (np.abs(moment).sum(axis=2) + np.abs(arm).sum(axis=2) * np.abs(force).sum(axis=2)).sum(axis=1)
        sizes = moment_scale(sizes, np.abs(x).max(axis=(1, 2)), size)
        for part in (
            np.abs(force.sum(axis=1)).max(axis=1) / size,
            np.abs(turning.sum(axis=1)).max(axis=1) / sizes,
        ):
            part = np.where(np.isfinite(part), part, np.inf)
            t, row = np.unravel_index(int(np.argmax(part)), part.shape)
            if part[t, row] > worst:
                worst, where = float(part[t, row]), f"'{bond.names[row]}' at t = {time[t]:.4g} s"
        count += m
    return Line(
        "Newton's third law",
        worst,
        ACTIONS_PAIRED,
        f"forces and moments of {count} bonds in pairs",
        where if worst > ACTIONS_PAIRED else "",
    )


def _power(board: Board, Z: np.ndarray, time: np.ndarray) -> list[Line]:
    """dU/dt along the motion of the ends, by differences of the energies, against minus the power of their forces."""
    worst, where, count = 0.0, "", 0
    for b, bond in enumerate(board.tabled.bonds):
        call = board.bond_call(b, bond.balance)
        found, place = apply(call, Z), bond.balance.slices(bond.balance.outputs)
        if not len(bond) or not np.any(found[:, place["work_size"]]):
            continue
        step = _step(board, Z, bond)
        apart = _power_errors(board, Z, bond, call, found, step)
        for shorter in SHORTER_STEPS:
            if apart.max() > PAIR_FORCES_BY_TWO_ROUTES:
                apart = np.minimum(apart, _power_errors(board, Z, bond, call, found, shorter * step))
        count += len(bond)
        if apart.max() > worst:
            t, row = np.unravel_index(int(np.argmax(apart)), apart.shape)
            worst, where = float(apart[t, row]), f"'{bond.names[row]}' at t = {time[t]:.4g} s"
    if not count:
        return []
    told = where if worst > PAIR_FORCES_BY_TWO_ROUTES else ""
    return [
        Line(
            "power of potentials",
            worst,
            PAIR_FORCES_BY_TWO_ROUTES,
            f"differences of the energies of {count} bonds",
            told,
        )
    ]


def _power_errors(
    board: Board, Z: np.ndarray, bond: BondTable, call: Call, found: np.ndarray, step: float
) -> np.ndarray:
    """|dU/dt + power of the forces − ∂U/∂t| (T, m) of every row, relative to its terms; differences over a ``step`` [s].

    ``found``: what the ``call`` of a bond's balance gives at Z."""
    place = bond.balance.slices(bond.balance.outputs)
    work, slope, size = (found[:, place[name]][:, 0] for name in ("work", "time_slope", "work_size"))
    rate, terms = 0.0, _energy_terms(board, Z, bond, found, place)
    inside, crosses = _are_within_cutoff(board, Z, bond), np.zeros((len(Z), len(bond)), dtype=bool)
    for r, weight in enumerate(WEIGHTS, 1):
        for sign in (1.0, -1.0):
            aside = _advance_ends(board, Z, bond, sign * r * step)
            there = apply(call, aside)
            crosses |= _are_within_cutoff(board, aside, bond) != inside
            rate = rate + sign * weight * there[:, place["energy"]][:, 0] / step
            # a bond without force now, as a spring at its rest length, has one there
            terms = np.maximum(terms, _energy_terms(board, aside, bond, there, place))
    noise = ROUND_OFF * terms / step
    apart = np.abs(rate + work - slope) / np.maximum(size + noise / PAIR_FORCES_BY_TWO_ROUTES, np.finfo(float).tiny)
    # differences across the end of a law tell nothing
    return np.where(crosses, 0.0, np.where(np.isfinite(apart), apart, np.inf))


def _are_within_cutoff(board: Board, Z: np.ndarray, bond: BondTable) -> np.ndarray:
    """Whether the ends of the rows (T, m) of a bond with a cutoff are nearer than that; of others all are."""
    if not np.isfinite(bond.ends_at):
        return np.ones((len(Z), len(bond)), dtype=bool)
    x = Z[:, board.frames + FRAME * bond.ends[..., None] + np.arange(3)]
    return ((x[:, :, 0] - x[:, :, 1]) ** 2).sum(axis=2) < bond.ends_at**2


def _energy_terms(
    board: Board, Z: np.ndarray, bond: BondTable, found: np.ndarray, place: dict[str, slice]
) -> np.ndarray:
    """|U| + Σ |F| |x| + Σ |∂U/∂R| [J] of every row (T, m), which the round-off of an energy is measured against: it sees rounded
    positions and rotations. Where a torsion spring is slack, it has no moment, but ∂U/∂R is about its stiffness."""
    x = np.abs(Z[:, board.frames + FRAME * bond.ends[..., None] + np.arange(3)]).max(axis=3)
    force = np.abs(found[:, place["efforts"]]).reshape(len(Z), bond.ends.shape[1], 6, -1)[:, :, :3].sum(axis=2)
    terms = (force + found[:, place["moment_sizes"]]).transpose(0, 2, 1) * (1.0 + x)
    return np.abs(found[:, place["energy"]][:, 0]) + terms.sum(axis=2)


def _step(board: Board, Z: np.ndarray, bond: BondTable) -> float:
    """A time in which no end of a bond moves or turns by more than a small part of the bond's extent."""
    frames = Z[:, board.frames + FRAME * bond.ends[..., None] + np.arange(FRAME)]
    x, v, w = frames[..., :3], frames[..., 12:15], frames[..., 15:]
    reach = np.abs(x - x.mean(axis=2, keepdims=True)).max() if bond.ends.shape[1] > 1 else np.abs(x).max()
    strains = [np.abs(Z[:, places[9:]]).max() for places in board.deformations_of(bond, bond.balance)]
    pace = max(
        float(np.abs(v).max() / max(reach, np.finfo(float).tiny)),
        float(np.abs(w).max()),
        *strains,
        np.finfo(float).tiny,
    )
    return PAIR_FORCE_STEP / pace


def _advance_ends(board: Board, Z: np.ndarray, bond: BondTable, s: float) -> np.ndarray:
    """Boards in which the ends of a bond, and the time, went on for s [s] with constant velocities."""
    Z = Z.copy()
    bodies = np.unique(bond.ends)
    first = board.frames + FRAME * bodies[:, None]
    x, R, v, w = (Z[:, first + np.arange(*part)] for part in ((0, 3), (3, 12), (12, 15), (15, 18)))
    angle = np.linalg.norm(s * w, axis=2)[..., None, None]
    K = np.zeros((*w.shape[:2], 3, 3))
    for i, j, k, sign in ((2, 1, 0, 1), (1, 2, 0, -1), (0, 2, 1, 1), (2, 0, 1, -1), (1, 0, 2, 1), (0, 1, 2, -1)):
        K[..., i, j] = sign * s * w[..., k]
    turn = np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * K @ K
    Z[:, first + np.arange(3)] = x + s * v
    Z[:, first + np.arange(3, 12)] = (turn @ R.reshape(*R.shape[:2], 3, 3)).reshape(R.shape)
    for places in board.deformations_of(bond, bond.balance):
        phi, rate = places[:9], places[9:]
        which = np.unique(phi[0], return_index=True)[1]
        Z[:, phi[:, which]] += s * Z[:, rate[:, which]]
    Z[:, board.states] += s
    return Z
