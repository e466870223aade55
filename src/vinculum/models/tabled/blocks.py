"""Blocks: bodies whose coordinates hang together. Blocks that are alike up to numbers form a kind."""

from collections.abc import Hashable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.bonds.alike import structure, with_numbers
from vinculum.systems import Link, Tree

NUMBER, WRENCH, EFFORT, INNER = "~number {:04d}", "~wrench {:04d}", "~effort {:04d}", "~inner {:04d}"
"""Hidden parameters of the equations of a block: the numbers of its row, the wrenches of bonds on its bodies, impulses along its
velocities, and what bonds on a body that deforms have power with its rate of deformation by."""


@final
@dataclass(frozen=True, eq=False)
class Alike:
    """Blocks of one structure. ``links`` (m, b): their links in the tree; ``numbers`` (m, c): those that differ between blocks;
    ``block``: the links of the first block, counted from zero, with symbols in place of these numbers."""

    links: np.ndarray
    numbers: np.ndarray
    block: tuple[Link, ...]


def blocks_of(tree: Tree) -> list[list[int]]:
    """The links of every block: each root with all that hangs on it."""
    root: list[int] = []
    for link in tree.links:
        root.append(link.index if link.parent < 0 else root[link.parent])
    found: dict[int, list[int]] = {}
    for link, first in zip(tree.links, root, strict=True):
        found.setdefault(first, []).append(link.index)
    return list(found.values())


def kinds_of(tree: Tree, symbol) -> list[Alike]:
    """Blocks by their structure, in the order of their first members. ``symbol(name, value)``: a hidden parameter."""
    rows: dict[Hashable, list[tuple[list[int], list[float]]]] = {}
    known: dict[int, tuple[list[tuple[list[int], list[float]]], list[float]]] = {}
    for block in blocks_of(tree):
        own = tree.links[block[0]]
        like = own.index if own.like < 0 else own.like
        first = known.get(like) if len(block) == 1 else None
        if first is not None:
            first[0].append((block, first[1]))
            continue
        numbers: list[float] = []
        place = {index: i for i, index in enumerate(block)}
        key = tuple((place.get(tree.links[i].parent, -1), structure(_bare_link(tree.links[i]), numbers)) for i in block)
        members = rows.setdefault(key, [])
        members.append((block, numbers))
        if len(block) == 1:
            known[like] = members, numbers
    return [_alike(tree, members, symbol) for members in rows.values()]


def block_alone(tree: Tree, links: Sequence[int]) -> Alike:
    """One block with numbers of its own in all places."""
    numbers: list[float] = []
    for i in links:
        structure(_bare_link(tree.links[i]), numbers)
    return _alike(tree, [(list(links), numbers)], None)


def _alike(tree: Tree, members: Sequence[tuple[list[int], list[float]]], symbol) -> Alike:
    table = np.array([numbers for _, numbers in members], dtype=float).reshape(len(members), -1)
    differing = np.flatnonzero((table != table[0]).any(axis=0))
    first = list(table[0])
    for k, column in enumerate(differing):
        first[column] = symbol(NUMBER.format(k), float(table[0, column]))
    chosen, numbers, block = members[0][0], iter(first), []
    place, q, v = {index: i for i, index in enumerate(chosen)}, 0, 0
    for i, index in enumerate(chosen):
        link = with_numbers(_bare_link(tree.links[index]), numbers)
        nq, nv = link.joint.nq, link.joint.nv
        own = replace(
            link, index=i, parent=place.get(tree.links[index].parent, -1), q=slice(q, q + nq), v=slice(v, v + nv)
        )
        block.append(own)
        q, v = q + nq, v + nv
    return Alike(np.array([links for links, _ in members], dtype=np.int64), table[:, differing], tuple(block))


def _bare_link(link: Link) -> Link:
    """A link without what its body and joint only remember of their making."""
    body = link.body
    for field in ("shape", "measure"):
        if getattr(body, field, None) is not None and field in vars(body):
            body = _without(body, field)
    return replace(link, body=body)


def _without(body, field: str):
    other = copy(body)
    object.__setattr__(other, field, None)
    return other
