"""Subsystems of a tree do not depend on how its bodies are numbered; a range of indices does."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import ModelError
from vinculum.systems import path_between, subsystem, subsystem_range


def branched(order) -> vc.System:
    """Two arms on a base: a–b–d and a–c, with the bodies in some order."""
    carriers = {"a": "ground", "b": "a", "c": "a", "d": "b"}
    system = vc.System("branched", gravity=(1.0, 2.0, -9.0))
    sizes = {name: k + 1.0 for k, name in enumerate(carriers)}
    for name in order:
        m = sizes[name]
        system.add(vc.RigidBody(name, m, (0.1 * m, 0.2, -0.1), np.diag([0.1, 0.2, 0.15]) * m))
    for name, carrier in carriers.items():
        axis = {"a": (0, 0, 1), "b": (0, 1, 1), "c": (1, 0, 0.5), "d": (1, 2, 3)}[name]
        system.add(vc.Revolute(f"j{name}", carrier, name, axis=axis, at=(0.3, 0.1 * sizes[name], 0.2)))
    return system


def test_renumbering_the_bodies_permutes_the_results_and_changes_nothing_else():
    rng = np.random.default_rng(3)
    state = [dict(zip(("ja", "jb", "jc", "jd"), row, strict=True)) for row in rng.normal(size=(3, 4))]
    first, second = (vc.inverse_dynamics(branched(order), *state) for order in ("abdc", "abcd"))
    assert first.names != second.names
    for k, name in enumerate(first.names):
        assert abs(first.forces[k] - second.forces[second.names.index(name)]) < 1e-12
        assert np.abs(first.wrench(name) - second.wrench(name)).max() < 1e-11


def test_a_subsystem_is_a_range_of_indices_only_in_depth_first_order():
    depth_first = branched("abdc").tree()
    assert list(subsystem_range(depth_first, 1)) == subsystem(depth_first, 1) == [1, 2]
    tree = branched("abcd").tree()
    assert subsystem(tree, 1) == [1, 3]
    assert list(subsystem_range(tree, 0)) == [0, 1, 2, 3]
    with pytest.raises(ModelError, match=r"link 1 is \[1, 3\], no range.*depth first.*subsystem\(tree, root\)"):
        subsystem_range(tree, 1)


def test_there_is_a_path_only_to_what_a_link_carries():
    tree = branched("abcd").tree()
    assert path_between(tree, 0, 3) == [1, 3]
    assert path_between(tree, -1, 3) == [0, 1, 3]
    assert path_between(tree, 3, 3) == []
    with pytest.raises(ModelError, match="link 2 does not carry link 3"):
        path_between(tree, 2, 3)
