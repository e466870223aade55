r"""Exchanges of blocks in contact, step by step: bonds and joints in the middle of each step, and the recorded impulses of contacts.

A step of length h has mean forces F in its middle, for the velocities before and after it, and impulses P of contacts. Its momenta
change by

.. math:: \mathcal P' - \mathcal P = h F + \sum P + c + \mathcal P_m(v' - v - h a)

where a are the accelerations under all of these, :math:`\mathcal P_m` the momenta in the middle, and c, the correction of the method, what
the turning of bodies within a step leaves. The last term has no cause; it is what the balance measures.
"""

import numpy as np

from vinculum.audits.blocks_in_contact.answers_of_contacts import changes_by_contacts, contacts_at_instant
from vinculum.audits.blocks_in_contact.steps import BlockStep, block_step, whole_steps
from vinculum.audits.exchanges.by_type import Wrenches
from vinculum.audits.exchanges.stepped import BETWEEN, steps_at
from vinculum.audits.exchanges.window import BY_METHOD, Sums, Window
from vinculum.audits.tabled.exchanges import Part, Sampler, motions_of_blocks
from vinculum.audits.tabled.struck import struck_blocks
from vinculum.equations.observables.exchanges import WIDTH
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.kinds import FRAME
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows


def knows_steps(record: Record) -> bool:
    """Whether the impulses of every step of a motion are recorded."""
    return len(record.pieces) > 0 and len(whole_steps(record)) == len(record.pieces)


def mean_wrenches(record: Record, bodies: tuple[int, ...]) -> Wrenches:
    """Bonds and joints at the instants of the grid, and the forces of contacts: impulses divided by the length of the step that an instant
    belongs to."""
    edges, found, T = np.asarray(record.pieces.times), Wrenches({}, {}), len(record.time)
    steps = steps_at(edges, record.time, record.side)
    states = recorded_states(record, record.time, record.pieces.state(record.time, side=record.side))
    for k, (t, number) in enumerate(zip(record.time, steps, strict=True)):
        step = block_step(record, int(number))
        sampler = sampled_at(step, states[k : k + 1], float(t), bodies)
        parts = sampler.parts() | contact_parts(step, sampler, 1.0 / step.h)
        for name, part in parts.items():
            if part.inside or not (np.any(part.on[:, :6]) or np.any(part.back)):
                continue
            for known, wrench in ((found.on, part.on[0, :6]), (found.back, part.back[0])):
                known.setdefault(name, np.zeros((T, 6)))[k] = wrench
    return found


def sampled_at(step: BlockStep, states: np.ndarray, t: float, bodies: tuple[int, ...], pressed: bool = True) -> Sampler:
    """The exchanges of bodies at states (B, n) under the wrenches of contacts of a step, or without."""
    record = step.motion
    rows = tape_rows(record, np.full(len(states), t), states)
    wrenches = contact_wrenches_at(step, rows) if pressed else 0.0
    ((_, tape, Z),) = record.model.tape("bonds").boards(rows, wrenches)
    return Sampler(record, tape, Z, bodies)


def contact_wrenches_at(step: BlockStep, rows: np.ndarray) -> np.ndarray:
    """Wrenches (n, 6) of contacts of a step on bodies about their origins at a row of the tapes, distributed over the step."""
    found = step.contact_wrenches()
    if not len(step.shapes):
        return found
    (board, Z), record = step.board, step.motion
    there = record.model.tape("bodies").groups(rows[:1])
    x = Z[0, board.frames : board.wrenches].reshape(-1, FRAME)[:, :3]
    moved = np.stack([there[f"{name}/position"][0] for name in record.model.layout.bodies])
    found[:, 3:] += np.cross(x - moved, found[:, :3])
    return found


