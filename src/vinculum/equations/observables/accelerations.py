"""The rates of a state: q̇ and v̇ by the shortest route."""

import numpy as np

from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints import constrained
from vinculum.equations.constraints.efforts import multiplier_rates
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.coordinate_rates import rates, with_mass_rates, with_multiplier_rates
from vinculum.scalars import gradient
from vinculum.systems import Tree
from vinculum.tolerances.sizes import SMALL_TREE

FEEDBACK = 1.0


def chart_feedback(tree: Tree, q) -> np.ndarray:
    """−(k/4) F ∂F/∂q for every chart defect F: zero on the chart, it pulls round-off back to it."""
    parts = []
    for link in tree.links:
        own = q[link.q]
        defect = link.joint.kind.coordinates.chart_defect(own) if link.joint.nq else None
        parts.append(np.zeros(link.joint.nq) if defect is None else (-0.25 * FEEDBACK * defect) * gradient(defect, own))
    return np.concatenate([np.zeros(0), *parts, np.zeros(tree.nq - tree.placed)])


def shortest_accelerations(tree: Tree, q, v, t, stabilized: bool = False) -> np.ndarray:
    """v̇ by articulated bodies, or by composite bodies where that makes the shorter tape (few velocities or loops)."""
    tau = applied_forces(tree, t, q, v)
    if tree.is_conditioned or tree.varied:
        return constrained.accelerations(tree, q, v, tau, stabilized)[0]
    candidates = [articulated.accelerations(tree, q, v, tau)]
    if tree.nv <= SMALL_TREE:
        candidates.append(composite.accelerations(tree, q, v, tau))
    if len(candidates) == 1:
        return candidates[0]
    inputs = {"q": q, "v": v, "t": np.array([t])}
    return min(candidates, key=lambda a: len(trace(inputs, {"a": a}).code))


def plain_motion(tree: Tree, q, v, t) -> dict:
    """The rates without feedback, for steps that end on all conditions."""
    a, lam = constrained.accelerations(tree, q, v, applied_forces(tree, t, q, v))
    q_dot = with_mass_rates(tree, rates(tree, q, v), q, v)
    if tree.multipliers:
        q_dot = with_multiplier_rates(q_dot, multiplier_rates(tree, lam))
    return {"q_dot": q_dot, "v_dot": a}


def motion(tree: Tree, q, v, t) -> dict:
    q_dot = with_mass_rates(tree, rates(tree, q, v) + chart_feedback(tree, q), q, v)
    if not tree.multipliers:
        return {"q_dot": q_dot, "v_dot": shortest_accelerations(tree, q, v, t, stabilized=True)}
    tau = applied_forces(tree, t, q, v)
    # what pulls round-off back to the constraints is no reaction, and must not enter the history of the multipliers
    lam = constrained.accelerations(tree, q, v, tau)[1]
    a = constrained.accelerations(tree, q, v, tau, stabilized=True)[0]
    return {"q_dot": with_multiplier_rates(q_dot, multiplier_rates(tree, lam)), "v_dot": a}
