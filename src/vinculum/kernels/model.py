"""`Model`: a system ready to run, as names, layout and tapes. Plain data, so it can be stored and sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.equations import articulated, boltzmann_hamel, closures, composite, constrained, hamilton
from vinculum.equations.applied import (
    applied_forces,
    dissipative_forces,
    drive_forces,
    rates,
    rates_are_velocities,
)
from vinculum.equations.composite import mass_matrix
from vinculum.equations.energies import kinetic_energy, momentum_screw, potential_energy
from vinculum.equations.first_integrals import first_integrals
from vinculum.equations.newton_euler import inverse_dynamics
from vinculum.errors import ModelError, StartError
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.scalars import gradient, ldl_solve, parameters, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import cross
from vinculum.systems import (
    BodyView,
    Link,
    Tree,
    base_names,
    base_parameters,
    nearest,
    placements,
    turning_links,
    with_bases,
)

FEEDBACK = 1.0
SMALL = 10


@final
@dataclass(frozen=True, eq=False)
class Model:
    """Layout and tapes of a system. Every tape takes (q, v, t, parameters), `hamel` also the accelerations.

    ``layout``: names, units and slices as plain data. Tapes are made when first asked for: `motion` (q̇, v̇),
    `rates` (N v and chart defects), `bodies`, `balance`, `reactions`, `hamel`, `integrals`, and where velocities are rates of
    coordinates `momenta`, `canonical`, `velocities`.
    """

    layout: dict[str, Any]
    tapes: dict[str, Tape] = field(default_factory=dict)
    tree: Tree | None = None
    variants: dict[tuple, "Model"] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.layout["name"]

    @property
    def nq(self) -> int:
        return len(self.layout["q_names"])

    @property
    def nv(self) -> int:
        return len(self.layout["v_names"])

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values."""
        return dict(self.layout["parameters"])

    def tape(self, name: str) -> Tape:
        """The tape of one group of equations."""
        if name not in self.tapes:
            assert self.tree is not None
            try:
                tree = self.tree if name in OF_THE_USERS_CHARTS else with_bases(self.tree)
                self.tapes[name] = TAPES[name](tree, self.parameters)
            except ZeroDivisionError as error:
                raise ModelError(
                    f"system '{self.name}': some velocity moves no mass or inertia at all (a massless leaf); "
                    "give the last body inertia about its joint's axis"
                ) from error
        return self.tapes[name]

    def complete(self) -> "Model":
        """The same model with every tape made that it can have."""
        for name in self.tape_names():
            self.tape(name)
        return self

    def tape_names(self) -> list[str]:
        """Names of the tapes that this model can have."""
        missing = (() if self.layout["flat"] else CANONICAL) + (() if self.layout["closing"] else ("closures",))
        return [name for name in TAPES if name not in missing]

    def on_charts(self, states: np.ndarray) -> np.ndarray:
        """States (B, nq + nv) with their quaternions brought back to length one."""
        states = states.copy()
        for first, last in self.layout["quaternions"]:
            states[:, first:last] /= np.linalg.norm(states[:, first:last], axis=1, keepdims=True)
        return states

    def parameter_values(self, given: Mapping[str, float] | None) -> np.ndarray:
        """Values of all parameters in order; unknown names and values that no body can have are refused."""
        values = self.parameters
        for name, value in (given or {}).items():
            if name not in values:
                raise StartError(f"there is no parameter '{name}' in system '{self.name}'{nearest(name, values)}")
            try:
                values[name] = float(value)
            except (TypeError, ValueError) as error:
                raise StartError(f"parameter '{name}': {value!r} is not a number") from error
            if not np.isfinite(values[name]):
                raise StartError(f"parameter '{name}': {value!r} is not finite")
        if self.tree is not None:
            self.tree.check(values)
        return np.array([values[name] for name in sorted(values)], dtype=float)

    def index(self, kind: str, name) -> dict:
        """The layout entry of a body or joint, by object or name."""
        name = name if isinstance(name, str) else getattr(name, "name", name)
        known = self.layout[kind]
        if not isinstance(name, str) or name not in known:
            one = {"bodies": "body", "joints": "joint"}[kind]
            if name in self.layout["closing"]:
                raise StartError(f"joint '{name}' closes a loop of '{self.name}' and has no coordinates of its own")
            raise StartError(f"there is no {one} '{name}' in system '{self.name}'{nearest(name, known)}")
        return known[name]


