"""The discrete problem: the action as a sum over Gauss points of a mesh, with all conditions on values at nodes, for CasADi."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.compile.targets.casadi import casadi_function
from vinculum.compile.trace import trace
from vinculum.geometry.boundary_values.actions import ActionGraph, Rows
from vinculum.geometry.boundary_values.mesh import Mesh
from vinculum.scalars import depends_on


class Integral(NamedTuple):
    """A condition ∫ G dt = value."""

    name: str
    G: Any
    value: float


@final
@dataclass(frozen=True, eq=False)
class Conditions:
    """A boundary-value problem as graphs and numbers: fixed values at both ends, {place: value}, limits of the end time, integrals, and
    unilateral constraints g ≥ 0; ``parameters`` (names and values)."""

    action: ActionGraph
    begin: float
    until: tuple[float, float]
    first: dict[int, float]
    last: dict[int, float]
    integrals: tuple[Integral, ...]
    unilaterals: tuple[Rows, ...]
    parameters: dict[str, float]

    @property
    def is_timed(self) -> bool:
        """Whether the end time is given."""
        return self.until[0] == self.until[1]

    @cached_property
    def moving(self) -> np.ndarray:
        """Whether the rate of a coordinate occurs (n,); the others are controls, which may jump."""
        graphs = [self.action.L, *(x for rows in (*self.action.constraints, *self.unilaterals) for x in rows.F)]
        graphs += [one.G for one in self.integrals]
        every = np.array([*graphs, 0.0], dtype=object)
        ends = {*self.first, *self.last}
        on_positions = [x for rows in self.action.constraints if rows.on_positions for x in rows.F]
        bound = np.array([*on_positions, 0.0], dtype=object)
        return np.array([
            depends_on(every, [rate]) or i in ends or depends_on(bound, [x])
            for i, (x, rate) in enumerate(zip(self.action.q, self.action.v, strict=True))
        ])  # fmt: skip

    def at_nodes(self, rows: Rows) -> bool:
        """Whether a condition is imposed at nodes: it holds neither velocities nor controls."""
        return not depends_on(np.append(rows.F, 0.0), [*self.action.v, *self.action.q[~self.moving]])

    def function(self, graphs: Sequence) -> Any:
        """A CasADi function of (q, v, t) at one instant."""
        action = self.action
        tape = trace(
            {"q": action.q, "v": action.v, "t": np.array([action.t])},
            {"y": np.array([*graphs], dtype=object)},
            self.parameters,
        )
        return casadi_function(tape)


class Group(NamedTuple):
    """Rows of the discrete problem that belong to one condition, in words. ``nodes``: those at which it is imposed, None where it is at
    Gauss points or once."""

    words: str
    name: str
    kind: str
    rows: slice
    nodes: slice | None


@final
@dataclass(frozen=True, eq=False)
class Discrete:
    """Variables x: values at nodes (Kp+1) of moving coordinates, values at Gauss points (Kp) of controls, and the end time, in this order;
    ``objective`` and ``rows`` are CasADi's expressions of them."""

    conditions: Conditions
    mesh: Mesh
    x: Any
    objective: Any
    rows: Any
    low: np.ndarray
    high: np.ndarray
    groups: tuple[Group, ...]

    def pack(self, states: np.ndarray, controls: np.ndarray, until: float) -> np.ndarray:
        """One row of variables."""
        return np.concatenate([states.ravel(order="F"), controls.ravel(order="F"), [until]])

    def unpack(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Values at nodes (Kp+1, s), values of controls at Gauss points (Kp, n−s), and the end time."""
        s, c = int(self.conditions.moving.sum()), int((~self.conditions.moving).sum())
        nodes, points = len(self.mesh.nodes), len(self.mesh.points)
        states = x[: s * nodes].reshape((nodes, s), order="F")
        controls = x[s * nodes : s * nodes + c * points].reshape((points, c), order="F")
        return states, controls, float(x[-1])


def discretize(conditions: Conditions, mesh: Mesh) -> Discrete:
    """The discrete problem on a mesh."""
    import casadi as ca

    action, moving = conditions.action, conditions.moving
    s, c, nodes, points = int(moving.sum()), int((~moving).sum()), len(mesh.nodes), len(mesh.points)
    states, controls, until = ca.MX.sym("s", nodes, s), ca.MX.sym("c", points, c), ca.MX.sym("T")
    x = ca.vertcat(ca.vec(states), ca.vec(controls), until)
    span = until - conditions.begin
    A, D = (ca.DM(matrix) for matrix in mesh.matrices())
    place = {int(i): ("s", k) for k, i in enumerate(np.flatnonzero(moving))}
    place |= {int(i): ("c", k) for k, i in enumerate(np.flatnonzero(~moving))}
    inner, rates = ca.mtimes(A, states), ca.mtimes(D, states) / span
    n, zeros = len(action.q), ca.DM.zeros(points, 1)
    q_points = [inner[:, place[i][1]] if place[i][0] == "s" else controls[:, place[i][1]] for i in range(n)]
    v_points = [rates[:, place[i][1]] if place[i][0] == "s" else zeros for i in range(n)]
    values = [conditions.parameters[name] for name in sorted(conditions.parameters)]

    def columns(q, v, t, count):
        given = [ca.repmat(ca.DM([value]), count, 1) for value in values]
        return ca.horzcat(*q, *v, t, *given).T

    at_points = columns(q_points, v_points, conditions.begin + span * mesh.points, points)
    blank = ca.DM.zeros(nodes, 1)
    q_nodes = [states[:, place[i][1]] if place[i][0] == "s" else blank for i in range(n)]
    at_nodes = columns(q_nodes, [blank] * n, conditions.begin + span * mesh.nodes, nodes)

    def over(graphs, inputs, count):
        return conditions.function(graphs).map(count)(inputs)

    weights = ca.DM(mesh.weights)
    sums = over([action.L, *(one.G for one in conditions.integrals)], at_points, points)
    integrals = ca.mtimes(sums, weights) * span
    parts, low, high, groups, count = [], [], [], [], 0

    def add(rows, least, most, words, name, kind, at=None):
        nonlocal count
        size = rows.shape[0]
        parts.append(rows)
        low.append(np.full(size, least))
        high.append(np.full(size, most))
        groups.append(Group(words, name, kind, slice(count, count + size), at))
        count += size

    for which, fixed, row in (("start", conditions.first, 0), ("end", conditions.last, nodes - 1)):
        for i, value in fixed.items():
            add(
                states[row, place[i][1]],
                value,
                value,
                f"{which} of '{action.coordinates[i]}' at {value:.6g}",
                action.coordinates[i],
                which,
            )
    for k, one in enumerate(conditions.integrals):
        add(integrals[k + 1], one.value, one.value, f"integral '{one.name}' = {one.value:.6g}", one.name, "integral")
    every = slice(0, nodes)
    for rows in action.constraints:
        kept = _free_nodes(conditions, nodes) if rows.on_positions else None
        found = over(rows.F, at_points, points) if kept is None else over(rows.F, at_nodes, nodes)[:, kept]
        add(ca.vec(found.T), 0.0, 0.0, f"constraint '{rows.name}'", rows.name, "constraint", kept)
    for rows in conditions.unilaterals:
        kept = every if conditions.at_nodes(rows) else None
        found = over(rows.F, at_points, points) if kept is None else over(rows.F, at_nodes, nodes)
        add(ca.vec(found.T), 0.0, np.inf, f"unilateral constraint '{rows.name}' ≥ 0", rows.name, "unilateral", kept)
    rows = ca.vertcat(*parts) if parts else ca.MX(0, 1)
    limits = np.concatenate([np.zeros(0), *low]), np.concatenate([np.zeros(0), *high])
    return Discrete(conditions, mesh, x, integrals[0], rows, *limits, tuple(groups))


def _free_nodes(conditions: Conditions, nodes: int) -> slice:
    """The nodes at which positions are not given completely."""
    every = set(np.flatnonzero(conditions.moving).tolist())
    return slice(0 if every - set(conditions.first) else 1, nodes if every - set(conditions.last) else nodes - 1)
