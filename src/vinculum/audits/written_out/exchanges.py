"""Exchanges of bodies whose equations are graphs, with every bond as it acts on each of its bodies."""

import weakref

import numpy as np

from vinculum.audits.balances.jumps import Jumps, changes_by_method, drifts_by_method, jumps
from vinculum.audits.exchanges.by_type import NOTHING_STRUCK, Sampled, Struck
from vinculum.audits.impacts.joint_impulses import impulse_parts
from vinculum.audits.impacts.seen_impacts import impacts
from vinculum.compile.evaluate import evaluate_groups
from vinculum.equations.observables.exchanges import STATE, WIDTH, Acts
from vinculum.models.acting import acts_in
from vinculum.models.model import Model
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows

_acts: "weakref.WeakKeyDictionary[Model, list[Acts]]" = weakref.WeakKeyDictionary()


def sample_bodies(
    record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
) -> Sampled:
    """What bodies exchange at states (T, n) of a phase."""
    groups = _groups(record, time, states, stretch)
    names, inside, on, sizes, back = [], [], [], [], []
    for one in _acts_of(record.model):
        own = [k for k, i in enumerate(one.ends) if i in bodies]
        if not own:
            continue
        others = [k for k, i in enumerate(one.ends) if i not in bodies]
        found = groups[one.name]
        names.append(one.name)
        inside.append(not one.external and not others)
        on.append(found[:, own].sum(axis=1))
        sizes.append(np.abs(found[:, own]).sum(axis=1))
        back.append(-on[-1][:, :6] if one.external else found[:, others, :6].sum(axis=1))
    on, sizes, back = (np.stack(x, axis=1) for x in (on, sizes, back))
    return Sampled(tuple(names), tuple(inside), on, sizes, back, groups[STATE][:, list(bodies)])


def struck_bodies(record: Record, bodies: tuple[int, ...]) -> Struck:
    """The impulses of a stretch of a motion on bodies."""
    hits = impacts(record)
    if hits is None:
        return NOTHING_STRUCK
    chosen = list(bodies)
    parts = {
        name: np.stack([rows[:, chosen].sum(axis=1), np.abs(rows[:, chosen]).sum(axis=1)], axis=1)
        for name, rows in impulse_parts(record, hits).items()
    }

    def motion_sum(time, states, stretch):
        return _groups(record, time, states, stretch)[STATE][:, chosen, :WIDTH].sum(axis=1)

    edges, moved = changes_by_method(record, hits, motion_sum)
    within, drifted = drifts_by_method(record, hits, motion_sum)
    moved, drifted = moved.reshape(len(edges), WIDTH), drifted.reshape(len(within), WIDTH)
    return Struck(hits.times, parts, edges, moved, within, drifted)


def jumps_of_bodies(record: Record) -> Jumps | None:
    """Changes of the balanced quantities by the impulses of a stretch of a motion."""
    return jumps(record, impacts(record))


def _groups(record: Record, time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None) -> dict[str, np.ndarray]:
    """Exchanges (T, ends, 7) of everything that acts, by name, and the motion (T, n, 11) of all bodies as "state"."""
    groups = evaluate_groups(record.model.tape("exchanges"), tape_rows(record, time, states, stretch))
    widths = dict.fromkeys(groups, WIDTH) | {STATE: WIDTH + 4}
    return {name: x.reshape(len(time), -1, widths[name]) for name, x in groups.items()}


def _acts_of(model: Model) -> list[Acts]:
    if model not in _acts:
        _acts[model] = acts_in(model.layout)
    return _acts[model]
