"""Subsystems of a tree: a link with all its descendants, and the paths between links. Telegin, definitions 2–7."""

from vinculum.errors import ModelError
from vinculum.systems.tree import Tree


def subsystem(tree: Tree, root: int) -> list[int]:
    """The links of the subsystem of ``root``: itself and all its descendants, parents first."""
    carried = {root}
    for link in tree.links[root + 1 :]:
        if link.parent in carried:
            carried.add(link.index)
    return sorted(carried)


def path_between(tree: Tree, above: int, index: int) -> list[int]:
    """The links (above, index]: from the one after ``above`` (−1 for the ground) to ``index``."""
    path = tree.path(index)
    if above >= 0 and above not in path:
        raise ModelError(
            f"tree '{tree.name}': link {above} does not carry link {index}, so there is no path ({above}, {index}]; "
            "take a link from tree.path(index)"
        )
    return path[path.index(above) + 1 :] if above >= 0 else path


def subsystem_range(tree: Tree, root: int) -> range:
    """The subsystem of ``root`` as the index range root … N_root that the paper sums over.

    It is one only if the links are numbered depth first: each carrier directly followed by all that it carries. Another
    numbering is refused.
    """
    carried = subsystem(tree, root)
    if carried != list(range(root, root + len(carried))):
        raise ModelError(
            f"tree '{tree.name}': the subsystem of link {root} is {carried}, no range of indices, since its links are not "
            "numbered depth first; sum over subsystem(tree, root) instead"
        )
    return range(root, root + len(carried))
