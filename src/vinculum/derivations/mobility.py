"""`mobility`: how many freedoms closed loops leave, which closures are redundant, and which reactions are not unique."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.assembly import DEPENDENT, NOISE, Assembly, assembled
from vinculum.equations.closures import gap_slopes, relative_pose, summed, wrenches_on_links
from vinculum.kernels.closed_loops import gaps_at, visible
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.scalars import value
from vinculum.systems import Tree, link_pose, named_in_start, start_state

LOADED = 1e-9


@final
@dataclass(frozen=True)
class Mobility:
    """Freedoms of a system as it stands.

    ``velocities``: those of the tree alone; ``gaps``: conditions of the closing joints; ``freedoms``: what is left;
    ``expected``: velocities minus gaps, the count of Grübler. ``redundant``: gaps that follow from the others, as (joint, label);
    ``undetermined``: joints whose reactions are therefore not unique (the least ones are given out). ``singular``: fewer gaps
    are independent here than nearby.
    """

    velocities: int
    gaps: int
    freedoms: int
    redundant: tuple[tuple[str, str], ...]
    undetermined: tuple[str, ...]
    singular: bool

    @property
    def expected(self) -> int:
        return self.velocities - self.gaps

    def to_dict(self) -> dict:
        """Plain data."""
        return {"velocities": self.velocities, "gaps": self.gaps, "freedoms": self.freedoms, "expected": self.expected,
                "redundant": [list(pair) for pair in self.redundant], "undetermined": list(self.undetermined),
                "singular": self.singular}  # fmt: skip

    def __str__(self):
        lines = [f"{self.freedoms} freedom{'s' * (self.freedoms != 1)} ({self.velocities} velocities, {self.gaps} closing "
                 f"conditions; Grübler counts {self.expected})"]  # fmt: skip
        if self.redundant:
            lines.append("redundant closures: " + ", ".join(f"{label} of '{joint}'" for joint, label in self.redundant))
        if self.undetermined:
            lines.append("reactions that are not unique: " + ", ".join(f"'{name}'" for name in self.undetermined))
        if self.singular:
            lines.append("this is a singular position: more freedoms than nearby")
        return "\n".join(lines)


def mobility(
    system, start: Mapping[str, object] | None = None, *, parameters: Mapping[str, float] | None = None
) -> Mobility:
    """The freedoms of ``system`` where its loops close nearest to ``start``."""
    model = model_for(system)
    tree = model.tree
    assert tree is not None
    values = model.parameter_values(parameters)
    named = dict(zip(sorted(model.parameters), values.tolist(), strict=True))
    q, v = start_state(tree, start, named)
    if not tree.closures:
        return Mobility(tree.nv, 0, tree.nv, (), (), False)
    return mobility_of(model, assembled(model, q, v, values, *named_in_start(start)), values)


def mobility_of(model: Model, made: Assembly, values: np.ndarray) -> Mobility:
    """The freedoms at an assembled state; ``model`` and ``values`` as they were before assembly."""
    tree = model.tree
    assert tree is not None
    at = gaps_at(model, np.concatenate([made.q, made.v])[None], values)
    J = at.slopes[0]
    rank = made.model.layout["rank"]
    names = [tuple(name) for name in model.layout["gaps"]]
    redundant = tuple(names[i] for i in _dependent_rows(J, rank))
    known = visible(dict(zip(sorted(model.parameters), values.tolist(), strict=True)))
    loose = _self_stressed(tree, made.q, np.linalg.svd(J)[0][:, rank:] / at.sizes[0][:, None], known)
    return Mobility(tree.nv, len(names), tree.nv - rank, redundant, loose, made.singular)


def _dependent_rows(J: np.ndarray, rank: int) -> list[int]:
    """Rows that can be left out, later ones first."""
    independent: list[int] = []
    for i in range(len(J)):
        chosen = J[[*independent, i]]
        s = np.linalg.svd(chosen, compute_uv=False)
        if len(independent) < rank and len(s) == len(chosen) and s[-1] > max(NOISE, DEPENDENT * s[0]):
            independent.append(i)
    return [i for i in range(len(J)) if i not in independent]


def _self_stressed(tree: Tree, q: np.ndarray, stresses: np.ndarray, known: Mapping[str, float]) -> tuple[str, ...]:
    """Joints that are loaded by forces which balance each other within the loops; ``stresses``: (gaps, k) multipliers."""
    loads = dict.fromkeys((*(k.joint.name for k in tree.links), *(c.joint.name for c in tree.closures)), 0.0)
    for full in stresses.T:
        wrenches, first = [], 0
        for closure in tree.closures:
            G = np.asarray(value(gap_slopes(closure, relative_pose(tree, closure, q)), known), dtype=float)
            G = G.reshape(-1, 6)
            wrenches.append(G.T @ full[first : first + len(G)])
            loads[closure.joint.name] = max(loads[closure.joint.name], float(np.abs(wrenches[-1]).max()))
            first += len(G)
        carried = [np.zeros(6) if F is None else np.asarray(value(F, known), dtype=float)
                   for F in summed(tree, wrenches_on_links(tree, q, wrenches))]  # fmt: skip
        for link in reversed(tree.links):
            F = carried[link.index]
            loads[link.joint.name] = max(loads[link.joint.name], float(np.abs(F).max()))
            if link.parent >= 0:
                X = link_pose(link, q)
                R, p = (np.asarray(value(part, known), dtype=float) for part in (X.R, X.p))
                f = R @ F[:3]
                carried[link.parent] = carried[link.parent] + np.concatenate([f, R @ F[3:] + np.cross(p, f)])
    return tuple(name for name, load in loads.items() if load > LOADED)
