"""Bodies as point masses and their motions by differentiating poses alone: an oracle for equations of dynamics."""

from dataclasses import dataclass

import numpy as np

from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.scalars import directional, symbols
from vinculum.systems import world_poses


@dataclass
class Cloud:
    """Point masses of one body: masses (n,), places, velocities and accelerations (n, 3) in world axes."""

    mass: np.ndarray
    x: np.ndarray
    v: np.ndarray
    a: np.ndarray


def cloud_of(link) -> tuple[np.ndarray, np.ndarray]:
    """Six points with the mass, mass center and inertia of a link (one for a mass point), in its frame."""
    if not np.any(link.inertia):
        return np.array([link.mass]), link.center[None]
    second = 0.5 * np.trace(link.inertia) * np.eye(3) - link.inertia
    sizes, axes = np.linalg.eigh(second)
    arms = np.sqrt(np.maximum(3.0 * sizes / link.mass, 0.0)) * axes
    return np.full(6, link.mass / 6), link.center + np.concatenate([arms.T, -arms.T])


class Clouds:
    """The points of every link of a tree as functions of (q, v, a)."""

    def __init__(self, tree):
        self.tree = tree
        q, v, a = symbols("q", tree.nq), symbols("v", tree.nv), symbols("a", tree.nv)
        places = np.concatenate([[*X.R.ravel(), *X.p] for X in world_poses(tree, q)])
        q_dot = rates(tree, q, v)
        speeds = directional(places, q, q_dot)
        pushes = directional(speeds, np.concatenate([q, v]), np.concatenate([q_dot, a]))
        self.tape = trace({"q": q, "v": v, "a": a}, {"all": [*places, *speeds, *pushes]})
        self.points = [cloud_of(link) for link in tree.links]

    def __call__(self, q, v, a) -> list[Cloud]:
        return self.rows(np.concatenate([q, v, a])[None])[0]

    def rows(self, X) -> list[list[Cloud]]:
        """The same for many rows (q, v, a) at once."""
        X = np.asarray(X)
        found = arrays.evaluate(self.tape, X).reshape(len(X), 3, len(self.points), 12)
        return [
            [
                Cloud(mass, *(r @ at[:9].reshape(3, 3).T + at[9:] for at in row[:, i]))
                for i, (mass, r) in enumerate(self.points)
            ]
            for row in found
        ]


def joined(clouds) -> Cloud:
    """The points of several bodies together."""
    return Cloud(*(np.concatenate([getattr(c, name) for c in clouds]) for name in ("mass", "x", "v", "a")))
