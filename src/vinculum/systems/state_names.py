"""Names of what the state of a tree is made of."""

from vinculum.systems.tree import Tree


def q_names(tree: Tree) -> list[str]:
    """A name for each coordinate, and for each mass and multiplier that is part of the state."""
    names = [_name(k.joint.name, label) for k in tree.links for label in k.joint.kind.coordinates.q_labels]
    names += [f"{k.body.name}.mass" for k in tree.varying]
    for one in tree.constraints:
        count = one.mu.stop - one.mu.start
        names += [f"{one.constraint.name}.mu{i + 1 if count > 1 else ''}" for i in range(count)]
    return names


def v_names(tree: Tree) -> list[str]:
    """A name for each velocity."""
    return [_name(k.joint.name, label) for k in tree.links for label in k.joint.kind.coordinates.v_labels]


def _name(joint: str, label: str) -> str:
    return f"{joint}.{label}" if label else joint
