"""The stops of a joint with limits, as unilateral constraints."""

from vinculum.bonds.joints import Joint
from vinculum.bonds.unilaterals.unilateral import Unilateral


def joint_stops(joint: Joint) -> list[Unilateral]:
    """A unilateral constraint for every limit of a joint, named '… lower stop' or '… upper stop'."""
    several, found = joint.nv > 1, []
    for i, limits in enumerate(joint.limits):
        if limits is None:
            continue
        called = f"{joint.name} {i}" if several else joint.name
        # the place of the coordinate is a text: it belongs to the structure of the stop, and its numbers do not
        for side, bound, sign in (("lower", limits.lower, 1.0), ("upper", limits.upper, -1.0)):
            if bound is not None:
                gap = lambda own, i=str(i), bound=bound, sign=sign: (
                    sign * ((own.q[int(i)] if several else own.q) - bound)
                )
                found.append(Unilateral(f"{called} {side} stop", [joint.name], gap=gap, impact=limits.impact))
    return found
