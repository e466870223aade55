"""`TreeShapes`: shapes of the bodies of a tree and of fixed walls, as arrays. Plain data, like a tape."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, final

import numpy as np

from vinculum.collision.pool import Pool
from vinculum.collision.stored_shapes import check_laws, check_shapes, check_that
from vinculum.equations.contact.shape_places import carriers, shaped_links, strained_velocities
from vinculum.errors import FileError
from vinculum.models.shapes.shape_arrays import shape_numbers
from vinculum.systems import Tree
from vinculum.systems.contacts import is_same_wall

APART = -1


@final
@dataclass(frozen=True, eq=False)
class TreeShapes:
    """``moving`` shapes of bodies in the order of the tape `shapes`, and after them the fixed ones; n of both together.

    ``kinds`` (n,), ``sizes`` (n, 3), ``reaches`` (n,): shapes and their bounding spheres; ``places`` (n − moving, 3), ``turns``
    (n − moving, 3, 3): of the fixed ones. ``carried`` (moving, nv): which velocities move which shape. ``pairs`` (n, n): the number of a
    pair's laws, −1 if it does not meet; ``laws`` (k, 4): restitution, μ (−1 without friction), lengths of spinning and rolling [m];
    ``by_impulses`` (k,): whether the restitution is Poisson's. ``strained``: indices of the velocities that deform a shape. ``pool``:
    corners and faces of polytopes and surfaces, which name them in ``sizes``. Sizes and bounding spheres of shapes that deform are those
    without deformation.
    """

    kinds: np.ndarray
    sizes: np.ndarray
    reaches: np.ndarray
    places: np.ndarray
    turns: np.ndarray
    carried: np.ndarray
    pairs: np.ndarray
    laws: np.ndarray
    by_impulses: np.ndarray
    strained: np.ndarray
    pool: Pool = field(default_factory=Pool)

    @property
    def moving(self) -> int:
        return len(self.carried)

    @property
    def resists(self) -> bool:
        """Whether some pair resists rolling or spinning."""
        return bool(np.any(self.laws[:, 2:] > 0.0))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        arrays = {f.name: np.asarray(getattr(self, f.name)).tolist() for f in fields(self) if f.name != "pool"}
        return arrays | {"pool": self.pool.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "TreeShapes":
        """The shapes of `to_dict`, checked."""
        n, m, k = len(data["kinds"]), len(data["carried"]), len(data["laws"])
        strained = len(data["strained"])
        shapes = {"kinds": (n,), "sizes": (n, 3), "reaches": (n,), "places": (n - m, 3), "turns": (n - m, 3, 3), "carried": (m, -1),
                  "pairs": (n, n), "laws": (k, 4), "by_impulses": (k,), "strained": (strained,)}  # fmt: skip
        whole = {"kinds": np.int64, "pairs": np.int64, "carried": bool, "by_impulses": bool, "strained": np.int64}
        try:
            found = cls(
                **{name: np.array(data[name], dtype=whole.get(name, float)).reshape(x) for name, x in shapes.items()},
                pool=Pool.from_dict(data["pool"]),
            )
        except (ValueError, TypeError, OverflowError) as error:
            raise FileError("stored shapes are damaged: their arrays do not fit the bodies") from error
        nv = found.carried.shape[1]
        check_that((found.strained >= 0) & (found.strained < nv), "a velocity that deforms a shape does not exist")
        deforms = found.carried[:, found.strained].any(axis=1)
        check_shapes(found.kinds, found.sizes, found.reaches, found.places, found.turns, m, found.pool, deforms)
        check_laws(found.pairs, found.laws)
        return found


def tree_shapes(tree: Tree) -> TreeShapes:
    """The shapes of a tree with contacts, and which of them meet by which laws."""
    links = [tree.links[i] for i in shaped_links(tree)]
    owners = {name: c for c in tree.contacts for name in c.names}
    walls = walls_of(tree)
    shapes = [(owners[link.body.name], link.body.shape) for link in links]  # type: ignore[attr-defined]
    numbers = shape_numbers(shapes, walls, [link.body.mechanics.kinematics.deforms for link in links])
    return TreeShapes(
        numbers.kinds,
        numbers.sizes,
        numbers.reaches,
        numbers.places,
        numbers.turns,
        carriers(tree),
        _pairs(tree, [link.body.name for link in links], [wall for _, wall in walls]),
        np.array([contact.laws for contact in tree.contacts], dtype=float),
        np.array([contact.impact.by_impulses for contact in tree.contacts], dtype=bool),
        np.array(strained_velocities(tree), dtype=np.int64),
        numbers.pool,
    )


def shape_names(tree: Tree) -> list[str]:
    """Names of the shapes of a tree: those of its bodies, then walls by number."""
    return [
        *(tree.links[i].body.name for i in shaped_links(tree)),
        *(f"wall {k + 1}" for k in range(len(walls_of(tree)))),
    ]


def walls_of(tree: Tree) -> list:
    """The walls of all contacts, each once, with the first contact that has it."""
    walls: list = []
    for contact in tree.contacts:
        for wall in contact.walls:
            if not any(is_same_wall(wall, other) for _, other in walls):
                walls.append((contact, wall))
    return walls


def _pairs(tree: Tree, names: list[str], walls: list) -> np.ndarray:
    """The number of the laws of every pair, −1 for those that do not meet."""
    n, moving = len(names) + len(walls), len(names)
    found, joined = np.full((n, n), APART, dtype=np.int64), _jointed_pairs(tree)
    for number, contact in enumerate(tree.contacts):
        for i in range(moving):
            for j in range(i):
                near = frozenset((names[i], names[j])) in joined and not contact.joined
                if contact.lists(names[i], names[j]) and not near:
                    found[i, j] = found[j, i] = number
            for k, wall in enumerate(walls):
                if names[i] in contact.walled and any(is_same_wall(wall, own) for own in contact.walls):
                    found[i, moving + k] = found[moving + k, i] = number
    return found


def _jointed_pairs(tree: Tree) -> set[frozenset[str]]:
    """Pairs of bodies that a joint connects, in the tree or closing a loop of it."""
    names = [link.body.name for link in tree.links]
    pairs = {frozenset((names[k.index], names[k.parent])) for k in tree.links if k.parent >= 0}
    return pairs | {frozenset((names[c.parent], names[c.child])) for c in tree.closures if c.parent >= 0}
