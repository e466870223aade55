"""Sensitivity of the balanced quantities of many blocks: one number of every block is changed at a time, in all blocks at once."""

from collections.abc import Sequence

import numpy as np

from vinculum.models.tabled.board import Board, all_frames, apply, filled_board, write
from vinculum.models.tabled.kinds import FRAME, Kind
from vinculum.models.tabled.pair_sums import add_forces
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.tolerances.functions import SENSITIVITY_STEP
from vinculum.tolerances.samples import SENSITIVITY_INSTANTS


def tabled_sensitivities(motion: Record, sizes: np.ndarray, deviations: Sequence[np.ndarray]) -> list[np.ndarray]:
    r"""The root of Σ (∂L/∂xᵢ δxᵢ)² for every balanced quantity, (m,), for each of the deviations δx (n,).

    Momenta and kinetic energies depend on the block of xᵢ alone, and the energy of bonds changes by minus the work of their forces:
    :math:`\delta U = -F\cdot\delta x - M\cdot\delta\theta`. The result is the largest over some instants of the motion. Differences are
    taken over a millionth of ``sizes`` (n,). The order is that of `quantities.Samples`.
    """
    tabled = tabled_in(motion.model)
    time = np.linspace(motion.pieces.begin, motion.pieces.end, SENSITIVITY_INSTANTS)
    rows = tape_rows(motion, time, motion.pieces.state(time))
    board, Z = filled_board(tabled, rows)
    for call in all_frames(board):
        write(call, Z)
    add_forces(board, Z)
    at = _Instants(board, Z)
    squares = [_Squares(len(time), tabled.bodies) for _ in deviations]
    for k, kind in enumerate(tabled.kinds):
        places = np.concatenate([kind.q, tabled.nq + kind.v], axis=1)
        for place in places.T:
            moved, change = _quantity_changes(at, k, kind, place, SENSITIVITY_STEP * sizes[place])
            for own, deviation in zip(squares, deviations, strict=True):
                share = np.divide(
                    deviation[place],
                    SENSITIVITY_STEP * sizes[place],
                    where=sizes[place] > 0.0,
                    out=np.zeros(len(place)),
                )
                own.add(kind, moved, change, share)
    return [own.roots(deviation[: tabled.nq]) for own, deviation in zip(squares, deviations, strict=True)]


