"""Realizations of one constraint next to each other."""

import numpy as np
import pytest

import vinculum as vc


def system() -> vc.System:
    made = vc.System("knife edge")
    blade = made.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    made.add(vc.Planar("plane", "ground", blade))
    made.add(vc.Constraint("edge", ["plane"], realization=vc.DAlembert(),
                           velocity=lambda p: vc.math.sin(p.q[2]) * p.v[0] - vc.math.cos(p.q[2]) * p.v[1]))  # fmt: skip
    return made


START = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}


def test_motions_of_several_realizations_are_those_of_single_runs(tmp_path):
    compared = vc.constraints.compare_realizations(
        system(), "edge", [vc.DAlembert(), vc.Chetaev(), vc.constraints.ViscousFriction(1e2)], 2.0, START
    )
    assert compared.labels == ("d'Alembert", "Chetaev", "viscous friction")
    assert np.array_equal(compared["d'Alembert"].q, vc.simulate(system(), 2.0, START).q)
    assert compared.distance("Chetaev").max() < 1e-13 and compared.parting("Chetaev") is None
    assert 0.01 < compared.distance("viscous friction").max() < 0.1 and compared.parting("viscous friction", 1e-3) > 0.0
    assert "realized in 3 ways" in str(compared) and compared.to_dict()["realizations"][2]["distance"] > 0.01
    compared.plot(tmp_path / "edge.png")
    assert (tmp_path / "edge.png").stat().st_size > 10_000


def test_vakonomic_motions_stand_next_to_others(tmp_path):
    ways = [vc.Vakonomic(multipliers=0.0), vc.DAlembert(), vc.constraints.AddedInertia(1e3)]
    compared = vc.constraints.compare_realizations(system(), "edge", ways, 2.0, START)
    assert compared.labels == ("vakonomic", "d'Alembert", "added inertia")
    assert compared.distance("d'Alembert").max() > 0.5 and compared.distance("added inertia").max() < 0.01
    assert (
        np.abs(compared["vakonomic"].bond("edge").multiplier - compared["added inertia"].bond("edge").multiplier).max()
        < 0.01
    )
    compared.plot(tmp_path / "edge.png")


def test_the_system_itself_stays_as_it_was():
    made = system()
    other = made.with_realization("edge", vc.constraints.ViscousFriction(5.0))
    assert isinstance(made.constraints["edge"].realization, vc.DAlembert)
    assert isinstance(other.constraints["edge"].realization, vc.constraints.ViscousFriction)


@pytest.mark.parametrize(
    ("constraint", "realizations", "message"),
    [
        ("egde", [vc.DAlembert(), vc.constraints.ViscousFriction(1.0)], "no constraint 'egde'; did you mean 'edge'"),
        ("edge", [vc.DAlembert()], "two or more"),
        ("edge", [vc.DAlembert(), "friction"], "not a realization"),
    ],
)
def test_comparisons_that_make_no_sense_are_refused(constraint, realizations, message):
    with pytest.raises(vc.errors.VinculumError, match=message):
        vc.constraints.compare_realizations(system(), constraint, realizations, 1.0, START)
