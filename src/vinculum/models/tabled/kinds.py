"""`Kind`: the equations of blocks that are alike, traced once over the numbers of a row and the wrenches of bonds."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bonds import Action, BodyView, Effort
from vinculum.bonds.actions import ActionLaw, own_actions
from vinculum.bonds.actions.own import DISSIPATION, ENERGY
from vinculum.bonds.efforts import quantities_of
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.observables.accelerations import motion
from vinculum.equations.observables.exchanges import DRIVE, GRAVITY, STATE, WIDTH, exchanges, transmitter
from vinculum.equations.observables.loads import balance, reactions
from vinculum.equations.recursions.body_motions import body_motions
from vinculum.equations.recursions.composite import mass_matrix, solved_leaves_first
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.equations.recursions.joint_inertias import joint_inertias
from vinculum.models.tabled.blocks import EFFORT, INNER, WRENCH, Alike
from vinculum.models.written_out.tapes import state
from vinculum.scalars import Scalar
from vinculum.systems import Acting, Link, Tree, body_acceleration, body_view, placements, twist_rates
from vinculum.upward import without_collection

FRAME = 18
"""Numbers of a body's frame in world axes: position, rotation by rows, velocity, angular velocity."""
DEFORMATION = 18
"""Numbers of a deformation and its rate, by rows."""
SUMMED = ("kinetic", "potential", "power", "dissipation", "work", "work_size", "potential_size")
BY_BODY = (("mass", 1), ("inertia", 1), ("reach", 1), ("center", 3), ("momentum", 6), ("wrench", 6), ("wrench_size", 6))
"""Outputs of a balance that are sums over blocks, and those that every body has."""
OWN = {"energies": ENERGY, "dissipations": DISSIPATION}
"""Exchanges of a body with its own deformation, by the names of the bonds."""
CENTER_MOMENTUM = "center_momentum"
"""Mass times velocity of the mass center (3,) of every body, where that is not its momentum."""


