"""Tapes of forward dynamics: traced once for each tree, set of bodies with external wrenches, and with or without τ."""

import weakref

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.derivations.inverse_dynamics.tapes import NUMBERS_OF_A_WRENCH, Bodies, in_links
from vinculum.equations.applied import applied_forces
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.joint_inertias import has_thin_body, joint_inertias, vanishes
from vinculum.errors import ModelError
from vinculum.models.model import Model
from vinculum.scalars import symbol, symbols
from vinculum.scalars.math import sqrt, where
from vinculum.systems import Tree
from vinculum.tolerances.functions import UNIT_QUATERNION
from vinculum.tolerances.sizes import SMALL_TREE

_inertias: "weakref.WeakKeyDictionary[Tree, dict[tuple, tuple[Tape, list[str]] | None]]" = weakref.WeakKeyDictionary()
_tapes: "weakref.WeakKeyDictionary[Tree, dict[tuple, Tape]]" = weakref.WeakKeyDictionary()


def accelerations_tape(model: Model, bodies: Bodies, driven: bool) -> Tape:
    """v̇ over (q, v, τ, t, external, parameters) by the shortest route, with unit quaternions for those of q.

    It is NaN where a quaternion is not of length one. ``driven``: whether there is a τ.
    """
    tree = model.tree
    assert tree is not None
    known = _tapes.setdefault(tree, {})
    key = (bodies, driven)
    if key not in known:
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        tau, given = symbols("tau", tree.nv if driven else 0), symbols("external", NUMBERS_OF_A_WRENCH * len(bodies))
        inputs = {"q": q, "v": v, "tau": tau, "t": np.array([t]), "external": given}
        there, (on_chart, valid) = tree.at(t, q), _on_chart(model, q)
        force = applied_forces(there, t, on_chart, v)
        force = force + tau if driven else force
        external = in_links(there, on_chart, v, t, bodies, given, actions=False) if bodies else None
        routes = [articulated.accelerations] + ([composite.accelerations] if tree.nv <= SMALL_TREE else [])
        try:
            found = [_where_valid(valid, route(there, on_chart, v, force, external)) for route in routes]
        except ZeroDivisionError as error:
            raise ModelError(
                f"system '{model.name}': some velocity moves no mass or inertia at all (a massless leaf); "
                "give the last body inertia about its joint's axis"
            ) from error
        made = (trace(inputs, {"accelerations": a}, model.parameters) for a in found)
        known[key] = min(made, key=lambda tape: len(tape.code))
    return known[key]


def inertias_tape(model: Model, bodies: Bodies, driven: bool) -> tuple[Tape, list[str]] | None:
    """The inertias that joints move, over the same inputs, as parts of what they would be if all axes had the inertia of the body; and
    what is met where each vanishes, in words. None for systems in which none can vanish."""
    tree = model.tree
    assert tree is not None
    known, key = _inertias.setdefault(tree, {}), (bodies, driven)
    if key not in known:
        q, t = symbols("q", tree.nq), symbol("t")
        found = joint_inertias(tree.at(t, q), q) if any(has_thin_body(link) for link in tree.links) else []
        inputs = {"q": q, "v": symbols("v", tree.nv), "tau": symbols("tau", tree.nv if driven else 0)}
        inputs |= {"t": np.array([t]), "external": symbols("external", NUMBERS_OF_A_WRENCH * len(bodies))}
        shares = [one.pivot / one.size for one in found]
        known[key] = (
            (trace(inputs, {"shares": shares}, model.parameters), [vanishes(one.link) for one in found])
            if found
            else None
        )
    return known[key]


def _on_chart(model: Model, q) -> tuple[np.ndarray, list]:
    """q with quaternions at length one, and a condition for each that it was so before."""
    q, valid = np.array(q, dtype=object), []
    for first, last in model.layout.quaternions:
        length = sqrt(sum(x * x for x in q[first:last]))
        valid.append(abs(length - 1.0) <= UNIT_QUATERNION)
        q[first:last] = q[first:last] / length
    return q, valid


def _where_valid(valid: list, a) -> np.ndarray:
    a = np.array(a, dtype=object)
    for condition in valid:
        a[0] = where(condition, a[0], np.nan)
    return a
