"""JSON made in pieces is that of the whole."""

import json
from dataclasses import asdict, dataclass, fields

import numpy as np
import pytest

import vinculum as vc
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model_cache import model_for
from vinculum.motion.storage.json_pieces import json_bytes
from vinculum.tolerances.sizes import JSON_PIECE


@dataclass(frozen=True)
class Record:
    name: str
    numbers: list[float]


MANY = JSON_PIECE + 3


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        {"a": [], "b": {}, "c": None, "d": True},
        {"name": 'a "quoted" ω', "x": [1.5, -2, 1e300]},
        list(range(2 * MANY)),
        [[k, [float(k)]] for k in range(MANY)],
        {str(k): [k] for k in range(2 * MANY)},
        {"inner": {f"body {k}": {"x": k} for k in range(MANY)}, "after": 1},
    ],
)
def test_pieces_make_the_text_of_the_whole(data):
    assert json_bytes(data) == json.dumps(data, separators=(",", ":")).encode()


def test_dataclasses_are_written_as_their_fields_at_every_depth():
    records = [Record(f"r{k}", [0.1 * k]) for k in range(MANY)]
    expected = {"one": asdict(records[1]), "all": [asdict(one) for one in records]}
    assert json.loads(json_bytes({"one": records[1], "all": records})) == expected


def test_free_bodies_are_read_as_they_were_stored():
    system = vc.System("shelf", gravity=(0, 0, -9.81))
    shapes = [vc.shapes.Sphere(0.05), vc.shapes.Box((0.1, 0.2, 0.3)), vc.shapes.Capsule(0.05, 0.2)]
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", shape, density=1000)) for k, shape in enumerate(shapes)]
    system.add(vc.Contact("touch", bodies, walls=vc.shapes.HalfSpace((0, 0, 1)), impact="inelastic"))
    own = free_bodies_of(model_for(system))
    kept = FreeBodies.from_dict(json.loads(json_bytes(own.to_dict())))
    for one in fields(FreeBodies):
        if one.name != "pool":
            np.testing.assert_array_equal(getattr(kept, one.name), getattr(own, one.name))
