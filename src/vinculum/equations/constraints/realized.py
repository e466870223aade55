"""A tree with another realization of its constraints."""

from collections.abc import Container
from dataclasses import replace

from vinculum.bonds import Realization
from vinculum.equations.constraints.closures import gap_names
from vinculum.systems import Tree
from vinculum.systems.constraint_rows import with_constraints


def realized_by(tree: Tree, names: Container[str], realization: Realization) -> Tree:
    """The tree with the constraints ``names`` realized as given, all its conditions taken for independent."""
    count = len(gap_names(tree))
    bare = replace(tree, constraints=(), nq=tree.nq - tree.multipliers, kept=tuple(range(count)), rank=count)
    return with_constraints(bare, [
        replace(one.constraint, realization=realization) if one.constraint.name in names else one.constraint
        for one in tree.constraints
    ])  # fmt: skip
