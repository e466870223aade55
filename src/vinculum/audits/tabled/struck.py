"""What applied impulses exchange with bodies of tables: the impulses themselves, and what conditions and joints transmit."""

from typing import final

import numpy as np

from vinculum.audits.exchanges.by_type import NOTHING_STRUCK, Struck
from vinculum.audits.tabled.exchanges import MOTION, Sampler, exchanges_at_origin
from vinculum.audits.tabled.impulses import after_impulses, sides_of_impulses
from vinculum.equations.observables.exchanges import DRIVE, WIDTH
from vinculum.models.acting import transmitters
from vinculum.models.layout import Layout
from vinculum.models.tabled.condition_impulses import impulses_of_conditions
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import parameters_at, tape_groups, tape_rows
from vinculum.tolerances.time import SAME_INSTANT


def struck_blocks(record: Record, bodies: tuple[int, ...], answered: np.ndarray | float = 0.0) -> Struck:
    """The impulses of a motion on bodies, with works on the mean of the velocities before and after. ``answered`` (K, nv): what contacts
    that answer change."""
    sides = sides_of_impulses(record, answered)
    if sides is None or not len(sides.times):
        return NOTHING_STRUCK
    nq, layout, times = record.model.nq, record.model.layout, sides.times
    q, before, after = sides.left[:, :nq], sides.left[:, nq:], after_impulses(record, times, sides.left, sides.given)
    states = [np.concatenate([q, v], axis=1) for v in (before, 0.5 * (before + after), after)]
    (start, _), (_, frames), (end, _) = (_motions_and_frames(record, times, one) for one in states)
    pushes = Pushes(len(layout.bodies), bodies, frames)
    _add_conditions(pushes, record, times, sides.left, sides.given)
    said = tape_groups(record, "impulses", times, sides.left)
    near = SAME_INSTANT * max(abs(record.pieces.begin), abs(record.pieces.end))
    for name, entry in layout.impulses.items():
        if entry.kind != "body":
            continue  # it is between the bodies of its joint, as what the joint transmits
        strikes = np.any(np.abs(times[:, None] - np.array(entry.at)) <= near, axis=1)
        body = np.array([[layout.bodies[entry.on].index]])
        wrench = np.where(np.asarray(strikes)[:, None], said[f"{name}/wrench"], 0.0)
        exchanged, ends = exchanges_at_origin((False,), body, wrench[:, None, :, None], frames)
        pushes.add(name, exchanged[..., 0], ends[:, 0])
    _add_joints(pushes, layout, (end - start)[..., :WIDTH])
    return Struck(times, pushes.parts)


@final
class Pushes:
    """Impulses at K instants: ``total`` (K, n, 7) on every one of n bodies, and ``parts``, by name those (K, 2, 7) on the chosen
    ``bodies`` as sum and sum of sizes. ``frames`` (K, n, 18) of all bodies have the mean of the velocities before and after."""

    def __init__(self, count: int, bodies: tuple[int, ...], frames: np.ndarray):
        self.frames, self.total = frames, np.zeros((len(frames), count, WIDTH))
        self.parts: dict[str, np.ndarray] = {}
        self._chosen = np.zeros(count + 1, dtype=bool)
        self._chosen[list(bodies)] = True

    def add(self, name: str, exchanged: np.ndarray, ends: np.ndarray) -> None:
        """Add exchanges (K, e, 7) with bodies (e,), the ground as −1."""
        moving = ends >= 0
        for k in np.flatnonzero(moving):
            self.total[:, ends[k]] += exchanged[:, k]
        own = exchanged[:, self._chosen[ends]]
        if np.any(own):
            both = np.stack([own.sum(axis=1), np.abs(own).sum(axis=1)], axis=1)
            self.parts[name] = self.parts.get(name, np.zeros_like(both)) + both


def _motions_and_frames(record: Record, times: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Motions (K, n, 11) and frames (K, n, 18) of all bodies at states."""
    every = tuple(range(len(record.model.layout.bodies)))
    motions, frames = np.zeros((len(times), len(every), MOTION)), np.zeros((len(times), len(every), FRAME))
    for some, tape, Z in record.model.tape("bonds").boards(tape_rows(record, times, states), None):
        sampler = Sampler(record, tape, Z, every)
        motions[some], frames[some] = sampler.motions(), sampler.frames
    return motions, frames


def _add_conditions(pushes: Pushes, record: Record, times: np.ndarray, states: np.ndarray, given: np.ndarray) -> None:
    """Impulses of closing joints and constraints, from their multipliers."""
    tabled = tabled_in(record.model)
    if not tabled.conditions:
        return
    values = parameters_at(record, times)
    multipliers = impulses_of_conditions(record.model, tabled, states, times, values, given)
    efforts: list[list[np.ndarray]] = [[] for _ in tabled.conditions]
    for some, tape, Z in record.model.tape("bonds").boards(tape_rows(record, times, states)):
        for c, table in enumerate(tabled.conditions):
            lam = multipliers[some][:, table.first + np.arange(table.count)[:, None]]
            efforts[c].append(tape.condition_efforts(Z, c, lam))
    for table, found in zip(tabled.conditions, efforts, strict=True):
        exchanged, ends = exchanges_at_origin(table.grounded, table.ends.T, np.concatenate(found), pushes.frames)
        for row, name in enumerate(table.names):
            pushes.add(name, exchanged[..., row], ends[:, row])


def _add_joints(pushes: Pushes, layout: Layout, changes: np.ndarray) -> None:
    """Impulses of the joints of trees: what the momenta (K, n, 7) of all that a joint carries change besides other impulses, leaf first."""
    place = {name: entry.index for name, entry in layout.bodies.items()}
    left = changes[..., :6] - pushes.total[..., :6]
    drives = {DRIVE.format(j.child): j for j in layout.joints.values() if j.child in layout.prescribed}
    for name, joint in sorted((transmitters(layout) | drives).items(), key=lambda one: -one[1].index):
        child, parent = place[joint.child], place.get(joint.parent, -1)
        both = [(child, left[:, child].copy())]
        if parent >= 0:
            left[:, parent] += left[:, child]
            both.append((parent, -left[:, child]))
        exchanged = np.stack([_with_work(screw, pushes.frames[:, i]) for i, screw in both], axis=1)
        pushes.add(name, exchanged, np.array([i for i, _ in both]))


def _with_work(screw: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """Exchanges (K, 7) from impulses (K, 6) at the world's origin on a body with frames (K, 18)."""
    moment = screw[:, 3:] - np.cross(frames[:, :3], screw[:, :3])
    work = (screw[:, :3] * frames[:, 12:15] + moment * frames[:, 15:]).sum(axis=1)
    return np.concatenate([screw, work[:, None]], axis=1)
