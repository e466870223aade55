"""Starts of many bodies at which an action has no direction or no finite force: refused by name, as where equations are written out."""

import pytest

import vinculum as vc
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.type import TabledType

COUNT = 240


def row_of_points(bond, at=lambda k: 0.1 * k) -> tuple[vc.System, dict]:
    """Mass points in a row, each joined to the one before."""
    system, start, before = vc.System("row"), {}, None
    for k in range(COUNT):
        point = system.add(vc.MassPoint(f"point {k}", 1.0))
        system.add(vc.Translation(f"to {k}", "ground", point))
        start[f"to {k}"] = vc.At((at(k), 0.0, 0.0))
        if before is not None:
            system.add(bond(k, before, point))
        before = point
    return system, start


def spring(k, a, b):
    return vc.Spring(f"spring {k}", a, b, stiffness=10.0, rest_length=0.1)


def test_ends_of_a_spring_that_coincide():
    system, start = row_of_points(spring, lambda k: 0.1 * (k if k != 7 else 6))
    assert isinstance(model_for(system).type, TabledType)
    with pytest.raises(vc.errors.StartError) as refused:
        vc.simulate(system, 0.1, start, progress=False)
    assert (
        "the forces of 'spring 7' have no direction at the start: 'point 6' and 'point 7' are 0 m apart; start elsewhere"
        in str(refused.value)
    )


def test_a_force_that_is_not_finite():
    energy = lambda a, b: 1.0 / vc.math.norm(a.position - b.position)
    pair = lambda k, a, b: vc.Potential(f"charge {k}", [a, b], energy)
    system, start = row_of_points(pair, lambda k: 0.1 * (k if k != 3 else 2))
    assert isinstance(model_for(system).type, TabledType)
    with pytest.raises(vc.errors.StartError, match=r"of 'charge 3' .* at the start: 'point 2' and 'point 3' are 0 m"):
        vc.simulate(system, 0.1, start, progress=False)


def test_a_law_that_ends_somewhere_is_watched():
    system = vc.System("mounts")
    for k in range(COUNT):
        body = system.add(vc.RigidBody(f"body {k}", 1.0, inertia=(0.1,) * 3))
        system.add(vc.Revolute(f"hinge {k}", "ground", body, axis=(0, 0, 1)))
        system.add(vc.potentials.TorsionSpring(f"mount {k}", "ground", body, stiffness=1.0))
    assert isinstance(model_for(system).type, TabledType)
    spin = {f"hinge {k}": vc.At(0.0, rate=1.0 if k else 11.0) for k in range(COUNT)}
    with pytest.raises(vc.errors.VinculumError, match=r"'mount 0'.*half a turn"):
        vc.simulate(system, 1.0, spin, progress=False)
