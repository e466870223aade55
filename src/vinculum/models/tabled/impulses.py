"""Applied impulses on bodies and joints of tables, as functions of what they strike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.efforts import moment_of
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.models.tabled.bonds import end_structure, views_of_ends
from vinculum.models.tabled.kinds import DEFORMATION, FRAME
from vinculum.scalars import symbol, symbols
from vinculum.systems import Tree
from vinculum.systems.views import JointView


@final
@dataclass(frozen=True, eq=False)
class StruckBody:
    """An impulse, the ``body`` that it strikes, and the tape of its ``wrench`` (6) at the body's origin in world axes [N s, N m s], over
    (frame of the body, t, parameters)."""

    name: str
    body: int
    wrench: Tape

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"name": self.name, "body": self.body, "wrench": self.wrench.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "StruckBody":
        """The impulse of `to_dict`."""
        return cls(str(data["name"]), int(data["body"]), Tape.from_dict(data["wrench"]))

    def fits(self, bodies: int) -> bool:
        """Whether its body is one of so many, and its tape one of a frame."""
        return (
            0 <= self.body < bodies
            and self.wrench.inputs[:2] == (("frames", FRAME), ("t", 1))
            and self.wrench.n_out == 6 + 9 * ("deformations" in dict(self.wrench.inputs))
        )


@final
@dataclass(frozen=True, eq=False)
class StruckJoint:
    """An impulse, the places of the coordinates ``q`` and velocities ``v`` of the joint that it strikes, and the tape of what it is
    ``along`` these velocities, over (coordinates, velocities, t, parameters)."""

    name: str
    q: np.ndarray
    v: np.ndarray
    along: Tape

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"name": self.name, "q": self.q.tolist(), "v": self.v.tolist(), "along": self.along.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "StruckJoint":
        """The impulse of `to_dict`."""
        q, v = (np.array(data[name], dtype=np.int64) for name in ("q", "v"))
        return cls(str(data["name"]), q, v, Tape.from_dict(data["along"]))

    def fits(self, nq: int, nv: int) -> bool:
        """Whether its joint has coordinates and velocities among so many, and its tape is one of these."""
        within = ((self.q, nq), (self.v, nv))
        return (
            all(x.ndim == 1 and (x.size == 0 or (x.min() >= 0 and x.max() < most)) for x, most in within)
            and self.along.inputs[:3] == (("q", len(self.q)), ("v", len(self.v)), ("t", 1))
            and self.along.n_out == len(self.v)
        )


def struck_bodies(tree: Tree) -> list[StruckBody]:
    """The impulses of a tree that strike bodies."""
    return [_struck_body(tree, one.impulse, one.link) for one in tree.impulses if one.kind == "body"]


def struck_joints(tree: Tree) -> list[StruckJoint]:
    """The impulses of a tree along joints."""
    return [_struck_joint(tree, one.impulse, one.link) for one in tree.impulses if one.kind != "body"]


def _struck_joint(tree: Tree, impulse: Any, i: int) -> StruckJoint:
    link = tree.links[i]
    q, v, t = symbols("q", link.joint.nq), symbols("v", link.joint.nv), symbol("t")
    view = JointView(link.joint.name, q[0] if len(q) == 1 else q, v[0] if len(v) == 1 else v)
    along = impulse.law.along(view, link.joint.nv, t)
    at_q, at_v = (np.arange(x.start, x.stop) for x in (link.q, link.v))
    return StruckJoint(impulse.name, at_q, at_v, trace({"q": q, "v": v, "t": np.array([t])}, {"along": along}))


def _struck_body(tree: Tree, impulse: Any, link: int) -> StruckBody:
    body, own, t = tree.links[link].body, symbols("frame", FRAME), symbol("t")
    shape = symbols("deformation", DEFORMATION) if body.mechanics.kinematics.deforms else np.zeros(0)
    numbers: list[float] = []
    end_structure(tree, link, numbers)
    (view,) = views_of_ends(tree, [link], iter(numbers), own, True, False, deformations=shape)
    (effort,) = impulse.law.efforts_at([view], t)
    inputs, found = (
        {"frames": own, "t": np.array([t])},
        {"wrench": np.concatenate([effort[0], moment_of(view, effort)])},
    )
    if len(shape):
        inputs["deformations"], found["inner"] = (
            shape,
            view._state.kinematics.matrix_rate(view._state.X_WB.R, effort[1]).ravel(),
        )
    return StruckBody(impulse.name, link, trace(inputs, found))
