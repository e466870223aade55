"""`ActionOfBlocks`: the action of all blocks of one kind, by tapes over their rows; bonds between blocks are left out."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, final

import numpy as np

from vinculum.audits.action.loops import Carried
from vinculum.audits.action.source import CURVE, ActionGraphs, CurveNodes, NodeRates
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms.hamilton import lagrangian_parts
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates, rates_are_velocities, velocities
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.models.tabled.blocks import Alike
from vinculum.models.tabled.kinds import FRAME, Kind, block_of, frames, with_wrenches
from vinculum.scalars import depends_on, directional, gradient, substitute, symbol, symbols
from vinculum.systems import Tree


@final
class ActionOfBlocks:
    """``q``, ``v`` (m, n): places of the blocks' coordinates and velocities in the state; ``bodies`` (m, b)."""

    def __init__(self, tree: Tree, alike: Alike, kind: Kind, parameters: Mapping[str, float]):
        self.block, self.kind, self.parameters = block_of(tree, alike), kind, parameters
        self.q, self.v, self.bodies = kind.q, kind.v, kind.bodies
        self.nq, self.nv = kind.q.shape[1], kind.v.shape[1]

    @cached_property
    def _graphs(self) -> ActionGraphs:
        q, u, t = symbols("q", self.nq), symbols("u", self.nq), symbol("t")
        kinetic, potential, others = lagrangian_parts(self.block.at(t, q), t, q, u)
        timed = bool(self.block.prescribed) or depends_on(np.array([kinetic, potential, 0.0], dtype=object), [t])
        none = np.zeros(0, dtype=object)
        return ActionGraphs(self.block.name, (), t, q, u, none, kinetic - potential, kinetic, potential,
                            np.asarray(others, dtype=object), none, none, none, timed, {})  # fmt: skip

    @property
    def timed(self) -> bool:
        """Whether energies depend on time."""
        return self._graphs.timed

    def displacements(self, place, tangent, w: np.ndarray, w_rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """N w and its rate, (T, m, nq) each."""
        if self._moves_freely:
            return w[:, self.v], w_rate[:, self.v]
        given = [self._places(place), self._places(tangent), w[:, self.v], w_rate[:, self.v]]
        at = self._at(self._flow, *given)
        return at["moved"], at["turned"]

    @cached_property
    def _moves_freely(self) -> bool:
        """Whether velocities are the rates of coordinates."""
        return rates_are_velocities(self.block)

    @cached_property
    def _flow(self) -> Tape:
        own, w, w_rate = self._graphs, symbols("w", self.nv), symbols("w_rate", self.nv)
        moved, turned = self._displacement_graphs(w, w_rate)
        return trace(
            {"place": own.place, "tangent": own.tangent, "w": w, "w_rate": w_rate}, {"moved": moved, "turned": turned}
        )

    def _displacement_graphs(self, w: np.ndarray, w_rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """N w and its rate as graphs."""
        own = self._graphs
        moved = rates(self.block.at(own.t, own.q), own.q, w)
        from_, to = np.concatenate([own.place, w]), np.concatenate([own.tangent, w_rate])
        return np.asarray(moved, dtype=object), np.asarray(directional(moved, from_, to), dtype=object)

    def values(self, place: np.ndarray, tangent: np.ndarray, carry: str) -> np.ndarray:
        """The integrand of the action, summed over blocks, (T,)."""
        return self._at(self._values(carry), self._places(place), self._places(tangent))["action"].sum(axis=(1, 2))

    @cached_property
    def _values(self) -> Callable[[str], Tape]:
        own = self._graphs
        return cache(
            lambda carry: trace({"place": own.place, "tangent": own.tangent}, {"action": [own.integrand(carry)]})
        )

    def rates(self, curve: CurveNodes, v: np.ndarray, along: Carried, carry: str) -> NodeRates:
        """The derivative of the integrand along carriers, and the power of dampers, drives and dissipation in the blocks."""
        clock = np.broadcast_to(np.stack([along.time, along.time_rate], axis=1)[:, None], (len(v), len(self.kind), 2))
        given = [
            self._places(curve.place),
            self._places(curve.tangent),
            along.w[:, self.v],
            along.w_rate[:, self.v],
            clock,
        ]
        at = self._at(self._rates(carry), *given)
        return NodeRates(*(at[name].sum(axis=(1, 2)) for name in ("rate", "power", "size")))

    @cached_property
    def _rates(self) -> Callable[[str], Tape]:
        return cache(self._trace_rates)

    def _trace_rates(self, carry: str) -> Tape:
        own, w, w_rate, clock = self._graphs, symbols("w", self.nv), symbols("w_rate", self.nv), symbols("clock", 2)
        moved, turned = self._displacement_graphs(w, w_rate)
        along = np.concatenate([clock[:1], moved, clock[1:], turned])
        terms = gradient(own.integrand(carry), np.concatenate([own.place, own.tangent])) * along
        powers = own.others * moved
        if carry == CURVE:
            powers = np.concatenate([powers, -1.0 * clock[0] * (own.others * own.u)])
        inputs = {"place": own.place, "tangent": own.tangent, "w": w, "w_rate": w_rate, "clock": clock}
        size = sum((abs(x) for x in (*terms, *powers)), 0.0)
        return trace(inputs, {"rate": [sum(terms, 0.0)], "power": [sum(powers, 0.0)], "size": [size]})

    def twists(
        self, place: np.ndarray, v: np.ndarray, lost: np.ndarray, along: Carried
    ) -> tuple[np.ndarray, np.ndarray]:
        """Virtual twists (T, m, b, 6) of bodies along velocities ``lost`` (T, nv), and along carriers, with what moves by time."""
        clock = np.broadcast_to(along.time[:, None, None], (len(v), len(self.kind), 1))
        at = self._at(self._twists, self._places(place), v[:, self.v], lost[:, self.v], along.w[:, self.v], clock)
        shape = (len(v), *self.bodies.shape, 6)
        return at["exerted"].reshape(shape), at["moved"].reshape(shape)

    @cached_property
    def _twists(self) -> Tape:
        own, v, lost, w, clock = self._graphs, *(symbols(name, self.nv) for name in ("v", "lost", "w")), symbol("clock")
        found = np.asarray(frames(self.block.at(own.t), own.q, v, own.t)["frames"], dtype=object)
        twist = found.reshape(-1, FRAME)[:, 12:].ravel()
        drift = substitute(twist, v, np.zeros(self.nv))
        outputs = {"exerted": directional(twist, v, lost), "moved": directional(twist, v, w) + clock * drift}
        inputs = {"place": own.place, "v": v, "lost": lost, "w": w, "clock": np.array([clock])}
        return trace(inputs, outputs)

    def reactions(self, place: np.ndarray, v: np.ndarray, a: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
        """What accelerations a (T, nv) need beside all applied forces, (T, m, nv). ``wrenches`` (T, n, 6): of bonds on bodies."""
        return self._at(self._reactions, self._places(place), v[:, self.v], a[:, self.v], wrenches=wrenches)[
            "reactions"
        ]

    @cached_property
    def _reactions(self) -> Tape:
        own, v, a = self._graphs, symbols("v", self.nv), symbols("a", self.nv)
        placed = with_wrenches(self.block, conditioned=True).at(own.t)
        needed, _ = inverse_dynamics(placed, own.q, v, a)
        outputs = {"reactions": needed - applied_forces(placed, own.t, own.q, v)}
        return trace({"place": own.place, "v": v, "a": a}, outputs)

    def velocities(self, place: np.ndarray, tangent: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """v and v̇ (T, m, nv) on a path with rates and second rates of coordinates."""
        at = self._at(self._velocities, self._places(place), self._places(tangent), self._places(second))
        return at["v"], at["a"]

    @cached_property
    def _velocities(self) -> Tape:
        own, second = self._graphs, symbols("second", self.nq + 1)
        v = np.asarray(velocities(self.block.at(own.t, own.q), own.q, own.u), dtype=object)
        a = directional(v, np.concatenate([own.place, own.u]), np.concatenate([own.tangent, second[1:]]))
        return trace({"place": own.place, "tangent": own.tangent, "second": second}, {"v": v, "a": a})

    def canonical(self, place: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Momenta ∂L/∂v (T, m, nv) and energies v · ∂L/∂v − L, summed over blocks (T,)."""
        at = self._at(self._canonical, self._places(place), self._places(tangent))
        return at["momenta"], at["energy"].sum(axis=(1, 2))

    @cached_property
    def _canonical(self) -> Tape:
        own, w = self._graphs, symbols("w", self.nv)
        p = gradient(own.lagrangian, own.u)
        moved = np.asarray(rates(self.block.at(own.t, own.q), own.q, w), dtype=object)
        outputs = {"momenta": gradient(p @ moved, w), "energy": [p @ own.u - own.lagrangian]}
        return trace({"place": own.place, "tangent": own.tangent}, outputs)

    def momenta(self, place: np.ndarray, v: np.ndarray) -> np.ndarray:
        """M v (T, m, nv)."""
        M = self._at(self._mass, self._places(place))["mass"].reshape(len(place), len(self.kind), self.nv, self.nv)
        return np.einsum("tmij,tmj->tmi", M, v[:, self.v])

    def inertias(self, place: np.ndarray) -> np.ndarray:
        """The diagonal of M, (T, m, nv)."""
        M = self._at(self._mass, self._places(place))["mass"].reshape(len(place), len(self.kind), self.nv, self.nv)
        return np.einsum("tmii->tmi", M)

    @cached_property
    def _mass(self) -> Tape:
        own = self._graphs
        return trace({"place": own.place}, {"mass": np.ravel(mass_matrix(self.block.at(own.t), own.q))})

    def _places(self, whole: np.ndarray) -> np.ndarray:
        """Places or tangents (T, m, 1 + nq) of every block, from those of the system (T, 1 + all)."""
        first = np.broadcast_to(whole[:, :1, None], (len(whole), len(self.kind), 1))
        return np.concatenate([first, whole[:, 1:][:, self.q]], axis=2)

    def _at(self, tape: Tape, *given: np.ndarray, wrenches: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """The outputs (T, m, size) of a tape over all blocks; ``given`` (T, m, …): its inputs without parameters."""
        T, m = given[0].shape[:2]
        columns = [self._parameter(name, wrenches) for name, _ in tape.parameters]
        rows = np.concatenate([*given, *(np.broadcast_to(x, (T, m))[:, :, None] for x in columns)], axis=2)
        with np.errstate(all="ignore"):
            found = evaluate_groups(tape, rows.reshape(T * m, -1), again=True)
        return {name: x.reshape(T, m, -1) for name, x in found.items()}

    def _parameter(self, name: str, wrenches: np.ndarray | None) -> Any:
        """A parameter of all blocks: a number of their rows, a component of a wrench, or one that a user gives."""
        if name.startswith("~number "):
            return self.kind.numbers[:, int(name.split()[1])]
        if name.startswith("~wrench "):
            assert wrenches is not None
            body, component = divmod(int(name.split()[1]), 6)
            return wrenches[:, self.bodies[:, body], component]
        return self.parameters[name]