def model_of(tree: Tree) -> Model:
    """The model of a checked tree."""
    q, v, t = _state(tree)
    found = tree.parameters() | parameters(np.array([*drive_forces(tree, t, q, v), 0.0], dtype=object))
    found |= closures.hidden_parameters(tree) | base_parameters(tree)
    links = tree.links
    layout = {
        "name": tree.name,
        "q_names": tree.q_names(),
        "v_names": tree.v_names(),
        "q_units": [u for k in links for u in k.joint.q_units],
        "v_units": [u for k in links for u in k.joint.v_units],
        "bodies": {k.body.name: {"index": k.index, "kind": type(k.body).__name__} for k in links},
        "joints": {k.joint.name: {"index": k.index, "kind": type(k.joint).__name__, "child": k.body.name,
                                  "parent": links[k.parent].body.name if k.parent >= 0 else "ground",
                                  "q": [k.q.start, k.q.stop], "v": [k.v.start, k.v.stop]} for k in links},
        "groups": _groups(tree),
        "closing": {c.joint.name: {"kind": type(c.joint).__name__, "child": links[c.child].body.name,
                                   "parent": links[c.parent].body.name if c.parent >= 0 else "ground"}
                    for c in tree.closures},
        "gaps": [list(name) for name in closures.gap_names(tree)],
        "kept": list(tree.kept),
        "rank": tree.rank,
        "flat": not tree.closures and rates_are_velocities(tree),
        "quaternions": [[k.q.stop - 4, k.q.stop] for k in links if k.joint.nq and k.joint.chart_defect(q[k.q]) is not None],
        "charts": [_chart_entry(k) for k in turning_links(tree)],
        "parameters": {name: found[name] for name in sorted(found)},
    }  # fmt: skip
    return Model(layout, {}, tree)


def _chart_entry(link: Link) -> dict[str, Any]:
    """Joint and name of a rotation chart, the range of its coordinates, and the parameters of its base."""
    assert link.joint.turn is not None
    chart, first, last = link.joint.turn
    place = [link.q.start + first, link.q.start + last]
    return {"joint": link.joint.name, "chart": chart, "base": base_names(link), "q": place}


def _groups(tree: Tree) -> list[int]:
    """For every number of the state, coordinates then velocities: which ones share its joint, kind and unit."""
    keys = [(k.index, "q", unit) for k in tree.links for unit in k.joint.q_units]
    keys += [(k.index, "v", unit) for k in tree.links for unit in k.joint.v_units]
    numbers = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return [numbers[key] for key in keys]


def _state(tree: Tree):
    return symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")


def _traced(outputs: Callable) -> Callable[[Tree, Mapping[str, float]], Tape]:
    def make(tree: Tree, given: Mapping[str, float]) -> Tape:
        q, v, t = _state(tree)
        return trace({"q": q, "v": v, "t": np.array([t])}, outputs(tree, q, v, t), given)

    return make


def chart_feedback(tree: Tree, q) -> np.ndarray:
    """−(k/4) F ∂F/∂q for every chart defect F: zero on the chart, it pulls round-off back to it."""
    parts = []
    for link in tree.links:
        own = q[link.q]
        defect = link.joint.chart_defect(own) if link.joint.nq else None
        parts.append(np.zeros(link.joint.nq) if defect is None else (-0.25 * FEEDBACK * defect) * gradient(defect, own))
    return np.concatenate([np.zeros(0), *parts])


def shortest_accelerations(tree: Tree, q, v, t, stabilized: bool = False) -> np.ndarray:
    """v̇ by articulated bodies, or by composite bodies where that makes the shorter tape (few velocities or loops)."""
    tau = applied_forces(tree, t, q, v)
    if tree.closures:
        return constrained.accelerations(tree, q, v, tau, stabilized)[0]
    candidates = [articulated.accelerations(tree, q, v, tau)]
    if tree.nv <= SMALL:
        candidates.append(composite.accelerations(tree, q, v, tau))
    inputs = {"q": q, "v": v, "t": np.array([t])}
    return min(candidates, key=lambda a: len(trace(inputs, {"a": a}).code))


def _motion(tree: Tree, q, v, t) -> dict:
    return {
        "q_dot": rates(tree, q, v) + chart_feedback(tree, q),
        "v_dot": shortest_accelerations(tree, q, v, t, stabilized=True),
    }


