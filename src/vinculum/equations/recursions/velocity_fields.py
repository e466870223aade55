"""Quasi-velocities as fields X_j on the coordinates: the columns of N in q̇ = N v, and their brackets [X_i, X_j] = c^k_ij X_k."""

import numpy as np

from vinculum.scalars import Scalar, directional, ldl_solve
from vinculum.systems import Link, Tree


def columns(link: Link, q) -> list[np.ndarray]:
    """The fields X_j (nq of the joint,) of one joint."""
    unit = np.eye(link.joint.nv)
    return [link.joint.kind.coordinates.rates(q[link.q], unit[j]) for j in range(link.joint.nv)]


def along_columns(tree: Tree, slope, q) -> np.ndarray:
    """X_j(f) (nv,) of a function with the derivatives ∂f/∂q (nq,)."""
    parts = [np.array([column @ slope[link.q] for column in columns(link, q)], dtype=object) for link in tree.links]
    return np.concatenate([np.zeros(0), *parts])


def along_brackets(tree: Tree, q, v, p) -> np.ndarray:
    """c^k_ij v^i p_k (nv,) of all joints. ``q``: symbols."""
    parts = [bracket_terms(link, q[link.q], v[link.v], p[link.v]) for link in tree.links if link.joint.nv]
    return np.concatenate([np.zeros(0), *parts])


def bracket_terms(link: Link, q, v, p) -> np.ndarray:
    """c^k_ij v^i p_k of one joint, from its own coordinates (symbols), velocities and momenta; zero where velocities are rates."""
    unit = np.eye(link.joint.nv)
    fields = [link.joint.kind.coordinates.rates(q, unit[j]) for j in range(link.joint.nv)]
    field = link.joint.kind.coordinates.rates(q, v)
    brackets = [directional(X, q, field) - directional(field, q, X) for X in fields]
    if not any(isinstance(x, Scalar) for bracket in brackets for x in bracket):
        return np.zeros(link.joint.nv)
    N = np.stack(fields, axis=1)
    components = ldl_solve(N.T @ N, N.T @ np.stack(brackets, axis=1))
    return components.T @ p
