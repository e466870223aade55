"""Boundaries that make no sense, and questions that take no account of them."""

import numpy as np
import pytest

import vinculum as vc


def floor(**options):
    given = {"gap": lambda b: b.position[2], "shock": vc.Soft()} | options
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Boundary("floor", [ball], **given))
    return system


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: vc.Newton(1.2), r"Newton: restitution 1\.2 must be a number from 0 \(soft\) to 1 \(elastic\)"),
        (lambda: vc.Newton(-0.1), "must be a number from 0"),
        (lambda: vc.Newton(float("nan")), "must be a number from 0"),
        (lambda: vc.Poisson(2), "Poisson: restitution 2"),
        (lambda: vc.Newton(0.5, treatment="both"), "treatment 'both' is not known"),
        (lambda: vc.Poisson(0.5, treatment="sequential"), "leave treatment out"),
        (lambda: vc.Coulomb(-0.1), r"mu = -0\.1 must be a number that is zero or more"),
        (lambda: vc.Coulomb(float("inf")), "must be a number that is zero or more"),
        (lambda: vc.Coulomb(0.3, along=(1, 0, 0)), "give both along= and mu_across="),
        (lambda: vc.Coulomb(0.3, along=(0, 0, 0), mu_across=0.1), "is no direction"),
        (lambda: floor(shock=None), "say what follows a hit"),
        (lambda: floor(gap=3), "gap is 3; give a function of ball"),
        (lambda: floor(friction=0.3), r"friction is 0\.3; give vc\.Coulomb\(mu\)"),
        (lambda: floor(friction=vc.Coulomb(0.3)), "friction needs to know what slips; give point="),
        (lambda: vc.Boundary("b", [], gap=lambda: 1, shock=vc.Soft()), "give a list of bodies or joints"),
        (lambda: floor(gap=lambda b: b.position).tree(), "return one number"),
        (lambda: floor(gap=lambda b: 1.0).tree(), "it bounds nothing that moves"),
        (lambda: floor(gap=lambda b: b.velocity[2]).tree(), "a gap is a matter of places alone"),
        (lambda: floor(friction=vc.Coulomb(0.3), point=lambda b: 1.0).tree(), "return three numbers"),
        (lambda: floor().with_contacts({"flor": "slides"}), "no boundary 'flor'; did you mean 'floor'"),
        (lambda: floor().with_contacts({"floor": "floats"}), "say 'slides' or 'sticks'"),
    ],
)
def test_boundaries_that_make_no_sense_are_refused(make, told):
    with pytest.raises(vc.VinculumError, match=told):
        make()


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: vc.derive(s),
        lambda s: vc.linearize(s),
        lambda s: vc.ensemble(s, until=1.0, start={"ball": np.zeros((2, 3))}),
        lambda s: vc.first_integrals(s),
        lambda s: vc.inverse_dynamics(s, np.zeros(3), np.zeros(3), np.zeros(3)),
        lambda s: vc.power_series(s, {"ball": (0, 0, 1)}, order=3),
    ],
)
def test_what_takes_no_account_of_boundaries_says_so(ask):
    with pytest.raises(vc.VinculumError, match="take no account of boundaries"):
        ask(floor())


@pytest.mark.parametrize("method", ["rk4", "verlet", "midpoint", "series", "idas"])
def test_methods_that_know_no_boundaries_are_refused(method):
    with pytest.raises(vc.VinculumError, match="knows no boundaries"):
        vc.simulate(floor(), 1.0, {"ball": (0, 0, 1)}, method=method, progress=False)


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 1e-2}])
def test_a_start_below_the_floor_is_refused_with_the_depth(options):
    with pytest.raises(vc.StartError, match=r"boundary 'floor' is -0\.25 at the start"):
        vc.simulate(floor(), 1.0, {"ball": (0, 0, -0.25)}, progress=False, **options)


def test_a_floor_fixed_in_the_world_is_told_from_one_between_bodies():
    system = floor()
    other = system.add(vc.MassPoint("other", 1.0))
    system.add(
        vc.Boundary(
            "pair", ["ball", other], gap=lambda a, b: vc.math.norm(a.position - b.position) - 1, shock=vc.Soft()
        )
    )
    found = {line.bond: line.verdict for line in vc.audit_invariance(system).lines}
    assert found["pair"] == "invariant"
    assert found["floor"] != "invariant"


@pytest.mark.parametrize(
    ("impacts", "method", "told"),
    [("soon", "moreau", "is not known; say 'located' or 'stepped'"), ("stepped", "dop853", "is for method='moreau'")],
)
def test_impacts_that_are_not_known_or_not_for_a_method_are_refused(impacts, method, told):
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Boundary("floor", [point], gap=lambda b: b.position[2], shock=vc.Soft()))
    step = {"step": 1e-3} if method == "moreau" else {}
    with pytest.raises(vc.MethodError, match=told):
        vc.simulate(system, 0.1, {"ball": (0, 0, 1)}, method=method, impacts=impacts, progress=False, **step)