def _rates(tree: Tree, q, v, t) -> dict:
    defects = [link.joint.chart_defect(q[link.q]) for link in tree.links if link.joint.nq]
    gaps = closures.all_gaps(tree, q)
    return {"q_dot": rates(tree, q, v), "defects": [d for d in defects if d is not None], "gaps": gaps,
            "gap_rates": closures.gap_jacobian(tree, q) @ v if tree.closures else []}  # fmt: skip


def _bodies(tree: Tree, q, v, t) -> dict:
    groups = {}
    for link, placed in zip(tree.links, placements(tree, q, v), strict=True):
        view = BodyView(link, placed)
        for what in ("position", "rotation", "velocity", "angular_velocity", "center", "center_velocity"):
            groups[f"{link.body.name}/{what}"] = getattr(view, what)
        groups[f"{link.body.name}/mass"] = [link.mass]
    return groups


@final
@dataclass(frozen=True, eq=False)
class _Loads:
    """Everything that acts in joints, in world axes: ``joints`` at the link origins, ``closing`` at the points ``points``."""

    placed: list
    joints: list
    closing: list
    points: list


def _loads(tree: Tree, q, v, t) -> _Loads:
    placed = placements(tree, q, v)
    if tree.closures:
        a, lam = constrained.accelerations(tree, q, v, applied_forces(tree, t, q, v))
        closing = closures.closing_wrenches(tree, q, lam)
        external = closures.wrenches_on_links(tree, q, closing)
    else:
        a, closing, external = shortest_accelerations(tree, q, v, t), [], None
    _, wrenches = inverse_dynamics(tree, q, v, a, external)
    turned = [np.concatenate([at.X_WL.R @ F[:3], at.X_WL.R @ F[3:]]) for at, F in zip(placed, wrenches, strict=True)]
    ends = [closures.world_wrench(c, placed, F) for c, F in zip(tree.closures, closing, strict=True)]
    return _Loads(placed, turned, [F for F, _ in ends], [point for _, point in ends])


def _reactions(tree: Tree, q, v, t) -> dict:
    loads = _loads(tree, q, v, t)
    groups = {}
    for link, at, F in zip(tree.links, loads.placed, loads.joints, strict=True):
        arm = at.X_WL.R @ link.joint_origin
        groups[link.joint.name] = np.concatenate([F[:3], F[3:] - cross(arm, F[:3])])
    return groups | {c.joint.name: F for c, F in zip(tree.closures, loads.closing, strict=True)}


def _balance(tree: Tree, q, v, t) -> dict:
    loads = _loads(tree, q, v, t)
    placed = loads.placed
    at_origin = [_moved(at.X_WL.p, F) for at, F in zip(placed, loads.joints, strict=True)]
    closing = [_moved(point, F) for point, F in zip(loads.points, loads.closing, strict=True)]
    momentum, wrench, momentum_size, wrench_size = [], [], [], []
    for link, at in zip(tree.links, placed, strict=True):
        i, weight, center = link.index, link.mass * tree.gravity, at.X_WL.apply(link.center)
        children = tree.children(i)
        total = at_origin[i] + np.concatenate([weight, cross(center, weight)])
        total = sum((-at_origin[child] for child in children), total)
        acting = [_size(center, weight, np.zeros(3))]
        acting += [_size(placed[k].X_WL.p, loads.joints[k][:3], loads.joints[k][3:]) for k in (i, *children)]
        for c, F, point, wide in zip(tree.closures, loads.closing, loads.points, closing, strict=True):
            if i in (c.child, c.parent):
                total = total + wide if i == c.child else total - wide
                acting.append(_size(point, F[:3], F[3:]))
        momentum.append(momentum_screw(link, at))
        wrench.append(total)
        momentum_size.append(_size(center, momentum[-1][:3], momentum[-1][3:]))
        wrench_size.append(sum(acting))
    ends = list(zip(tree.closures, loads.closing, loads.points, strict=True))
    return {
        "kinetic": [kinetic_energy(tree, placed)],
        "potential": [potential_energy(tree, q, placed)],
        "power": [drive_forces(tree, t, q, v) @ v if tree.nv else 0.0],
        "dissipation": [dissipative_forces(tree, v) @ v if tree.nv else 0.0],
        "momentum": np.concatenate(momentum),
        "wrench": np.concatenate(wrench),
        "momentum_size": np.concatenate(momentum_size),
        "wrench_size": np.concatenate(wrench_size),
        "reaction_power": [F @ closures.relative_twist(c, placed, point) for c, F, point in ends],
        "reaction_size": [_effort(F, closures.twist_at(placed[c.child], point)) for c, F, point in ends],
    }


