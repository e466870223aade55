"""The workspace of time steps of a tree, made by Python: compiled allocations would be compiled for every user."""

import numpy as np

from vinculum.compile.width import WIDTH
from vinculum.contact.trees.arrays import Laws, Rows, TreeContacts
from vinculum.contact.trees.steps import room_for_contacts
from vinculum.integrators.moreau.arrays import Impulses, Inputs, Program, Step, StepRows, Tapes, Watched, Workspace
from vinculum.integrators.projected_lanes import MEASURES


def new_workspace(
    tapes: Tapes, inputs: Inputs, law: tuple[np.ndarray, np.ndarray, np.ndarray], contacts: TreeContacts | None
) -> Workspace:
    """Arrays for steps of these inputs. ``law``: kinds and ratios (b,), half axes (b, 3) as in `Laws`, of b triples of rows: those of m
    unilateral constraints, and those about axes of contacts that resist rolling.
    """
    x, quaternions, n, nq, m, kept, placed, units = inputs
    nv, b = n - nq, len(law[0])
    room = b + room_for_contacts(contacts)
    y, z = np.empty((n, WIDTH)), np.empty((m + 3 * b + 3 * b * nv + nv * nv + kept * (nv + 1) + nq, WIDTH))
    program = Program(
        tapes.motion, tapes.unilaterals, tapes.distances, x, y, z, n, nq, quaternions, np.empty(nq), placed, units
    )
    every = Rows(np.full(room, np.inf), np.empty(3 * room), np.empty((3 * room, nv)), np.empty((nv, nv)),
                 np.empty((kept, nv + 1)))  # fmt: skip
    own = Rows(every.gap[:m], every.drift[: 3 * b], every.H[: 3 * b], every.M, every.G)
    laws = Laws(np.empty(room, dtype=np.int64), np.empty(room), np.empty((room, 3)), np.empty(room, dtype=np.int64))
    laws.kind[:b], laws.ratio[:b], laws.axes[:b] = law
    first, last, G_last = np.empty((3 * room, nv + 1)), np.empty((3 * room, nv + 1)), np.empty((kept, nv + 1))
    flags = [np.zeros(m, dtype=np.bool_) for _ in range(3)]
    watched = Watched(
        np.empty((m + 3 * b, WIDTH)), np.ones(m, dtype=np.bool_), flags[0], flags[1], np.zeros(m), flags[2]
    )
    q, middle, slow, fast = (np.empty(nq) for _ in range(4))
    v, after, unbound = (np.empty(nv) for _ in range(3))
    return Workspace(
        program,
        StepRows(every, own, first, last, G_last, laws),
        Impulses(np.zeros(3 * room), np.zeros(3 * room), np.zeros(nv)),
        watched,
        np.zeros(room, dtype=np.bool_),
        Step(0.0, 0.0, 0.0, q, v, unbound, middle, slow, fast),
        after,
        (
            np.empty((2 * n + MEASURES, WIDTH)),
            np.empty((n, WIDTH)),
            np.zeros(WIDTH, dtype=np.bool_),
            np.zeros(WIDTH, dtype=np.bool_),
        ),
    )
