"""The action of a motion of bodies whose equations are graphs."""

from collections.abc import Sequence
from functools import cached_property
from typing import final

import numpy as np

from vinculum.audits.action.graphs import GraphSource
from vinculum.audits.action.source import NO_IMPULSES, ActionGraphs, CurveImpulses, CurveNodes
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, Impacts, impacts
from vinculum.audits.phases import phases
from vinculum.audits.weak.closing_moves import closing_moves, stopped_slips
from vinculum.audits.weak.fields import inertia_blocks, random_fields
from vinculum.audits.weak.outward import outward_field
from vinculum.audits.weak.residual import dense_output_errors, method_errors
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms.hamilton import lagrangian_parts
from vinculum.equations.recursions.coordinate_rates import rates, velocities
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.errors import MethodError
from vinculum.geometry.sources.bodies import identifiers
from vinculum.models.model import Model
from vinculum.motion.chart_changes import ChartChange, base_places, stretch_at, stretch_of
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import parameters_at, recorded_states, tape_rows
from vinculum.scalars import depends_on, jacobian, substitute, symbol, symbols
from vinculum.scalars.graph import nodes
from vinculum.systems import Tree, with_bases
from vinculum.systems.state_names import q_names
from vinculum.tolerances.certificates import RESTARTED, WEAK_METHOD_SAFETY
from vinculum.tolerances.samples import AT_IMPACTS