def _effort(F, V):
    """How large the power of a wrench at a twist could be: forces times speeds, moments times angular speeds."""
    return np.sum(absolute(F[:3])) * np.sum(absolute(V[:3])) + np.sum(absolute(F[3:])) * np.sum(absolute(V[3:]))


def _closures(tree: Tree, q, v, t) -> dict:
    gaps = closures.all_gaps(tree, q)
    sides = [x for c in tree.closures for x in c.joint.sides(closures.relative_pose(tree, c, q))]
    J = closures.gap_jacobian(tree, q)
    return {"gaps": gaps, "slopes": J, "gap_rates": J @ v,
            "mass_matrix": mass_matrix(tree, q), "sides": sides}  # fmt: skip


def _moved(point, F) -> np.ndarray:
    """A wrench at a point, reduced at the world's origin."""
    return np.concatenate([F[:3], F[3:] + cross(point, F[:3])])


def _momenta(tree: Tree, q, v, t) -> dict:
    return {"p": mass_matrix(tree, q) @ v}


def _canonical(tree: Tree, given: Mapping[str, float]) -> Tape:
    """Hamilton's equations over (q, p, t), for velocities that are rates of coordinates."""
    q, _, t = _state(tree)
    p = symbols("p", tree.nv)
    q_dot, p_dot = hamilton.canonical_rates(tree, q, p, t)
    return trace({"q": q, "p": p, "t": np.array([t])}, {"q_dot": q_dot, "p_dot": p_dot}, given)


def _velocities(tree: Tree, given: Mapping[str, float]) -> Tape:
    q, _, t = _state(tree)
    p = symbols("p", tree.nv)
    return trace({"q": q, "p": p, "t": np.array([t])}, {"v": ldl_solve(hamilton.momentum_matrix(tree, q), p)}, given)


def _size(r, f, m) -> np.ndarray:
    """How large the terms of a screw {f, m + r × f} are, (6,): what its round-off is measured against."""
    force, moment = np.sum(absolute(f)), np.sum(absolute(m)) + np.sum(absolute(r)) * np.sum(absolute(f))
    return np.array([force] * 3 + [moment] * 3)


def _hamel(tree: Tree, given: Mapping[str, float]) -> Tape:
    q, v, t = _state(tree)
    a = symbols("a", tree.nv)
    residual, size = boltzmann_hamel.residual(tree, t, q, v, a)
    if tree.closures:
        loads, w = _loads(tree, q, v, t), symbols("w", tree.nv)
        moving = placements(tree, q, w)
        ends = zip(tree.closures, loads.closing, loads.points, strict=True)
        force = gradient(sum(F @ closures.relative_twist(c, moving, point) for c, F, point in ends), w)
        residual, size = residual - force, size + absolute(force)
    return trace({"q": q, "v": v, "t": np.array([t]), "a": a}, {"residual": residual, "size": size}, given)


def _integrals(tree: Tree, given: Mapping[str, float]) -> Tape:
    """Value and size of every first integral that holds for all values of the parameters."""
    q, v, t = _state(tree)
    found = first_integrals(tree, q, v, t, given, vary=True)
    return trace({"q": q, "v": v, "t": np.array([t])}, {one.name: [one.value, one.size] for one in found}, given)


TAPES: dict[str, Callable[[Tree, Mapping[str, float]], Tape]] = {
    "motion": _traced(_motion),
    "rates": _traced(_rates),
    "bodies": _traced(_bodies),
    "balance": _traced(_balance),
    "reactions": _traced(_reactions),
    "closures": _traced(_closures),
    "hamel": _hamel,
    "integrals": _integrals,
    "momenta": _traced(_momenta),
    "canonical": _canonical,
    "velocities": _velocities,
}
OF_THE_USERS_CHARTS = ("integrals",)
"""Tapes that know no bases: a first integral about the axis of a chart would change with it."""
CANONICAL = ("momenta", "canonical", "velocities")
