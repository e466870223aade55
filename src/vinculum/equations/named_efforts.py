"""What efforts in directions that a user names do to bodies and joints."""

import numpy as np

from vinculum.equations.constraint_efforts import Keeping, kept_power
from vinculum.equations.named_rows import unit_efforts
from vinculum.systems import AlongJoint, Held, Placement, Tree


def named_efforts(tree: Tree, held: Held, placed: list[Placement], v, lam) -> Keeping:
    """Efforts λ of a servo on the bodies and joints that they act on, and their power [W]."""
    lam = np.asarray(lam, dtype=object)
    wrenches: dict[tuple[str, int], tuple] = {}
    forces = {end: np.zeros(tree.links[end[1]].joint.nv, dtype=object) for end in held.ends if end[0] == "joint"}
    for one, size in zip(held.directions, lam, strict=True):
        if isinstance(one, AlongJoint):
            forces["joint", one.link][one.velocity] = forces["joint", one.link][one.velocity] + size
            continue
        for end, (force, moment) in zip(one.ends, unit_efforts(tree, one, placed), strict=True):
            known = wrenches.get(end, (np.zeros(3), np.zeros(3)))
            wrenches[end] = known[0] + size * np.asarray(force), known[1] + size * np.asarray(moment)
    by = Keeping(tuple(wrenches.get(end) for end in held.ends), 0.0, tuple(forces.get(end) for end in held.ends), lam)
    return Keeping(by.efforts, kept_power(tree, held, by, placed, v), by.along, lam)