def extent_of_bodies(L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
    """L with the sum of the sizes of all moments in place of the system's moment: in a crowd they nearly cancel."""
    count = len(L)
    mass, c = balance["mass"][:, :, None], balance["center"].reshape(count, -1, 3)
    momentum = balance["momentum"].reshape(count, -1, 6)
    arm, relative = _relative(mass, c), _relative_momenta(mass, momentum[..., :3])
    extent = L.copy()
    extent[:, -6:-3] = (np.abs(np.cross(arm, relative)) + np.abs(momentum[..., 3:])).sum(axis=1)
    return extent


class _Instants:
    """Boards at some instants, with the momenta and mass centers of all bodies."""

    def __init__(self, board: Board, Z: np.ndarray):
        self.board, self.Z = board, Z
        self.found = [self.of_kind(k, Z) for k in range(len(board.tabled.kinds))]
        n = board.tabled.bodies
        mass, center, momentum = (np.zeros((len(Z), n, size)) for size in (1, 3, 6))
        for kind, own in zip(board.tabled.kinds, self.found, strict=True):
            mass[:, kind.bodies], center[:, kind.bodies], momentum[:, kind.bodies] = (
                own["mass"],
                own["center"],
                own["momentum"],
            )
        self.arm, self.relative, self.mass = _relative(mass, center), _relative_momenta(mass, momentum[..., :3]), mass
        self.wrench = Z[:, board.wrenches : board.inner].reshape(len(Z), n, 6)

    def of_kind(self, k: int, Z: np.ndarray) -> dict[str, np.ndarray]:
        """Energies (T, m) of blocks, and (T, m, b, …) of their bodies: masses, mass centers, momenta and frames."""
        board, kind = self.board, self.board.tabled.kinds[k]
        T, m, b = len(Z), len(kind), kind.bodies.shape[1]
        tape, given = kind.tapes["balance"], apply(board.kind_call(k, "balance"), Z)
        place = tape.slices(tape.outputs)
        frames = apply(board.kind_call(k, "frames"), Z).transpose(0, 2, 1).reshape(T, m, b, FRAME)
        bodies = {
            name: given[:, place[name]].transpose(0, 2, 1).reshape(T, m, b, -1)
            for name in ("mass", "center", "momentum")
        }
        return {
            "kinetic": given[:, place["kinetic"]][:, 0],
            "potential": given[:, place["potential"]][:, 0],
            "frames": frames,
            **bodies,
        }


class _Squares:
    """Sums of squares of the changes of energies, momenta and mass centers (T, …)."""

    def __init__(self, count: int, bodies: int):
        self.energies, self.bodies, self.system = (
            np.zeros((count, 2)),
            np.zeros((count, bodies, 9)),
            np.zeros((count, 9)),
        )

    def add(self, kind: Kind, moved: dict[str, np.ndarray], change: np.ndarray, share: np.ndarray) -> None:
        """Changes by one number of every block of a kind, in proportion to ``share`` (m,)."""
        self.energies += ((np.stack([moved["energy"], moved["kinetic"]], axis=2) * share[:, None]) ** 2).sum(axis=1)
        self.bodies[:, kind.bodies] += (change * share[:, None, None]) ** 2
        self.system += ((moved["system"] * share[:, None]) ** 2).sum(axis=1)

    def roots(self, own: np.ndarray) -> np.ndarray:
        parts = [self.energies, self.bodies.reshape(len(self.bodies), -1), self.system]
        with np.errstate(invalid="ignore"):
            return np.concatenate([np.sqrt(np.concatenate(parts, axis=1)).max(axis=0), np.abs(own)])


def _quantity_changes(
    at: _Instants, k: int, kind: Kind, place: np.ndarray, step: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Changes by steps (m,) of one number of every block: energies (T, m) and system (T, m, 9) of blocks, and of their bodies
    (T, m, b, 9)."""
    here, Z = at.found[k], at.Z.copy()
    Z[:, place] += step
    there = at.of_kind(k, Z)
    dp, dc, dT, dU, d = (there[name] - here[name] for name in ("momentum", "center", "kinetic", "potential", "frames"))
    R, turn = here["frames"][..., 3:12].reshape(*d.shape[:3], 3, 3), d[..., 3:12].reshape(*d.shape[:3], 3, 3)
    spin = np.einsum("tmbij,tmbkj->tmbik", turn, R)
    angle = 0.5 * np.stack(
        [spin[..., 2, 1] - spin[..., 1, 2], spin[..., 0, 2] - spin[..., 2, 0], spin[..., 1, 0] - spin[..., 0, 1]],
        axis=-1,
    )
    wrench = at.wrench[:, kind.bodies]
    work = (wrench[..., :3] * d[..., :3] + wrench[..., 3:] * angle).sum(axis=(2, 3))
    moment = dp[..., 3:] + np.cross(at.arm[:, kind.bodies], dp[..., :3]) + np.cross(dc, at.relative[:, kind.bodies])
    change = np.concatenate([dp, here["mass"] * dc], axis=3)
    system = np.concatenate([dp[..., :3], moment, here["mass"] * dc], axis=3).sum(axis=2)
    return {"energy": dT + dU - work, "kinetic": dT, "system": system}, change


def _relative(mass: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Vectors (T, n, 3) relative to their mean weighted by mass."""
    total = mass.sum(axis=1, keepdims=True)
    return x - (mass * x).sum(axis=1, keepdims=True) / np.where(total > 0.0, total, 1.0)


def _relative_momenta(mass: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Momenta (T, n, 3) relative to a motion of all masses with the velocity of their center."""
    total = mass.sum(axis=1, keepdims=True)
    return p - mass / np.where(total > 0.0, total, 1.0) * p.sum(axis=1, keepdims=True)
