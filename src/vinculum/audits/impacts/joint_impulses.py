"""Impulses transmitted by the joints of a motion at its impacts."""

import weakref

import numpy as np

from vinculum.audits.by_type import BALANCES
from vinculum.audits.impacts.seen_impacts import Impacts, impacts
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.equations.observables.exchanges import WIDTH
from vinculum.equations.observables.joint_impulses import joint_impulses
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.models.written_out.tapes import strike_tape
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.systems import Tree, with_bases
from vinculum.tolerances.rank import DEPENDENT_GRAM
from vinculum.tolerances.time import SAME_INSTANT

_tapes: "weakref.WeakKeyDictionary[Tree, Tape]" = weakref.WeakKeyDictionary()


def impulses_in_joints(motion: Record) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Instants (K,) of the impacts of a motion, the impulses (K, 6) of parent on child in joints, and the multipliers (K, rows) of
    constraints, by name."""
    if motion.carried is not None:
        frame, (times, own) = motion.carried.frame, impulses_in_joints(motion.carried.relative(motion))
        joints = {*motion.model.layout.joints, *motion.model.layout.closing}
        turned = {
            name: (x.reshape(-1, 2, 3) @ frame.rotation.T).reshape(-1, 6) if name in joints else x
            for name, x in own.items()
        }
        return times + frame.later, turned
    found = BALANCES.of(motion.model).constraint_impulses(motion) if BALANCES.answers_for(motion.model) else None
    if found is None:
        raise StartError(
            f"impulses in the joints of '{motion.model.name}' are known only for motions of vc.simulate with unilateral "
            f"constraints or impulses, "
            "before they are stored"
        )
    return found


def impulses_of_bonds(motion: Record) -> tuple[np.ndarray, dict[str, np.ndarray]] | None:
    """`impulses_in_joints` of all joints and constraints whose equations are written out; None if they are not known. Multipliers that are
    not unique are the smallest."""
    found = impacts(motion)
    if found is None or motion.model.tree is None:
        return None
    return found.times, _evaluate(motion, found, _joint_tape(motion.model)) | multipliers_by_name(found)


def impulse_parts(motion: Record, found: Impacts) -> dict[str, np.ndarray]:
    """Of everything that strikes in the impacts of a motion its exchanges (K, n, 7) with every body; nothing where no impact is."""
    if not len(found):
        return {}
    parts = _evaluate(motion, found, motion.model.tape("strikes"))
    return {name: x.reshape(len(found), -1, WIDTH) for name, x in parts.items()}


def multipliers_by_name(found: Impacts) -> dict[str, np.ndarray]:
    """The multipliers (K, rows) of constraints in impacts, by name."""
    layout, lam = found.motion.model.layout, _multipliers(found)
    names = [name for name, _ in layout.gaps]
    return {
        name: lam[:, [i for i, other in enumerate(names) if other == name]]
        for name in layout.constraints
        if name in names
    }


def _evaluate(motion: Record, found: Impacts, tape: Tape) -> dict[str, np.ndarray]:
    """What a tape of impulses gives at the impacts of a motion, (K, …) for each group."""
    lam = _multipliers(found)
    model = motion.model
    entries = model.layout.impulses
    struck = np.any(found.given, axis=1)
    acting = np.array(
        [
            [hit and _is_at(t, entry.at) for entry in entries.values()]
            for t, hit in zip(found.times, struck, strict=True)
        ]
    )
    rows = tape_rows(motion, found.times, found.left)
    first = model.nq + model.nv + 1
    own, pressed = found.contact_impulses[:, : 3 * len(model.layout.unilaterals)], _shape_impulses(found)
    extra = np.concatenate([found.jumps, acting.reshape(len(found), -1), lam, own, pressed], axis=1)
    return evaluate_groups(tape, np.concatenate([rows[:, :first], extra, rows[:, first:]], axis=1))


def _shape_impulses(found: Impacts) -> np.ndarray:
    """Impulses (K, w links) of contacts of shapes on every link, w as `strike_width` says, at the world's origin in world axes; (K, 0)
    without shapes."""
    model, met = found.motion.model, found.met
    if model.shapes is None:
        return np.zeros((len(found), 0))
    bodies = model.layout.bodies
    width = dict(model.tape("strikes").inputs)["pressed"] // len(bodies)
    wrenches = np.zeros((len(found), len(bodies), width))
    if met is None or not len(met):
        return wrenches.reshape(len(found), -1)
    force, moment = (np.einsum("crx,cr->cx", met.axes, x) for x in (met.impulses, met.moments))
    spread = np.einsum("ci,cj->cij", force, met.places).reshape(-1, 9)
    both = np.concatenate([force, moment + np.cross(met.places, force), spread], axis=1)[:, :width]
    links = np.array([bodies[name].index if name in bodies else -1 for name in model.layout.shapes])
    for side, sign in ((0, 1.0), (1, -1.0)):
        link = links[met.shapes[:, side]]
        moving = link >= 0
        np.add.at(wrenches, (met.atoms[moving], link[moving]), sign * both[moving])
    return wrenches.reshape(len(found), -1)


def _is_at(t: float, instants) -> bool:
    return any(abs(t - at) <= SAME_INSTANT * max(1.0, abs(t)) for at in instants)


def _multipliers(found: Impacts) -> np.ndarray:
    r"""Multipliers (K, c) of all bilateral conditions, the smallest that solve :math:`M (v^+ - v^-) - H^T P - Q = G^T \lambda`."""
    model, motion = found.motion.model, found.motion
    kept = len(model.layout.gaps)
    if not kept or not len(found):
        return np.zeros((len(found), kept))
    at = found.here
    groups = evaluate_groups(model.tape("unilaterals"), tape_rows(motion, found.times, found.left))
    G = groups["bilateral"].reshape(len(found), kept, model.nv)
    left = (
        np.einsum("kij,kj->ki", at.mass, found.jumps)
        - np.einsum("krj,kr->kj", at.jacobians, found.contact_impulses)
        - found.given
    )
    return np.einsum("kcn,kn->kc", np.swapaxes(np.linalg.pinv(G, rcond=DEPENDENT_GRAM), 1, 2), left)


def _joint_tape(model: Model) -> Tape:
    tree = model.tree
    assert tree is not None
    if tree not in _tapes:
        _tapes[tree] = strike_tape(with_bases(tree), model.parameters, joint_impulses)
    return _tapes[tree]