@final
@dataclass(frozen=True, eq=False)
class Kind:
    """Blocks of one kind: rows of ``bodies`` (m, b), coordinates ``q`` (m, nq) and velocities ``v`` (m, nv) in the state, and
    ``numbers`` (m, c).

    ``tapes``: `motion` (q̇, v̇), `frames` of the bodies, `deformations` (φ and φ̇ of those that deform), `bodies` (mass centers and
    masses), `rates`, `balance`, `reactions` and `exchanges`, over (q, v, t, parameters); the numbers of the row and the wrenches of bonds
    are hidden parameters. The energies and dissipations of deformations belong to the equations of a block. Where there are conditions
    also the `accelerations` of bodies, their `mobility`, and the `response` of a state to impulsive wrenches.
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

    @property
    def takes_inner(self) -> bool:
        """Whether bonds act on the deformations of its bodies."""
        return self.deforms and any(name.startswith(INNER.split()[0]) for name, _ in self.tapes["motion"].parameters)


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
def kind_of(
    tree: Tree, alike: Alike, outputs: Mapping[str, Any], conditioned: bool = False, bonded: Set[int] = frozenset()
) -> Kind:
    """The kind of blocks that are alike, with a tape for each of the ``outputs``. ``conditioned``: whether conditions may act on its
    bodies; ``bonded``: links that deform and have bonds."""
    block = with_wrenches(block_of(tree, alike), conditioned, not bonded.isdisjoint(alike.links.ravel().tolist()))
    tapes = {name: _trace_tape(block, made) for name, made in outputs.items()}
    return Kind(alike.links, _places(tree, alike.links, "q"), _places(tree, alike.links, "v"), alike.numbers, tapes)


def block_of(tree: Tree, alike: Alike) -> Tree:
    """The first of blocks that are alike as a tree of its own, with the actions that belong to its bodies."""
    nq, nv = (sum(getattr(link.joint, n) for link in alike.block) for n in ("nq", "nv"))
    own = tuple(Acting(action, (link.index,)) for link in alike.block for action in own_actions(link.body))
    return Tree(tree.name, tree.gravity, alike.block, nq, nv, placed=nq, acting=own)


def _places(tree: Tree, links: np.ndarray, of: str) -> np.ndarray:
    """Places (m, n) in the state of the coordinates "q" or velocities "v" of rows of links (m, b)."""
    found = [np.zeros((len(links), 0), dtype=np.int64)]
    for column in links.T.tolist():
        first: slice = getattr(tree.links[column[0]], of)
        begin = np.array([getattr(tree.links[i], of).start for i in column], dtype=np.int64)
        found.append(begin[:, None] + np.arange(first.stop - first.start))
    return np.concatenate(found, axis=1)


def _wrench(link: int) -> np.ndarray:
    """The wrench (6,) of bonds on a body of a block, as hidden parameters."""
    return np.array([hidden_parameter(WRENCH.format(6 * link + k), 0.0) for k in range(6)], dtype=object)


def _inner(link: Link) -> np.ndarray:
    """What bonds on a body that deforms have power with its rate of deformation by (n,), as hidden parameters."""
    every = np.array([hidden_parameter(INNER.format(9 * link.index + k), 0.0) for k in range(9)], dtype=object)
    return np.array(link.body.mechanics.kinematics.free_entries(every.reshape(3, 3)), dtype=object)


def with_wrenches(block: Tree, conditioned: bool, bonded: bool = False) -> Tree:
    """A block with the wrenches of bonds on its bodies, as hidden parameters. A mass point has a moment only if a joint that closes a
    loop may turn it. ``bonded``: whether bonds act on bodies of such a block that deform."""
    acting = []
    for link in block.links:
        six, kinematics = _wrench(link.index), link.body.mechanics.kinematics
        moment = six[3:] if link.body.turns or conditioned else np.zeros(3)
        if kinematics.deforms:
            moment = _inner(link) if bonded else np.zeros(kinematics.count)
        acting.append(Acting(GivenWrench(f"bonds {link.index}", link.body.name, (six[:3], moment)), (link.index,)))
    return replace(block, acting=(*acting, *block.acting))


def _trace_tape(block: Tree, outputs) -> Tape:
    q, v, t = state(block)
    return trace({"q": q, "v": v, "t": np.array([t])}, outputs(block.at(t), q, v, t))


def _rates(tree: Tree, q, v, t) -> dict:
    defects = [link.joint.kind.coordinates.chart_defect(q[link.q]) for link in tree.links if link.joint.nq]
    return {"q_dot": rates(tree, q, v), "defects": [d for d in defects if d is not None]}


def frames(tree: Tree, q, v, t) -> dict:
    """The frames (18 b,) of all bodies of a block."""
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    return {"frames": np.concatenate([_frame(view) for view in views])}


def _frame(view: BodyView) -> np.ndarray:
    if not view._state.kinematics.deforms:
        return np.concatenate([view._state.X_WB.p, np.ravel(view._state.X_WB.R), *_motion(view)])
    found = quantities_of(view)
    return np.concatenate([np.ravel(found[name]) for name in ("position", "rotation", "velocity", "angular_velocity")])


def _deformations(tree: Tree, q, v, t) -> dict:
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    own = [
        np.ravel([view.affine.deformation, view.affine.deformation_rate])
        for view in views
        if view._state.kinematics.deforms
    ]
    return {"deformations": np.concatenate([np.zeros(0), *own])}


def rooms(tree: Tree, q, v, t) -> dict:
    """What is left of the deformations of bodies to where their energies end, where no energy tells it."""
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    found = [
        limit.room
        for link, view in zip(tree.links, views, strict=True)
        if link.body.mechanics.deforms_unnoticed
        for action in own_actions(link.body)
        for limit in action.law.limits([view])
    ]
    return {"rooms": found}


def inertias(tree: Tree, q, v, t) -> dict:
    """What is left of the inertias that joints move, where they may vanish."""
    return {"inertias": [one.pivot for one in joint_inertias(tree, q)]}


def _bodies(tree: Tree, q, v, t) -> dict:
    views = [body_view(link, placed) for link, placed in zip(tree.links, placements(tree, q, v), strict=True)]
    own = [
        np.concatenate([view.center, view.center_velocity, [link.mass]])
        for link, view in zip(tree.links, views, strict=True)
    ]
    return {"bodies": np.concatenate(own)}


def _motion(view: BodyView) -> tuple[np.ndarray, np.ndarray]:
    assert not isinstance(view._state.motion, str)
    return view._state.motion


def _balance(tree: Tree, q, v, t) -> dict:
    found = balance(tree, q, v, t)
    asked = (*SUMMED, *(name for name, _ in BY_BODY), CENTER_MOMENTUM, "speeds", "drive_power", "drive_power_size")
    return {name: found[name] for name in asked if name in found}


def _reactions(tree: Tree, q, v, t) -> dict:
    found = reactions(tree, q, v, t)
    for link in tree.links:
        if link.joint.name == link.body.name and link.joint.kind.path is None:
            found[link.joint.name] = np.zeros(6)  # nothing holds a free body
    return {"reactions": np.concatenate(list(found.values()))}


def _exchanges(tree: Tree, q, v, t) -> dict:
    """Of every body of a block what its joint exchanges with it and with its parent (14), its drive and its weight (7 each), and its
    motion (11), as `exchanges` have them; of a body that deforms the energy and the dissipation (7 each), if it has these."""
    found, nothing = exchanges(tree, q, v, t), np.zeros(WIDTH)
    joints, drives = [], []
    for link in tree.links:
        name = transmitter(link) if link.joint.kind.path is None else None
        joints.append(found[name] if name is not None else np.zeros(2 * WIDTH))
        drives.append(found.get(DRIVE.format(link.body.name), nothing))
    own = {
        what: np.concatenate(
            [np.zeros(0), *(found[name.format(k.body.name)] for k in tree.links if name.format(k.body.name) in found)]
        )
        for what, name in OWN.items()
    }
    made = {"joints": np.concatenate(joints), "drives": np.concatenate(drives)}
    return made | {"weights": found[GRAVITY], "motions": found[STATE]} | own


def _accelerations(tree: Tree, q, v, t) -> dict:
    """Accelerations of the origins of bodies and angular accelerations, in world axes, without conditions."""
    placed, a = placements(tree, q, v), motion(tree, q, v, t)["v_dot"]
    turned = twist_rates(tree, placed, q, v, a)
    own = [
        x for link, at, rate in zip(tree.links, placed, turned, strict=True) for x in body_acceleration(link, at, rate)
    ]
    return {"accelerations": np.concatenate(own)}


def twists(tree: Tree, q, v) -> np.ndarray:
    """Twists (6 b, nv) of all bodies in world axes at their origins, one for each velocity."""
    moving = body_motions(tree, q, v, {link.index for link in tree.links})
    return np.concatenate([moving[link.index].twists for link in tree.links])


def _mobility(tree: Tree, q, v, t) -> dict:
    r"""The twists of bodies that unit impulsive wrenches on them make: :math:`T M^{-1} T^T`, (6 b, 6 b)."""
    T = twists(tree, q, v)
    answer = (
        solved_leaves_first(mass_matrix(tree, q, regrouped_inertias(tree)), T.T) if tree.nv else np.zeros((0, len(T)))
    )
    return {"mobility": T @ answer if tree.nv else np.zeros((len(T), len(T)))}


def _response(tree: Tree, q, v, t) -> dict:
    r"""The change :math:`M^{-1}T^T W` of velocities by impulsive wrenches W, and the change of coordinates along it."""
    if not tree.nv:
        return {"q": np.zeros(tree.nq), "v": np.zeros(0)}
    W = np.concatenate([_wrench(link.index) for link in tree.links])
    change = solved_leaves_first(mass_matrix(tree, q, regrouped_inertias(tree)), twists(tree, q, v).T @ W)
    return {"q": rates(tree, q, change), "v": change}


def _along(tree: Tree, q, v, t) -> dict:
    r"""Impulsive wrenches W on bodies along the velocities: :math:`T^T W`."""
    if not tree.nv:
        return {"v": np.zeros(0)}
    return {"v": twists(tree, q, v).T @ np.concatenate([_on_twist(tree, link) for link in tree.links])}


def _on_twist(tree: Tree, link: Link) -> np.ndarray:
    """An impulsive wrench on a body, as it has power with its twist: with the rates of a deformation in place of an angular velocity."""
    if not link.body.mechanics.kinematics.deforms:
        return _wrench(link.index)
    given = (one.action for one in tree.acting if one.links == (link.index,) and isinstance(one, Acting))
    return np.concatenate(next(action.effort for action in given if isinstance(action, GivenWrench)))


def _answer(tree: Tree, q, v, t) -> dict:
    r"""The change :math:`M^{-1}Q` of velocities by impulses Q along them."""
    if not tree.nv:
        return {"v": np.zeros(0)}
    Q = np.array([hidden_parameter(EFFORT.format(k), 0.0) for k in range(tree.nv)], dtype=object)
    return {"v": solved_leaves_first(mass_matrix(tree, q, regrouped_inertias(tree)), Q)}


OUTPUTS = {
    "motion": motion,
    "frames": frames,
    "deformations": _deformations,
    "bodies": _bodies,
    "rates": _rates,
    "balance": _balance,
    "reactions": _reactions,
    "exchanges": _exchanges,
}
OF_CONDITIONS = {"accelerations": _accelerations, "mobility": _mobility, "response": _response}
"""Further tapes of blocks on which conditions act."""
OF_IMPULSES = {"along": _along, "answer": _answer}
"""Further tapes of blocks on which applied impulses act."""


def outputs_of_kinds(conditioned: bool, struck: bool) -> dict[str, Any]:
    """What makes the tapes of a kind, by name."""
    return OUTPUTS | (OF_CONDITIONS if conditioned else {}) | (OF_IMPULSES if struck else {})