def contact_parts(step: BlockStep, sampler: Sampler, share: float = 1.0) -> dict[str, Part]:
    """Impulses of the contacts of a step on the bodies of a sampler, times ``share``, with works on the mean of the motions on its boards:
    for each contact what it exerts from outside, and what it does between the bodies."""
    of, contacts = block_shapes_of(step.motion.model), list(step.motion.model.layout.contacts)
    found: dict[str, Part] = {}
    body = np.append(of.bodies, np.full(len(of.kinds) - of.moving, -1))[step.shapes]
    own = sampler.chosen[body]
    laws = of.law_of(*step.shapes.T) if len(step.shapes) else np.zeros(0, dtype=int)
    P, M, a = share * step.impulses, share * step.moments, step.places
    x, v, gradient = sampler.mean_fields()
    for number in np.unique(laws[own.any(axis=1)]):
        for part, among, inside in (
            (contacts[number], (laws == number) & (own[:, 0] != own[:, 1]), False),
            (BETWEEN.format(contacts[number]), (laws == number) & own.all(axis=1), True),
        ):
            rows = np.zeros((0, WIDTH))
            for side, sign in ((0, 1.0), (1, -1.0)):
                mine = np.flatnonzero(among & own[:, side])
                b, push = body[mine, side], sign * P[mine]
                at = v[b] + np.einsum("cij,cj->ci", gradient[b], a[mine] - x[b])
                G = gradient[b]
                spin = 0.5 * np.stack(
                    [G[:, 2, 1] - G[:, 1, 2], G[:, 0, 2] - G[:, 2, 0], G[:, 1, 0] - G[:, 0, 1]], axis=1
                )
                work = (push * at).sum(axis=1) + sign * (M[mine] * spin).sum(axis=1)
                moment = np.cross(a[mine], push) + sign * M[mine]
                rows = np.concatenate([rows, np.concatenate([push, moment, work[:, None]], axis=1)])
            if len(rows):
                on = rows.sum(axis=0)
                back = np.zeros(6) if inside else -on[:6]
                found[part] = Part(on[None], np.abs(rows).sum(axis=0)[None], back[None], inside)
    return found


def summed_steps(record: Record, bodies: tuple[int, ...], window: Window) -> Sums:
    """What bodies exchange in the whole steps of a window, and by applied impulses."""
    found, edges = Sums(), np.asarray(record.pieces.times)
    begin = np.array([window.begin])
    found.note_sizes(motions_of_blocks(record, bodies, begin, record.pieces.state(begin)))
    first, last = (int(np.argmin(np.abs(edges - t))) for t in (window.begin, window.end))
    for k in range(first, last):
        _add_step(found, block_step(record, k), bodies)
    _add_impulses(found, record, bodies, window)
    found.drop_rounded_corrections()
    return found


def _add_step(found: Sums, step: BlockStep, bodies: tuple[int, ...]) -> None:
    """Add a step."""
    record, nq = step.motion, step.motion.model.nq
    left = np.concatenate([np.zeros(nq), step.unexplained_change()])
    with_v, with_end = (np.concatenate([step.middle[:nq], one[nq:]]) for one in (step.start, step.end))
    middle = step.begin + 0.5 * step.h
    sampler = sampled_at(step, np.stack([with_v, with_end]), middle, bodies)
    states = np.stack([step.start, step.end, with_end - left, with_end])
    motions = motions_of_blocks(record, bodies, np.array([step.begin, step.begin + step.h, middle, middle]), states)
    found.note_sizes(motions[1:2])
    found.steps += 1
    total = np.zeros(WIDTH)
    for name, part in sampler.parts().items():
        amount = step.h * part.on.mean(axis=0)
        total += amount
        _add(found, name, amount, step.h * part.sizes.mean(axis=0), part.inside)
    for name, part in contact_parts(step, sampler).items():
        total += part.on[0]
        _add(found, name, part.on[0], part.sizes[0], part.inside)
    change, missing = (motions[1::2] - motions[::2])[..., :WIDTH].sum(axis=1)
    corrected = change - total - missing
    _add(found, BY_METHOD, corrected, np.abs(corrected), False)


def _add_impulses(found: Sums, record: Record, bodies: tuple[int, ...], window: Window) -> None:
    """Add applied impulses at instants of the window, contacts that answer them, and what joints and conditions transmit."""
    if record.atoms is None or not len(record.atoms):
        return
    changes, nq = changes_by_contacts(record), record.model.nq
    struck = struck_blocks(record, bodies, changes)
    inside = window.holds(struck.times)
    for name, rows in struck.parts.items():
        own, sizes = rows[inside].sum(axis=0)
        if np.any(sizes):
            _add(found, name, own, sizes, False)
    for k in np.flatnonzero(window.holds(record.atoms.times)):
        t = float(record.atoms.times[k])
        mean = record.pieces.state(record.atoms.times[k : k + 1], side="right")
        mean[0, nq:] -= 0.5 * changes[k]
        step = contacts_at_instant(record, int(k), mean[0])
        if not len(step.shapes):
            continue
        with_contacts, without = (sampled_at(step, mean, t, bodies, pressed) for pressed in (True, False))
        free = without.parts()
        for name, part in with_contacts.parts().items():
            on = part.on[0] - free[name].on[0]
            _add(found, name, on, np.abs(on), part.inside)
        for name, part in contact_parts(step, with_contacts).items():
            _add(found, name, part.on[0], part.sizes[0], part.inside)


def _add(found: Sums, name: str, amount: np.ndarray, sizes: np.ndarray, inside: bool) -> None:
    """Add to a part."""
    found.add(name, amount)
    found.gross += sizes
    if inside:
        found.inside.add(name)
