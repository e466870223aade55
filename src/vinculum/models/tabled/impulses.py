"""Applied impulses on bodies of tables: their wrenches as functions of the body that they strike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.body_view import make_view
from vinculum.bonds.efforts import moment_of
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.models.tabled.kinds import FRAME
from vinculum.scalars import symbol, symbols
from vinculum.screws import Pose
from vinculum.systems import Tree


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
            and self.wrench.n_out == 6
        )


def struck_bodies(tree: Tree) -> list[StruckBody]:
    """The impulses of a tree, all of which strike bodies."""
    return [_struck_body(tree, one.impulse, one.link) for one in tree.impulses]


def _struck_body(tree: Tree, impulse: Any, link: int) -> StruckBody:
    body, own, t = tree.links[link].body, symbols("frame", FRAME), symbol("t")
    R = own[3:12].reshape(3, 3) if body.turns else np.eye(3)
    view = make_view(
        body.name, body.mass, Pose.of(R, own[:3]), body.center, (own[12:15], own[15:]), body.turns, body=body
    )
    (effort,) = impulse.law.efforts_at([view], t)
    wrench = np.concatenate([effort[0], moment_of(view, effort)])
    return StruckBody(impulse.name, link, trace({"frames": own, "t": np.array([t])}, {"wrench": wrench}))
