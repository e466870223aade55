"""`Model`: a system ready to run, as names, layout and tapes. Plain data, so it can be stored and sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.equations import articulated, boltzmann_hamel, composite
from vinculum.equations.applied import applied_forces, dissipative_forces, drive_forces, rates, spring_forces
from vinculum.equations.composite import mass_matrix
from vinculum.equations.energies import central_momentum, kinetic_energy, potential_energy
from vinculum.equations.newton_euler import at_parent, inverse_dynamics
from vinculum.errors import ModelError, StartError
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.scalars import gradient, ldl_solve, parameters, substitute, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import cross
from vinculum.systems import BodyView, Tree, link_steps, nearest, placements

FEEDBACK = 1.0
SMALL = 10


@final
@dataclass(frozen=True, eq=False)
class Model:
    """Layout and tapes of a system. Every tape takes (q, v, t, parameters), `hamel` also the accelerations.

    ``layout``: names, units and slices as plain data. Tapes are made when first asked for: `motion` (q̇, v̇),
    `rates` (N v and chart defects), `bodies`, `balance`, `reactions`, `hamel`, and where velocities are rates of
    coordinates `momenta`, `canonical`, `velocities`.
    """

    layout: dict[str, Any]
    tapes: dict[str, Tape] = field(default_factory=dict)
    tree: Tree | None = None

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
                self.tapes[name] = TAPES[name](self.tree, self.parameters)
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
        return [name for name in TAPES if self.layout["flat"] or name not in CANONICAL]

    def projected(self, states: np.ndarray) -> np.ndarray:
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
        if name not in known:
            one = {"bodies": "body", "joints": "joint"}[kind]
            raise StartError(f"there is no {one} '{name}' in system '{self.name}'{nearest(name, known)}")
        return known[name]


def model_of(tree: Tree) -> Model:
    """The model of a checked tree."""
    q, v, t = _state(tree)
    found = tree.parameters() | parameters(np.array([*drive_forces(tree, t, q, v), 0.0], dtype=object))
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
        "flat": all(k.joint.rates(q[k.q], own) is own for k in links for own in [v[k.v]]),
        "quaternions": [[k.q.stop - 4, k.q.stop] for k in links if k.joint.nq and k.joint.chart_defect(q[k.q]) is not None],
        "parameters": {name: found[name] for name in sorted(found)},
    }  # fmt: skip
    return Model(layout, {}, tree)


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


def shortest_accelerations(tree: Tree, q, v, t) -> np.ndarray:
    """v̇ by articulated bodies, or by composite bodies where that makes the shorter tape (few velocities)."""
    tau = applied_forces(tree, t, q, v)
    candidates = [articulated.accelerations(tree, q, v, tau)]
    if tree.nv <= SMALL:
        candidates.append(composite.accelerations(tree, q, v, tau))
    if len(candidates) == 1:
        return candidates[0]
    inputs = {"q": q, "v": v, "t": np.array([t])}
    return min(candidates, key=lambda a: len(trace(inputs, {"a": a}).code))


def _motion(tree: Tree, q, v, t) -> dict:
    return {"q_dot": rates(tree, q, v) + chart_feedback(tree, q), "v_dot": shortest_accelerations(tree, q, v, t)}


def _rates(tree: Tree, q, v, t) -> dict:
    defects = [link.joint.chart_defect(q[link.q]) for link in tree.links if link.joint.nq]
    return {"q_dot": rates(tree, q, v), "defects": [d for d in defects if d is not None]}


def _bodies(tree: Tree, q, v, t) -> dict:
    groups = {}
    for link, placed in zip(tree.links, placements(tree, q, v), strict=True):
        view = BodyView(link, placed)
        for what in ("position", "rotation", "velocity", "angular_velocity", "center", "center_velocity"):
            groups[f"{link.body.name}/{what}"] = getattr(view, what)
        groups[f"{link.body.name}/mass"] = [link.mass]
    return groups


def _wrenches(tree: Tree, q, v, t) -> tuple[list, list]:
    """Placements, and the wrench of every joint on its child, in the link's axes at its origin."""
    a = shortest_accelerations(tree, q, v, t)
    return placements(tree, q, v), inverse_dynamics(tree, q, v, a)[1]


def _reactions(tree: Tree, q, v, t) -> dict:
    placed, wrenches = _wrenches(tree, q, v, t)
    groups = {}
    for link, at, F in zip(tree.links, placed, wrenches, strict=True):
        R = at.X_WL.R
        groups[link.joint.name] = np.concatenate([R @ F[:3], R @ (F[3:] - cross(link.joint_origin, F[:3]))])
    return groups


