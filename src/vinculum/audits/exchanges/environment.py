"""What all that is outside some bodies exerts on them, at the instants of a motion."""

import numpy as np

from vinculum.audits.exchanges.samples import acts_of, chosen_bodies, sampled_exchanges
from vinculum.audits.phases import phases
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.motion.views.environment import Environment


def environment_of(record: Record, names: tuple[str, ...]) -> Environment:
    """Wrenches (T, 6) at the world's origin, on the grid of a motion, of everything outside the named bodies on them and of them on it.

    What acts between these bodies alone is left out. Each bond has its own efforts on both sides; a field or an external force has a
    partner that is not in the system, whose effort is the opposite. Cheremensky, On Concept of Mechanical System, 1.2 and (12).
    """
    bodies = chosen_bodies(record, names)
    count = len(record.time)
    parts: dict[str, np.ndarray] = {}
    reactions: dict[str, np.ndarray] = {}
    for _, part in phases(record):
        rows = np.flatnonzero((record.time >= part.pieces.begin) & (record.time <= part.pieces.end))
        if not len(rows):
            continue
        time = record.time[rows]
        states = recorded_states(part, time, part.pieces.state(time, side=record.side))
        groups = sampled_exchanges(part, time, states)
        for wrenches in (*parts.values(), *reactions.values()):
            wrenches[rows] = 0.0
        for one in acts_of(part.model):
            own = [k for k, i in enumerate(one.ends) if i in bodies]
            others = [k for k, i in enumerate(one.ends) if i not in bodies]
            if not own or not (others or one.external):
                continue
            on = groups[one.name][:, own, :6].sum(axis=1)
            back = -on if one.external else groups[one.name][:, others, :6].sum(axis=1)
            if not np.any(on) and not np.any(back):
                continue
            for known, wrench in ((parts, on), (reactions, back)):
                known.setdefault(one.name, np.zeros((count, 6)))[rows] = wrench
    return Environment(record, names or tuple(record.model.layout.bodies), parts, reactions)
