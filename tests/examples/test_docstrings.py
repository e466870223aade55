"""The examples in the docstrings of public names run and give what they say."""

import doctest
import importlib
import inspect
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from vinculum.namespaces import HOMES, TOP, names

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {
    f"{namespace}.{name}": inspect.unwrap(getattr(importlib.import_module(namespace), name))
    for namespace in HOMES
    for name in names(namespace)
}
FOUND = {
    spelling: tests
    for spelling, thing in PUBLIC.items()
    if (tests := [one for one in doctest.DocTestFinder(recurse=True).find(thing, spelling, globs={}) if one.examples])
}


def test_every_name_at_the_top_has_an_example():
    assert {f"{TOP}.{name}" for name in names(TOP)} <= set(FOUND)


@pytest.mark.parametrize("spelling", FOUND)
def test_an_example_gives_what_it_says(spelling, monkeypatch):
    monkeypatch.chdir(ROOT)
    for one in FOUND[spelling]:
        said: list[str] = []
        one.globs = {"vc": vc, "np": np}
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(one, out=said.append, clear_globs=False)
        assert not said, "".join(said)
