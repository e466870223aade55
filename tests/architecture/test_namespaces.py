"""Public names: each in one place, found when first used, few enough at the top to read through."""

import importlib
import importlib.util
import subprocess
import sys
from collections import Counter

import pytest

import vinculum as vc
from vinculum.namespaces import HOMES, RESULTS, TOP, names

MOST = 70
"""Names at the top: what a reader takes in."""
EVERY = [(namespace, name) for namespace in HOMES for name in names(namespace)]


def test_the_top_level_can_be_read_through():
    assert len(vc.__all__) <= MOST


def test_a_name_is_public_in_one_place():
    assert Counter(name for _, name in EVERY).most_common(1)[0][1] == 1
    assert not set(RESULTS) & {name for _, name in EVERY}


@pytest.mark.parametrize(("namespace", "name"), EVERY)
def test_every_name_of_a_namespace_resolves(namespace, name):
    module = importlib.import_module(namespace)
    thing = getattr(module, name)
    assert thing.__name__ == name and name in dir(module)
    assert (name in vars(vc)) == (namespace == TOP)
    assert isinstance(thing, type) == name[0].isupper()


@pytest.mark.parametrize("namespace", [name for name in HOMES if name != TOP])
def test_a_namespace_is_an_attribute_and_a_module(namespace):
    word = namespace.rpartition(".")[2]
    assert getattr(vc, word) is importlib.import_module(namespace)
    assert word in dir(vc)
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(importlib.import_module(namespace), "no_such_name")  # noqa: B009


@pytest.mark.parametrize(("namespace", "name"), EVERY)
def test_no_module_hides_a_public_name(namespace, name):
    """A module that is loaded becomes an attribute of its package, and would stand in the place of the name."""
    assert importlib.util.find_spec(namespace).submodule_search_locations is None or (
        importlib.util.find_spec(f"{namespace}.{name}") is None
    )


def test_names_can_be_imported_from_their_namespace():
    code = "from vinculum.shapes import Box; from vinculum import errors, constraints; print(constraints.gear)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("frozen", [False, True])
def test_what_an_import_makes_is_among_the_old_objects_and_what_is_frozen_stays_so(frozen):
    code = f"""import gc, vinculum as vc
if {frozen}: gc.freeze()
vc.System
assert (gc.get_freeze_count() > 0) == {frozen} and gc.isenabled()
old = {{id(one) for one in gc.get_objects(generation=2)}}
assert {frozen} or id(vars(vc.System)['add'].__wrapped__.__globals__) in old
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_a_name_of_another_namespace_says_where_it_is():
    with pytest.raises(AttributeError, match=r"no attribute 'Distance'; it is vc\.constraints\.distance"):
        vc.Distance  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'LennardJones'; it is vc\.potentials\.LennardJones"):
        vc.LennardJones  # noqa: B018
    assert not hasattr(vc, "nothing")
