"""Applied impulses on bodies of tables: their wrenches as functions of the body that they strike."""

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


def struck_bodies(tree: Tree) -> list[StruckBody]:
    """The impulses of a tree, all of which strike bodies."""
    return [_struck_body(tree, one.impulse, one.link) for one in tree.impulses]


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
