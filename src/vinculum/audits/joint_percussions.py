"""What the joints of a motion transmit at its shocks."""

import weakref

import numpy as np

from vinculum.audits.shocks import Shocks, geometry, shocks
from vinculum.errors import StartError
from vinculum.kernels.evaluate import evaluate_groups
from vinculum.kernels.joint_percussions import joint_percussions
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.motion import Motion
from vinculum.motion.states import tape_rows
from vinculum.scalars import symbol, symbols
from vinculum.systems import Tree, with_bases

DEPENDENT = 1e-11
_tapes: "weakref.WeakKeyDictionary[Tree, Tape]" = weakref.WeakKeyDictionary()


def percussions_in_joints(motion: Motion) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Instants (K,) of the shocks of a motion, of every joint the impulses (K, 6) of parent on child, and the multipliers (K, rows) of
    constraints; where these are not unique, the least ones."""
    found = shocks(motion)
    if found is None or motion.model.tree is None:
        raise StartError(
            f"what joints of '{motion.model.name}' transmit at shocks is known for motions of vc.simulate with boundaries or impulses "
            "alone, before they are stored"
        )
    lam = _multipliers(found)
    tape, model = _tape(motion), motion.model
    entries = model.layout["impulses"]
    struck = found.given.any(axis=1)
    acting = np.array(
        [
            [hit and _is_at(t, entry["at"]) for entry in entries.values()]
            for t, hit in zip(found.times, struck, strict=True)
        ]
    )
    rows = tape_rows(motion, found.times, found.left)
    first = model.nq + model.nv + 1
    extra = np.concatenate([found.jumps, acting.reshape(len(found), -1), lam, found.percussions], axis=1)
    wrenches = evaluate_groups(tape, np.concatenate([rows[:, :first], extra, rows[:, first:]], axis=1))
    names = [name for name, _ in model.layout["gaps"]]
    held = {
        name: lam[:, [i for i, other in enumerate(names) if other == name]]
        for name in model.layout["constraints"]
        if name in names
    }
    return found.times, wrenches | held


def _is_at(t: float, instants) -> bool:
    return any(abs(t - at) <= 1e-12 * max(1.0, abs(t)) for at in instants)


def _multipliers(found: Shocks) -> np.ndarray:
    r"""Multipliers (K, c) of all two-sided conditions, the least that solve :math:`M (v^+ - v^-) - H^T P - Q = G^T \lambda`."""
    model, motion = found.motion.model, found.motion
    kept = len(model.layout["gaps"])
    if not kept or not len(found):
        return np.zeros((len(found), kept))
    at = geometry(motion, found.times, found.left)
    groups = evaluate_groups(model.tape("boundaries"), tape_rows(motion, found.times, found.left))
    G = groups["bilateral"].reshape(len(found), kept, model.nv)
    left = (
        np.einsum("kij,kj->ki", at.mass, found.jumps)
        - np.einsum("krj,kr->kj", at.slopes, found.percussions)
        - found.given
    )
    return np.einsum("kcn,kn->kc", np.swapaxes(np.linalg.pinv(G, rcond=DEPENDENT), 1, 2), left)


def _tape(motion: Motion) -> Tape:
    tree = motion.model.tree
    assert tree is not None
    if tree not in _tapes:
        there, given = with_bases(tree), motion.model.parameters
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        jump, acting = symbols("jump", tree.nv), symbols("acting", len(tree.impulses))
        lam, P = symbols("lam", len(motion.model.layout["gaps"])), symbols("P", 3 * len(tree.boundaries))
        inputs = {"q": q, "v": v, "t": np.array([t]), "jump": jump, "acting": acting, "lam": lam, "P": P}
        _tapes[tree] = trace(inputs, joint_percussions(there.at(t), q, v, t, jump, acting, lam, P), given)
    return _tapes[tree]