def _balance(tree: Tree, q, v, t) -> dict:
    """Energies, powers, and of every body its mass centre, its momentum screw and the wrench on it, both reduced there.

    Nothing here grows with the distance from the world's origin but the centres and the potential energy; what their
    round-off is measured against is ``reach``, the way to the body along its joints, and ``potential_size``.
    """
    placed, wrenches = _wrenches(tree, q, v, t)
    on_bodies = [[(F[:3], F[3:], _length(F[3:]))] for F in wrenches]
    for link, F in zip(tree.links, wrenches, strict=True):
        if link.parent >= 0:
            f, m = at_parent(link, q, F[:3], F[3:])
            arm = sum(_length(X.p) for X in link_steps(link, q))
            on_bodies[link.parent].append((-f, -m, _length(F[3:]) + arm * _length(f)))
    centers, momenta, total, sizes, reach = [], [], [], [], []
    for link, at, acting in zip(tree.links, placed, on_bodies, strict=True):
        R, weight = at.X_WL.R, link.mass * tree.gravity
        f, m = (sum(F[k] for F in acting) for k in (0, 1))
        total.append(np.concatenate([R @ f + weight, R @ (m - cross(link.center, f))]))
        size = sum(_length(F[0]) for F in acting)
        moment = sum(F[2] for F in acting) + _length(link.center) * size
        sizes.append(np.array([size + _length(weight)] * 3 + [moment] * 3))
        centers.append(at.X_WL.apply(link.center))
        momenta.append(central_momentum(link, at))
        way = sum(_length(X.p) for X in link_steps(link, q))
        reach.append(way + (reach[link.parent] if link.parent >= 0 else 0.0))
    reach = [way + _length(link.center) for way, link in zip(reach, tree.links, strict=True)]
    spring = spring_forces(tree, q) * v
    lifts = [tree.gravity @ p[:3] for p in momenta]
    return {
        "kinetic": [kinetic_energy(tree, placed)],
        "potential": [potential_energy(tree, q, placed)],
        "power": [drive_forces(tree, t, q, v) @ v if tree.nv else 0.0],
        "dissipation": [dissipative_forces(tree, v) @ v if tree.nv else 0.0],
        "work": [sum(spring, 0.0) + sum(lifts, 0.0)],
        "work_size": [_length(spring) + _length(tree.gravity) * sum((_length(p[:3]) for p in momenta), 0.0)],
        "potential_size": [_length([k.mass * way for k, way in zip(tree.links, reach, strict=True)])
                           * _length(tree.gravity) + _length([k.joint.spring_energy(q[k.q]) for k in tree.links if k.joint.nv])],
        "mass": [link.mass for link in tree.links],
        "reach": reach,
        "center": np.concatenate(centers),
        "momentum": np.concatenate(momenta),
        "wrench": np.concatenate(total),
        "wrench_size": np.concatenate(sizes),
    }  # fmt: skip


def _momenta(tree: Tree, q, v, t) -> dict:
    return {"p": mass_matrix(tree, q) @ v}


def _canonical(tree: Tree, given: Mapping[str, float]) -> Tape:
    """Hamilton's equations over (q, p, t): q̇ = M⁻¹ p and ṗ = ∂L/∂q + Q, for velocities that are rates of coordinates."""
    q, v, t = _state(tree)
    p = symbols("p", tree.nv)
    placed = placements(tree, q, v)
    lagrangian = kinetic_energy(tree, placed) - potential_energy(tree, q, placed)
    p_dot = gradient(lagrangian, q) + drive_forces(tree, t, q, v) + dissipative_forces(tree, v)
    velocity = ldl_solve(mass_matrix(tree, q), p)
    return trace(
        {"q": q, "p": p, "t": np.array([t])}, {"q_dot": velocity, "p_dot": substitute(p_dot, v, velocity)}, given
    )


def _velocities(tree: Tree, given: Mapping[str, float]) -> Tape:
    q, _, t = _state(tree)
    p = symbols("p", tree.nv)
    return trace({"q": q, "p": p, "t": np.array([t])}, {"v": ldl_solve(mass_matrix(tree, q), p)}, given)


def _length(x):
    """Σ |x|, the size of a vector that its round-off is measured against."""
    return sum(absolute(np.asarray(x, dtype=object)), 0.0)


def _hamel(tree: Tree, given: Mapping[str, float]) -> Tape:
    q, v, t = _state(tree)
    a = symbols("a", tree.nv)
    residual, size = boltzmann_hamel.residual(tree, t, q, v, a)
    return trace({"q": q, "v": v, "t": np.array([t]), "a": a}, {"residual": residual, "size": size}, given)


TAPES: dict[str, Callable[[Tree, Mapping[str, float]], Tape]] = {
    "motion": _traced(_motion),
    "rates": _traced(_rates),
    "bodies": _traced(_bodies),
    "balance": _traced(_balance),
    "reactions": _traced(_reactions),
    "hamel": _hamel,
    "momenta": _traced(_momenta),
    "canonical": _canonical,
    "velocities": _velocities,
}
CANONICAL = ("momenta", "canonical", "velocities")
