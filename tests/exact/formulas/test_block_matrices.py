"""V_a = L V_r on chains and on the tree of Cheremensky's Fig. 1A, against differentiated positions."""

import numpy as np
import pytest

import vinculum as vc
from trees import random_inertia, random_pose, random_state
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.recursions.block_matrices import L_matrix, L_rate, relative_twists
from vinculum.scalars import directional, symbols
from vinculum.screws import axial
from vinculum.systems import world_poses

FIGURE_1A = {"1^1": None, "2^1": "1^1", "3^1": "2^1", "4^1": "3^1", "5^1": "4^1", "5^2": "4^1", "6^2": "5^2", "6^3": "5^2",
             "4^4": "3^1", "3^5": "2^1", "4^5": "3^5", "4^6": "3^5"}  # fmt: skip
CHAIN = {"a": None, "b": "a", "c": "b", "d": "c"}


def tree_of(parents) -> vc.System:
    rng = np.random.default_rng(11)
    system = vc.System("tree")
    for name, parent in parents.items():
        body = system.add(vc.RigidBody(name, 1.0, rng.normal(size=3), random_inertia(rng)))
        kind = vc.Free if parent is None else (vc.Spherical, vc.Free)[rng.integers(2)]
        system.add(kind(f"to {name}", parent or "ground", body, at=random_pose(rng), to=random_pose(rng)))
    return system


@pytest.mark.parametrize("parents", [CHAIN, FIGURE_1A], ids=["chain", "figure 1A"])
def test_absolute_twists_are_L_times_relative_ones(parents):
    tree = tree_of(parents).tree()
    q, v = symbols("q", tree.nq), symbols("v", tree.nv)
    q_dot = np.concatenate([link.joint.kind.coordinates.rates(q[link.q], v[link.v]) for link in tree.links])
    by_differentiation = np.concatenate([
        np.concatenate([X.R.T @ directional(X.p, q, q_dot), axial(X.R.T @ directional(X.R, q, q_dot))])
        for X in world_poses(tree, q)])  # fmt: skip
    L, rate = L_matrix(tree, q), L_rate(tree, q, v)
    outputs = {"twists": by_differentiation - L @ relative_twists(tree, q, v),
               "rate": np.ravel(directional(L, q, q_dot) - rate)}  # fmt: skip
    rng = np.random.default_rng(3)
    rows = np.stack([np.concatenate(random_state(tree, rng)) for _ in range(3)])
    assert np.abs(arrays.evaluate(trace({"q": q, "v": v}, outputs), rows)).max() < 1e-12


def test_the_tree_of_figure_1a_has_47_blocks():
    tree = tree_of(FIGURE_1A).tree()
    q = tree.identity
    L = L_matrix(tree, q).astype(float)
    blocks = np.abs(L.reshape(12, 6, 12, 6)).max(axis=(1, 3)) > 0
    assert blocks.sum() == 47
    names = [link.body.name for link in tree.links]
    for p, s in zip(*np.nonzero(blocks), strict=True):
        assert s in tree.path(p), (names[p], names[s])
