"""Stored geometry that does not fit is refused, and a run without any is drawn all the same."""

from dataclasses import replace

import numpy as np
import pytest

from seen import closed_loop
from vinculum.errors import FileError
from vinculum.models.geometry import Geometry
from vinculum.models.tree_geometry import geometry_at
from vinculum.show.by_type import scene_of
from vinculum.show.drawing.bodies import Wanted

BODIES = {"rod", "ground"}


def plain(**changed):
    mark = {
        "kind": "ball",
        "name": "rod",
        "on": ["rod"],
        "points": [[0.0] * 3],
        "axes": [np.eye(3).ravel().tolist()],
        "sizes": [0.1],
        "facets": [],
    }
    return {
        "gravity": [0.0] * 3,
        "marks": [{**mark, **changed}],
        "surfaces": [{"corners": [[0.0] * 3] * 3, "triangles": [[0, 1, 2]]}],
    }


def test_what_is_written_is_read_back():
    assert Geometry.from_dict(plain(), BODIES).to_dict() == plain()


@pytest.mark.parametrize(
    "changed",
    [
        {"on": ["nobody"]},
        {"points": [[0.0, 0.0]]},
        {"axes": [[1.0] * 8]},
        {"sizes": []},
        {"on": ["rod", "ground"]},
        {"facets": [1]},
        {"kind": "mesh"},
    ],
)
def test_geometry_that_does_not_fit_is_refused(changed):
    with pytest.raises(FileError, match="the stored geometry does not fit the bodies"):
        Geometry.from_dict(plain(**changed), BODIES)


@pytest.mark.parametrize("changed", [{"sizes": ["wide"]}, {"points": [[np.inf, 0.0, 0.0]]}, {"kind": 3}, {"more": 1}])
def test_geometry_of_other_types_is_refused(changed):
    with pytest.raises(TypeError):
        Geometry.from_dict(plain(**changed), BODIES)


def test_corners_of_triangles_must_be_there():
    wrong = plain() | {"surfaces": [{"corners": [[0.0] * 3], "triangles": [[0, 1, 2]]}]}
    with pytest.raises(FileError, match="does not fit"):
        Geometry.from_dict(wrong, BODIES)


def test_a_run_without_geometry_is_drawn_as_balls():
    record = closed_loop().record
    bare = replace(record, model=replace(record.model.complete(), tree=None, geometry=None))
    assert geometry_at(bare.model, {}) is None
    scene = scene_of(bare, Wanted())
    assert {part.body for part in scene.parts} == set(range(len(scene.bodies)))
    assert "stored without shapes" in scene.notes[0]
