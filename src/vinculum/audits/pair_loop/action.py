"""The action of a motion of mass points whose pairs run as a loop."""

from typing import Any, final

import numpy as np

from vinculum.audits.action.loops import ActionOfLoop, Carried, LoopMechanics, tree_of_loop
from vinculum.audits.action.source import CURVE, NO_IMPULSES, ActionSource, CurveImpulses, CurveNodes, NodeRates
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.passes.trim import trim
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.actions import exerted_efforts
from vinculum.models.pair_loop.pair_loop import PairLoop
from vinculum.models.pair_loop.type import pair_loop_of
from vinculum.motion.record import Record
from vinculum.scalars import symbol, symbols
from vinculum.screws import Pose
from vinculum.systems import Placement, Tree


def action_of_pair_loop(motion: Record) -> ActionSource:
    """The action of a motion of mass points."""
    return ActionOfLoop(motion, MechanicsOfPoints(motion))


@final
class MechanicsOfPoints(LoopMechanics):
    """Points with masses in uniform gravity, pairs by their loop, and the other actions by a tape over the points they touch."""

    is_constrained = False

    def __init__(self, motion: Record):
        self.model, self.parameters = motion.model, motion.values
        tree, loop = tree_of_loop(motion.model), pair_loop_of(motion.model)
        known = loop.known_numbers(motion.values)
        self.masses = np.repeat(known["masses"], 3)
        self.weights = self.masses * np.tile(known["gravity"], loop.count)
        self.touched = (3 * loop.touched[:, None] + np.arange(3)).ravel()
        self.rest = _tape_of_others(tree, loop, dict(motion.model.parameters))
        self.timed = any(_has_timed_energy(tape) for tape in (self.rest, *(group.tape for group in loop.groups)))
        self.numbers = 12 * loop.count

    def displacements(
        self, place: np.ndarray, tangent: np.ndarray, w: np.ndarray, w_rate: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return w, w_rate

    def values(self, place: np.ndarray, tangent: np.ndarray, carry: str) -> np.ndarray:
        pace, u = tangent[:, 0], tangent[:, 1:]
        T, U = 0.5 * (u**2) @ self.masses, self._potential(place, u)[0]
        return T / pace - pace * U if carry == CURVE else T - U

    def rates(self, curve: CurveNodes, along: Carried, carry: str) -> NodeRates:
        place, u = curve.place, curve.tangent[:, 1:]
        U, slope, force, other = self._potential(place, u)
        inertial, exerted, given = self.masses * u * along.w_rate, force * along.w, other * along.w
        clock = -slope * along.time
        lie, power = inertial.sum(axis=1) + exerted.sum(axis=1) + clock, given.sum(axis=1)
        size = sum(np.abs(x).sum(axis=1) for x in (inertial, exerted, given)) + np.abs(clock)
        if carry == CURVE:
            T, lost = 0.5 * (u**2) @ self.masses, -(other * u) * along.time[:, None]
            lie, power = lie - (T + U) * along.time_rate, power + lost.sum(axis=1)
            size = size + (T + np.abs(U)) * np.abs(along.time_rate) + np.abs(lost).sum(axis=1)
        return NodeRates(lie, power, size)

    def curve(self, time: np.ndarray, states: np.ndarray) -> CurveNodes:
        n, one = self.model.nq, np.ones((len(time), 1))
        return CurveNodes(np.concatenate([time[:, None], states[:, :n]], axis=1),
                          np.concatenate([one, states[:, n:]], axis=1), np.zeros((len(time), 0)))  # fmt: skip

    def impulses(self) -> CurveImpulses:
        return NO_IMPULSES

    def inertias(self, time: np.ndarray, states: np.ndarray) -> np.ndarray:
        return np.broadcast_to(self.masses, (len(time), len(self.masses)))

    def _potential(self, place: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """U and ∂U/∂t (T,), the forces −∂U/∂x and those that no energy has, (T, 3n)."""
        t, x = place[:, :1], place[:, 1:]
        values = np.broadcast_to(self.parameters, (len(place), len(self.parameters)))
        force, _, whole = self.model.tape("balance").pairs(np.concatenate([x, v, t, values], axis=1))
        touched = np.concatenate([x[:, self.touched], v[:, self.touched], t, values], axis=1)
        rest, other = evaluate_groups(self.rest, touched, again=True), np.zeros_like(x)
        force = force + self.weights
        force[:, self.touched] += rest["force"]
        other[:, self.touched] = rest["other"]
        U = whole[:, 0] + rest["energy"][:, 0] - x @ self.weights
        return U, whole[:, 2] + rest["time_slope"][:, 0], force, other


def _tape_of_others(tree: Tree, loop: PairLoop, parameters: dict[str, float]) -> Tape:
    """Energy, ∂U/∂t, forces of energies and other forces of all actions besides the pairs, over (x, v, t) of the touched points."""
    looped, touched = {group.name for group in loop.groups}, loop.touched.tolist()
    x, v, t = symbols("x", 3 * len(touched)), symbols("v", 3 * len(touched)), symbol("t")
    own = {i: slice(3 * k, 3 * k + 3) for k, i in enumerate(touched)}
    placed: Any = {i: Placement(Pose.of(np.eye(3), x[at]), v[at], np.zeros(3)) for i, at in own.items()}
    energy, slope = 0.0, 0.0
    force, other = np.zeros((2, 3 * len(touched)), dtype=object)
    for acting in tree.actions:
        if acting.action.name in looped:
            continue
        does = exerted_efforts(tree, acting, placed, t)
        energy, slope = energy + does.energy, slope + does.time_slope
        for i, (f, _), (g, _) in zip(acting.links, does.potential, does.other, strict=True):
            if i >= 0:
                force[own[i]] += f
                other[own[i]] += g
    outputs = {"energy": [energy], "time_slope": [slope], "force": force, "other": other}
    return trace({"x": x, "v": v, "t": np.array([t])}, outputs, dict(sorted(parameters.items())))


def _has_timed_energy(tape: Tape) -> bool:
    """Whether the energy that a tape gives depends on its input t."""
    energy, t = tape.slices(tape.outputs)["energy"], tape.slices(tape.inputs)["t"]
    return t.start in trim(tape, np.arange(energy.start, energy.stop)).inputs