@final
class ActionOfBodies(GraphSource):
    """T − U of a tree; dampers, drives, other forces, reactions and impulses are forces beside it.

    Where the motion changes charts of rotations, the bases of these charts are further coordinates, which no virtual velocity moves.
    Virtual velocities themselves, angular ones included, are the same in every chart.
    """

    def __init__(self, motion: Record):
        tree = _checked_tree(motion)
        self.motion, self.tree = motion, tree
        self.graphs = _graphs(motion, tree)
        self.edges = np.asarray(motion.pieces.times)
        self.found: Impacts | None = impacts(motion)
        self.stepped = motion.method.claims.name in TIME_STEPPING
        self.tails = dense_output_errors(motion)
        self.moved = np.zeros(0) if self.stepped else np.concatenate([closing_moves(motion), stopped_slips(motion)])
        self.is_constrained = motion.model.layout.rank > 0 or any(phase.closed for phase in motion.phases)
        self._forces: Tape | None = None

    def charted_coordinates(self, low: float, high: float) -> np.ndarray:
        return self._steady_coordinates([change for change in self.motion.changes if low < change.time < high])

    def named_coordinates(self, low: float, high: float) -> np.ndarray:
        return self._steady_coordinates([change for change in self.motion.changes if change.time < high])

    def _steady_coordinates(self, changes: Sequence[ChartChange]) -> np.ndarray:
        """Coordinates (nq,) of the joints that no change counts from another base."""
        free = np.arange(len(self.graphs.q)) < self.motion.model.nq
        for change in changes:
            for entry in self.motion.model.layout.charts:
                own = slice(*entry.q)
                free[own] &= bool((change.before[own] == change.after[own]).all())
        return free

    def nodes(self, piece: np.ndarray, time: np.ndarray) -> CurveNodes:
        motion, stretch = self.motion, stretch_of(self.motion.changes, piece)
        chosen, inverse = np.unique(piece, return_inverse=True)
        coefficients = motion.pieces.coefficients_of(chosen)
        dense = horner(coefficients, time - self.edges[piece], inverse)
        states = motion.model.on_charts(recorded_states(motion, time, dense, stretch))
        place, still = self._places(time, states, stretch), np.zeros((len(time), self._bases))
        tangent = np.concatenate([np.ones((len(time), 1)), self._rates(piece, time, states), still], axis=1)
        return CurveNodes(place, tangent, self._reactions(piece, time, states))

    @property
    def _bases(self) -> int:
        """Number of coordinates that are bases."""
        return len(self.graphs.q) - self.motion.model.nq

    def _places(self, time: np.ndarray, states: np.ndarray, stretch: np.ndarray) -> np.ndarray:
        """(t, q) with the bases of each stretch, (T, 1 + nq)."""
        motion, place = self.motion, np.concatenate([time[:, None], states[:, : self.motion.model.nq]], axis=1)
        if not self._bases:
            return place
        return np.concatenate([place, parameters_at(motion, time, stretch)[:, base_places(motion.model)]], axis=1)

    @property
    def hits(self) -> np.ndarray:
        return self._impulses.times

    def impulses(self, low: float, high: float) -> CurveImpulses:
        return self._impulses.between(low, high)

    @cached_property
    def _impulses(self) -> CurveImpulses:
        found, nq = self.found, self.motion.model.nq
        if found is None or not len(found):
            return NO_IMPULSES
        along = np.einsum("kij,kj->ki", found.here.mass, found.velocity_changes(found.here))
        states = self.motion.model.on_charts(found.left)
        place = self._places(found.times, states, stretch_at(self.motion.changes, found.times))
        return CurveImpulses(found.times, place, along, 0.5 * (found.left[:, nq:] + found.right[:, nq:]))

    def error(self, low: float, high: float) -> float:
        noise, claimed = method_errors(self.motion, self.tails, low, high, stepped=self.stepped)
        jumps = RESTARTED * np.sum((self.moved > low) & (self.moved < high))
        missed = WEAK_METHOD_SAFETY * (self.motion.method.step or 0.0) / (0.5 * (high - low)) if self.stepped else 0.0
        return noise + claimed + float(jumps) + missed

    def samples(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        fields = random_fields(self.motion, self.found, count, rng)
        hits = self.hits
        centers = np.array([field.center for field in fields])
        if len(hits):  # impulses may stand where no step ends, if the motion is not what it says
            near = rng.choice(hits, count) + rng.uniform(-0.5, 0.5, count) * [field.width for field in fields]
            centers = np.where(rng.random(count) < AT_IMPACTS, np.clip(near, self.edges[0], self.edges[-1]), centers)
        blocks = inertia_blocks(self.motion, centers)
        sizes = np.ones((count, self.motion.model.nv))
        for name, entry in self.motion.model.layout.joints.items():
            if entry.v[1] > entry.v[0]:
                sizes[:, slice(*entry.v)] = 1.0 / np.sqrt(np.einsum("tii->ti", blocks[name]))
        return [
            (center, field.width, size) for center, field, size in zip(centers.tolist(), fields, sizes, strict=True)
        ]

    def outward(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        if self.found is None or not np.any(self.found.contact_impulses):
            return []
        drawn = [outward_field(self.motion, self.found, rng) for _ in range(count)]
        return [(field.center, field.width, field.a) for field in drawn if field is not None]

    def inward_powers(self, low: float, high: float, w: np.ndarray) -> np.ndarray:
        assert self.found is not None
        inside = (self.found.times > low) & (self.found.times < high)
        speeds = np.einsum("krj,kj->kr", self.found.here.jacobians[inside], w)
        normal = np.zeros(speeds.shape[1], dtype=bool)
        normal[self.found.normals] = True
        wrong = np.where(normal, np.maximum(speeds, 0.0), np.abs(speeds))
        return np.sum(np.abs(self.found.contact_impulses[inside]) * wrong, axis=1)

    def _rates(self, piece: np.ndarray, time: np.ndarray, states: np.ndarray) -> np.ndarray:
        """q̇ = N v (T, nq)."""
        rows = tape_rows(self.motion, time, states, stretch_of(self.motion.changes, piece))
        return evaluate_groups(self.motion.model.tape("rates"), rows, again=True)["q_dot"]

    def _reactions(self, piece: np.ndarray, time: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Reactions (T, nv) of bilateral constraints and of closed unilateral ones, by the accelerations that they allow."""
        motion, nv = self.motion, self.motion.model.nv
        if not self.is_constrained:
            return np.zeros((len(time), nv))
        parts, stretch = phases(motion), stretch_of(motion.changes, piece)
        which = np.searchsorted([first for first, _ in parts], piece, side="right") - 1
        a = np.empty((len(time), nv))
        for k in np.unique(which):
            rows, part = np.flatnonzero(which == k), parts[k][1]
            inside = tape_rows(part, time[rows], states[rows], stretch[rows])
            a[rows] = evaluate_groups(part.model.tape("motion"), inside, again=True)["v_dot"]
        if self._forces is None:
            self._forces = _forces_tape(self.tree, motion.model)
        rows = tape_rows(motion, time, states, stretch)
        p = len(motion.model.parameters)
        given = np.concatenate([rows[:, : rows.shape[1] - p], a, rows[:, rows.shape[1] - p :]], axis=1)
        return evaluate_groups(self._forces, given, again=True)["reactions"]


def _checked_tree(motion: Record) -> Tree:
    """The tree of a motion; motions whose action is not an integral of energies are refused."""
    model = motion.model
    if model.tree is None:
        raise MethodError(
            f"'{model.name}' is a loaded run, which has no energies to differentiate; give it its system: motion.replace(system=system)"
        )
    tree = with_bases(model.tree)
    if not tree.nv:
        raise MethodError(f"system '{model.name}' has no velocities, so that no carrier moves it")
    if tree.varied or tree.varying:
        what = "a constraint is part of its Lagrangian" if tree.varied else "masses vary"
        raise MethodError(
            f"system '{model.name}': {what}, and its action is not that of the kinetic measure; use motion.audit() instead"
        )
    return tree


def _graphs(motion: Record, tree: Tree) -> ActionGraphs:
    model = motion.model
    q, u, t, r = symbols("q", tree.nq), symbols("u", tree.nq), symbol("t"), symbols("reaction", tree.nv)
    placed = tree.at(t, q)
    kinetic, potential, others = lagrangian_parts(placed, t, q, u)
    w = symbols("w", tree.nv)
    N = jacobian(rates(placed, q, w), w)
    v, names = np.asarray(velocities(placed, q, u), dtype=object), identifiers(q_names(tree))
    if motion.changes:
        parts = [kinetic, potential, *others, *v, *np.ravel(N)]
        bases, (kinetic, potential, *parts) = _with_bases_as_symbols(model, parts)
        others, v, N = np.split(np.array(parts, dtype=object), np.cumsum([tree.nq, tree.nv]))
        none = np.zeros(len(bases))
        others, N = np.concatenate([others, none]), np.concatenate([N, np.zeros(len(bases) * tree.nv)])
        q, u = np.concatenate([q, bases]), np.concatenate([u, symbols("base_rate", len(bases))])
        names = (*names, *(f"base_{k}" for k in range(len(bases))))
    timed = bool(tree.prescribed) or depends_on(np.array([kinetic, potential, 0.0], dtype=object), [t])
    known = dict(zip(sorted(model.parameters), motion.values.tolist(), strict=True))
    return ActionGraphs(
        f"system '{model.name}'", names, t, q, u, r, kinetic - potential, kinetic, potential, np.asarray(others, dtype=object),
        np.asarray(N, dtype=object).reshape(len(q), tree.nv), r, v, timed, known,
    )  # fmt: skip


def _with_bases_as_symbols(model: Model, graphs: list) -> tuple[np.ndarray, np.ndarray]:
    """Symbols of all bases, and the graphs over these instead of parameters."""
    names = [model.parameter_names[k] for k in base_places(model)]
    bases, found = symbols("base", len(names)), np.array([*graphs, None], dtype=object)[:-1]
    leaves = [leaf for leaf in nodes(found) if leaf.op == "parameter" and leaf.args[0] in names]
    return bases, substitute(found, leaves, [bases[names.index(leaf.args[0])] for leaf in leaves])


def _forces_tape(tree: Tree, model: Model) -> Tape:
    """What is needed for accelerations beside all applied forces and weights, (nv,)."""
    q, v, t, a = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t"), symbols("a", tree.nv)
    placed = tree.at(t, q)
    needed, _ = inverse_dynamics(placed, q, v, a)
    outputs = {"reactions": needed - applied_forces(placed, t, q, v)}
    return trace({"q": q, "v": v, "t": np.array([t]), "a": a}, outputs, model.parameters)
