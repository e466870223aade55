"""`mobility`: degrees of freedom of closed loops, redundant closing conditions, and reactions that are not unique."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.derivations.starts.assembly import Assembly, assemble, independent_rows
from vinculum.derivations.starts.checks import check_paths
from vinculum.equations.constraints.closing_wrenches import gap_wrenches, sum_wrenches, wrenches_on_links
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.scalars import symbol, symbols
from vinculum.systems import Tree, named_in_start, start_state
from vinculum.systems.tree import at_rest
from vinculum.tolerances.constraints import GAP_NOISE
from vinculum.tolerances.rank import DEPENDENT_COLUMNS, LOADED


@final
@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom of a system at a position.

    ``velocities``: those of the tree alone; ``gaps``: conditions of closing joints and constraints; ``freedoms``: the
    degrees of freedom; ``expected``: velocities minus gaps, Grübler's count. ``redundant``: dependent gaps, as (joint,
    label); ``undetermined``: joints whose reactions are therefore not unique (those of least norm are reported).
    ``singular``: fewer gaps are independent here than nearby. ``held``: the number of conditions that are rows of
    constraints.
    """

    velocities: int
    gaps: int
    freedoms: int
    redundant: tuple[tuple[str, str], ...]
    undetermined: tuple[str, ...]
    singular: bool
    fixed: int = 0

    @property
    def subject(self) -> str:
        """The loops and constraints that are counted, in words."""
        return self._kind("loops", "constraints", "loops and constraints")

    def _kind(self, loops: str, constraints: str, both: str) -> str:
        return loops if self.fixed == 0 else constraints if self.fixed == self.gaps else both

    @property
    def expected(self) -> int:
        return self.velocities - self.gaps

    def to_dict(self) -> dict:
        """Plain data."""
        return {"velocities": self.velocities, "gaps": self.gaps, "freedoms": self.freedoms, "expected": self.expected,
                "redundant": [list(pair) for pair in self.redundant], "undetermined": list(self.undetermined),
                "singular": self.singular}  # fmt: skip

    def __str__(self):
        kind = self._kind("closing conditions", "rows of constraints", "conditions")
        lines = [f"{self.freedoms} degree{'s' * (self.freedoms != 1)} of freedom ({self.velocities} velocities, {self.gaps} "
                 f"{kind}; Grübler in space counts {self.expected})"]  # fmt: skip
        if self.redundant:
            lines.append(
                f"redundant {self._kind('closing conditions', 'constraints', 'conditions')}: "
                + ", ".join(_row_description(*pair) for pair in self.redundant)
            )
        if self.undetermined:
            lines.append("reactions that are not unique: " + ", ".join(f"'{name}'" for name in self.undetermined))
        if self.singular:
            lines.append("this is a singular position, with more degrees of freedom than nearby")
        return "\n".join(lines)


def _row_description(name: str, label: str) -> str:
    """A gap of a closing joint, or a row of a constraint."""
    return f"row {label} of '{name}'" if label.isdigit() else f"{label} of '{name}'"


def mobility(
    system, start: Mapping[str, object] | None = None, *, t: float = 0.0, parameters: Mapping[str, float] | None = None
) -> Mobility:
    """Degrees of freedom of ``system`` at the position nearest to ``start`` that satisfies its loops and constraints.

    Prescribed bodies have their positions at the instant ``t`` [s].

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> vc.mobility(system).freedoms
    1
    """
    model = model_for(system)
    tree = model.tree
    assert tree is not None
    values = model.parameter_values(parameters)
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    q, v = start_state(tree, start, named)
    check_paths(model, t, values)
    if not tree.is_conditioned:
        return Mobility(tree.nv, 0, tree.nv, (), (), False)
    return mobility_of(model, assemble(model, q, v, values, *named_in_start(start), t=t), values, t)


def mobility_of(model: Model, made: Assembly, values: np.ndarray, t: float) -> Mobility:
    """The degrees of freedom at an assembled state; ``model`` and ``values`` as they were before assembly."""
    tree = model.tree
    assert tree is not None
    at = gaps_at(model, np.concatenate([made.q, made.v])[None], t, values)
    on_speeds = np.flatnonzero(np.array(model.layout.levels) < 2)
    J, sizes = at.jacobians[0][on_speeds], at.sizes[0][on_speeds]
    rank = made.model.layout.rank if len(on_speeds) == len(model.layout.levels) else independent_rows(J)
    names = [(joint, label) for joint, label in (model.layout.gaps[i] for i in on_speeds)]
    redundant = tuple(names[i] for i in _dependent_rows(J, rank))
    loose = ()
    if tree.closures:
        stresses = (np.linalg.svd(J)[0][:, rank:] / sizes[:, None]).T
        loose = _self_stressed(model, made.q, t, stresses, values) if len(stresses) else ()
    fixed = sum(name in model.layout.constraints for name, _ in names)
    return Mobility(tree.nv, len(names), tree.nv - rank, redundant, loose, made.singular, fixed)


def _dependent_rows(J: np.ndarray, rank: int) -> list[int]:
    """Rows that can be left out, later ones first."""
    independent: list[int] = []
    for i in range(len(J)):
        chosen = J[[*independent, i]]
        s = np.linalg.svd(chosen, compute_uv=False)
        if len(independent) < rank and len(s) == len(chosen) and s[-1] > max(GAP_NOISE, DEPENDENT_COLUMNS * s[0]):
            independent.append(i)
    return [i for i in range(len(J)) if i not in independent]


def _self_stressed(model: Model, q: np.ndarray, t: float, stresses: np.ndarray, values: np.ndarray) -> tuple[str, ...]:
    """Joints loaded by self-stresses of the loops; ``stresses``: (k, gaps) multipliers."""
    tree = model.tree
    assert tree is not None
    names = [*(link.joint.name for link in tree.links), *tree.closing_joints]
    tape = _tapes.get(model)
    if tape is None:
        tape = _tapes[model] = _trace_loads(tree, stresses.shape[1], model.parameters)
    rows = np.empty((len(stresses), tape.n_in))
    rows[:, : len(q)], rows[:, len(q)], rows[:, len(q) + 1 + stresses.shape[1] :] = q, t, values
    rows[:, len(q) + 1 : len(q) + 1 + stresses.shape[1]] = stresses
    loads = np.abs(evaluate(tape, rows)).reshape(len(rows), len(names), 6).max(axis=(0, 2))
    return tuple(name for name, load in zip(names, loads, strict=True) if load > LOADED)


_tapes: "WeakKeyDictionary[Model, Tape]" = WeakKeyDictionary()


def _trace_loads(tree: Tree, gaps: int, parameters: Mapping[str, float]) -> Tape:
    """Wrenches in all joints of a weightless system at rest, as functions of (q, t, multipliers of the gaps of velocities)."""
    q, t, lam, still = symbols("q", tree.nq), symbol("t"), symbols("lam", gaps), np.zeros(tree.nv)
    tree = replace(at_rest(tree.at(t, q)), gravity=np.zeros(3))
    closing = gap_wrenches(tree, q, lam)
    on_links = sum_wrenches(tree, wrenches_on_links(tree, q, closing))
    carried = inverse_dynamics(tree, q, still, still, on_links)[1]
    return trace({"q": q, "t": np.array([t]), "lam": lam}, {"wrenches": [*carried, *closing]}, parameters)
