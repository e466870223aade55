"""`Kind`: the equations of blocks that are alike, traced once over the numbers of a row and the wrenches of bonds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bonds import Action, BodyView, Effort
from vinculum.bonds.actions import ActionLaw, own_actions
from vinculum.bonds.efforts import quantities_of
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.compile.uncollected import without_collection
from vinculum.equations.observables.accelerations import motion
from vinculum.equations.observables.loads import balance, reactions
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.models.tabled.blocks import WRENCH, Alike
from vinculum.models.written_out.tapes import state
from vinculum.scalars import Scalar
from vinculum.systems import Acting, Tree, body_view, placements

FRAME = 18
"""Numbers of a body's frame in world axes: position, rotation by rows, velocity, angular velocity."""
DEFORMATION = 18
"""Numbers of a deformation and its rate, by rows."""
SUMMED = ("kinetic", "potential", "power", "dissipation", "work", "work_size", "potential_size")
BY_BODY = (("mass", 1), ("inertia", 1), ("reach", 1), ("center", 3), ("momentum", 6), ("wrench", 6), ("wrench_size", 6))
"""Outputs of a balance that are sums over blocks, and those that every body has."""


@final
@dataclass(frozen=True, eq=False)
class Kind:
    """Blocks of one kind: rows of ``bodies`` (m, b), coordinates ``q`` (m, nq) and velocities ``v`` (m, nv) in the state, and
    ``numbers`` (m, c).

    ``tapes``: `motion` (q̇, v̇), `frames` of the bodies, `deformations` (φ and φ̇ of those that deform), `bodies` (mass centers and
    masses), `rates`, `balance` and `reactions`, over (q, v, t, parameters); the numbers of the row and the wrenches of bonds are hidden
    parameters. The energies and dissipations of deformations belong to the equations of a block.
    """

    bodies: np.ndarray
    q: np.ndarray
    v: np.ndarray
    numbers: np.ndarray
    tapes: Mapping[str, Tape]

    def __len__(self) -> int:
        return len(self.bodies)

    @property
    def deforms(self) -> bool:
        """Whether the body of a block, which is then alone in it, deforms."""
        return self.tapes["deformations"].n_out > 0


@final
@dataclass(frozen=True, eq=False)
class GivenWrenchLaw(ActionLaw):
    """A wrench that comes from elsewhere."""

    effort: Effort

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.0

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return [self.effort]

    @property
    def is_external(self) -> bool:
        return True


@final
@dataclass(frozen=True, eq=False)
class GivenWrench(Action):
    """The sum of all bonds on a body of a block: force [N] and moment [N m] at its origin, in world axes."""

    name: str
    body: str
    effort: Effort

    @property
    def ends(self) -> tuple[str, ...]:
        return (self.body,)

    @property
    def law(self) -> ActionLaw:
        return GivenWrenchLaw(self.effort)


def hidden_parameter(name: str, value: float) -> Scalar:
    """A parameter that no user gives: a number of a row, or a component of a wrench."""
    return Scalar("parameter", name, value)


def is_hidden(name: str) -> bool:
    """Whether a parameter is one of these."""
    return name.startswith("~")


@without_collection
def kind_of(tree: Tree, alike: Alike) -> Kind:
    """The kind of blocks that are alike."""
    q = _places(tree, alike.links, "q")
    v = _places(tree, alike.links, "v")
    block = _with_wrenches(Tree(tree.name, tree.gravity, alike.block, q.shape[1], v.shape[1], placed=q.shape[1]))
    tapes = {name: _trace_tape(block, outputs) for name, outputs in OUTPUTS.items()}
    return Kind(alike.links, q, v, alike.numbers, tapes)


def _places(tree: Tree, links: np.ndarray, of: str) -> np.ndarray:
    """Places (m, n) in the state of the coordinates "q" or velocities "v" of rows of links (m, b)."""
    found = [np.zeros((len(links), 0), dtype=np.int64)]
    for column in links.T.tolist():
        first: slice = getattr(tree.links[column[0]], of)
        begin = np.array([getattr(tree.links[i], of).start for i in column], dtype=np.int64)
        found.append(begin[:, None] + np.arange(first.stop - first.start))
    return np.concatenate(found, axis=1)


def _with_wrenches(block: Tree) -> Tree:
    acting = []
    for link in block.links:
        six = np.array([hidden_parameter(WRENCH.format(6 * link.index + k), 0.0) for k in range(6)], dtype=object)
        kinematics = link.body.mechanics.kinematics
        moment = np.zeros(kinematics.count) if kinematics.deforms or not link.body.turns else six[3:]
        acting.append(Acting(GivenWrench(f"bonds {link.index}", link.body.name, (six[:3], moment)), (link.index,)))
        acting += [Acting(action, (link.index,)) for action in own_actions(link.body)]
    return replace(block, acting=tuple(acting))


def _trace_tape(block: Tree, outputs) -> Tape:
    q, v, t = state(block)
    return trace({"q": q, "v": v, "t": np.array([t])}, outputs(block.at(t), q, v, t))


def _rates(tree: Tree, q, v, t) -> dict:
    defects = [link.joint.kind.coordinates.chart_defect(q[link.q]) for link in tree.links if link.joint.nq]
    return {"q_dot": rates(tree, q, v), "defects": [d for d in defects if d is not None]}


def _frames(tree: Tree, q, v, t) -> dict:
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    return {"frames": np.concatenate([_frame(view) for view in views])}


def _frame(view: BodyView) -> np.ndarray:
    if not view.kinematics.deforms:
        return np.concatenate([view.X_WB.p, np.ravel(view.X_WB.R), *_motion(view)])
    found = quantities_of(view)
    return np.concatenate([np.ravel(found[name]) for name in ("position", "rotation", "velocity", "angular_velocity")])


def _deformations(tree: Tree, q, v, t) -> dict:
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    own = [np.ravel([view.deformation, view.deformation_rate]) for view in views if view.kinematics.deforms]
    return {"deformations": np.concatenate([np.zeros(0), *own])}


def _bodies(tree: Tree, q, v, t) -> dict:
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    own = [
        np.concatenate([view.center, view.center_velocity, [link.mass]])
        for link, view in zip(tree.links, views, strict=True)
    ]
    return {"bodies": np.concatenate(own)}


def _motion(view: BodyView) -> tuple[np.ndarray, np.ndarray]:
    assert not isinstance(view.motion, str)
    return view.motion


def _balance(tree: Tree, q, v, t) -> dict:
    found = balance(tree, q, v, t)
    return {name: found[name] for name in (*SUMMED, *(name for name, _ in BY_BODY), "drive_power", "drive_power_size")}


def _reactions(tree: Tree, q, v, t) -> dict:
    return {"reactions": np.concatenate(list(reactions(tree, q, v, t).values()))}


OUTPUTS = {
    "motion": motion,
    "frames": _frames,
    "deformations": _deformations,
    "bodies": _bodies,
    "rates": _rates,
    "balance": _balance,
    "reactions": _reactions,
}
