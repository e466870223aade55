"""Unilateral constraints that make no sense, and questions that do not support them."""

import re

import numpy as np
import pytest

import vinculum as vc
from impacted import ball


def floor(**options):
    given = {"gap": lambda b: b.position[2], "impact": vc.Inelastic()} | options
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [ball], **given))
    return system


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: vc.Newton(1.2), r"Newton: restitution 1\.2 must be a number from 0 \(inelastic\) to 1 \(elastic\)"),
        (lambda: vc.Newton(-0.1), "must be a number from 0"),
        (lambda: vc.Newton(float("nan")), "must be a number from 0"),
        (lambda: vc.Poisson(2), "Poisson: restitution 2"),
        (lambda: vc.Newton(0.5, treatment="both"), "treatment 'both' is not known"),
        (lambda: vc.Poisson(0.5, treatment="sequential"), "leave treatment out"),
        (lambda: vc.Coulomb(-0.1), r"mu = -0\.1 must be a number that is zero or more"),
        (lambda: vc.Coulomb(float("inf")), "must be a number that is zero or more"),
        (lambda: vc.Coulomb(0.3, along=(1, 0, 0)), "give both along= and mu_across="),
        (lambda: vc.Coulomb(0.3, along=(0, 0, 0), mu_across=0.1), "is not a direction"),
        (lambda: floor(impact=None), "choose an impact law"),
        (lambda: floor(gap=3), "gap is 3; give a function of ball"),
        (lambda: floor(friction="rough"), r"friction is 'rough'; give the coefficient mu, vc\.Coulomb\(mu\)"),
        (lambda: floor(friction=-0.3), r"mu = -0\.3 must be a number that is zero or more"),
        (lambda: floor(impact=1.3), r"Newton: restitution 1\.3 must be a number from 0"),
        (lambda: floor(impact="soft"), "impact is 'soft'; choose an impact law.*'inelastic', 'elastic'"),
        (lambda: floor(impact=True), "impact is True; choose an impact law"),
        (lambda: floor(friction=vc.Coulomb(0.3)), "friction needs the point of contact; give point="),
        (lambda: vc.Unilateral("b", [], gap=lambda: 1, impact=vc.Inelastic()), "give a list of bodies or joints"),
        (lambda: floor(gap=lambda b: b.position).tree(), "return one number"),
        (lambda: floor(gap=lambda b: 1.0).tree(), "it limits nothing that moves"),
        (lambda: floor(gap=lambda b: b.velocity[2]).tree(), "a gap depends on positions only"),
        (lambda: floor(friction=vc.Coulomb(0.3), point=lambda b: 1.0).tree(), "return three numbers"),
        (lambda: floor(point=3), "point is 3; give a function of ball"),
        (lambda: floor(gap=lambda b, t: 1.0 - t).tree(), "does not change when ball move"),
        (lambda: floor(gap=lambda b: b.position[2] > 0).tree(), "does not change when ball move"),
        (lambda: floor().with_contacts({"flor": "slides"}), "no unilateral constraint 'flor'; did you mean 'floor'"),
        (lambda: floor().with_contacts({"floor": "floats"}), "say 'slides' or 'sticks'"),
    ],
)
def test_unilateral_constraints_that_make_no_sense_are_refused(make, told):
    with pytest.raises(vc.errors.VinculumError, match=told):
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
def test_what_takes_no_account_of_unilateral_constraints_says_so(ask):
    with pytest.raises(vc.errors.VinculumError, match="do not support unilateral constraints"):
        ask(floor())


@pytest.mark.parametrize("method", ["rk4", "verlet", "midpoint", "series", "idas"])
def test_methods_that_know_no_unilateral_constraints_are_refused(method):
    with pytest.raises(vc.errors.VinculumError, match="does not support unilateral constraints"):
        vc.simulate(floor(), 1.0, {"ball": (0, 0, 1)}, method=method, progress=False)


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 1e-2}])
def test_a_start_below_the_floor_is_refused_with_the_depth(options):
    with pytest.raises(vc.errors.StartError, match=r"unilateral constraint 'floor' is -0\.25 at the start"):
        vc.simulate(floor(), 1.0, {"ball": (0, 0, -0.25)}, progress=False, **options)


def test_a_floor_fixed_in_the_world_is_told_from_one_between_bodies():
    system = floor()
    other = system.add(vc.MassPoint("other", 1.0))
    system.add(
        vc.Unilateral(
            "pair", ["ball", other], gap=lambda a, b: vc.math.norm(a.position - b.position) - 1, impact=vc.Inelastic()
        )
    )
    found = {line.bond: line.verdict for line in vc.audit_invariance(system).lines}
    assert found["pair"] == "invariant"
    assert found["floor"] != "invariant"


@pytest.mark.parametrize(
    ("gap", "options", "told"),
    [
        (
            lambda b: b.position[2] ** 3,
            {},
            "the gap of unilateral constraint 'floor' closes where its gradient vanishes",
        ),
        (
            lambda b, t: b.position[2] - vc.math.where(t < 0.43, 0.0, 0.5),
            {},
            "unilateral constraint 'floor' jumps to -0.4",
        ),
        (
            lambda b: vc.math.sqrt(b.position[2]),
            {"method": "dop853"},
            "the gap of unilateral constraint 'floor' is nan",
        ),
        (
            lambda b: vc.math.sqrt(b.position[2]),
            {"method": "moreau", "step": 1e-2},
            "stopped being finite after t = 0.45",
        ),
    ],
)
def test_gaps_that_fail_where_they_close_end_the_run(gap, options, told):
    with pytest.raises(vc.errors.RunError, match=told) as refused:
        vc.simulate(floor(gap=gap), until=0.6, start={"ball": (0, 0, 1)}, **options)
    assert np.all(np.isfinite(refused.value.motion.q))


TOUCHED = {
    "square": (lambda b: b.position[2] ** 2, "gradient vanishes"),
    "fourth power": (lambda b: b.position[2] ** 4, "gradient vanishes"),
    "bump": (lambda b: 1 - vc.math.cos(b.position[2]), "gradient vanishes"),
    "kink": (lambda b: abs(b.position[2]), "gradient jumps"),
}


METHODS = [{}, {"method": "dop853"}, {"method": "moreau", "step": 1e-3}, {"method": "moreau", "step": 1e-2}]


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize("which", TOUCHED)
def test_gaps_that_touch_zero_and_keep_their_sign_end_the_run_where_they_do(which, options):
    gap, why = TOUCHED[which]
    with pytest.raises(vc.errors.RunError, match="unilateral constraint 'floor'") as refused:
        vc.simulate(floor(gap=gap), until=0.6, start={"ball": (0, 0, 1)}, progress=False, **options)
    told = str(refused.value)
    assert why in told or "where its gradient vanishes" in told
    assert "write" in told and "distance" in told
    end = refused.value.motion.record.pieces.end
    assert end == pytest.approx(np.sqrt(2 / 9.81), abs=1e-5 if "step" not in options else 4 * options["step"])
    assert refused.value.motion.at(np.linspace(0, end, 50)).q[:, 2].min() > -1e-6


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 1e-3}])
def test_a_gap_that_is_only_grazed_goes_on(options):
    system = vc.System("ball")
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("drum", [ball], gap=lambda b: vc.math.norm(b.position) - 0.5, impact=vc.Inelastic()))
    start = {"ball": vc.At((-1.0, 0, 0.5 + 1e-12), rate=(2.0, 0, 0))}
    motion = vc.simulate(system, until=1.0, start=start, progress=False, **options)
    assert motion.q[-1, 0] == pytest.approx(1.0, abs=1e-9)


def test_gaps_in_pieces_run_by_dop853_and_not_by_series():
    bench = floor(gap=lambda b: vc.math.minimum(b.position[2], b.position[2] - 0.2))
    motion = vc.simulate(bench, until=0.6, start={"ball": (0, 0, 1)})
    assert motion.bond("floor").impulses.times[0] == pytest.approx(np.sqrt(1.6 / 9.81), abs=1e-11)
    with pytest.raises(vc.errors.MethodError, match="a gap of 'ball' is not smooth"):
        vc.simulate(bench, until=0.6, start={"ball": (0, 0, 1)}, method="taylor")


def test_friction_along_one_direction_alone_is_for_time_stepping():
    rough = floor(point=lambda b: b.position, friction=vc.Coulomb(0.3, along=(1, 0, 0), mu_across=0.0))
    start = {"ball": vc.At((0, 0, 0), rate=(1, 1, 0))}
    with pytest.raises(
        vc.errors.MethodError,
        match=r"unilateral constraint 'floor': friction along one direction alone .* method='moreau'",
    ):
        vc.simulate(rough, until=0.8, start=start, progress=False)
    motion = vc.simulate(rough, until=0.8, start=start, method="moreau", step=1e-3, progress=False)
    np.testing.assert_allclose(motion.q[-1], [0.5 / (0.3 * 9.81), 0.8, 0.0], atol=1e-4)


def test_numbers_of_numpy_are_ratios_too():
    assert vc.Newton(np.float32(0.5)).restitution == 0.5
    assert vc.Coulomb(np.float32(0.5)).coefficients == (0.5, 0.5)


def test_resolve_is_a_choice_of_two():
    with pytest.raises(vc.errors.MethodError, match="resolve 'yes' must be True or False"):
        vc.simulate(floor(), until=0.6, start={"ball": (0, 0, 1)}, resolve="yes")


@pytest.mark.parametrize(
    ("impacts", "method", "told"),
    [("soon", "moreau", "is not known; say 'located' or 'stepped'"), ("stepped", "dop853", "is for method='moreau'")],
)
def test_impacts_that_are_not_known_or_not_for_a_method_are_refused(impacts, method, told):
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Inelastic()))
    step = {"step": 1e-3} if method == "moreau" else {}
    with pytest.raises(vc.errors.MethodError, match=told):
        vc.simulate(system, 0.1, {"ball": (0, 0, 1)}, method=method, impacts=impacts, progress=False, **step)


def test_more_than_64_unilateral_constraints_are_refused_event_by_event_with_time_stepping_as_the_remedy():
    system = vc.System("comb", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 1.0))
    for k in range(65):
        system.add(
            vc.Unilateral(f"tooth {k}", [ball], gap=lambda b, k=k: b.position[2] + 0.01 * k, impact=vc.Inelastic())
        )
    with pytest.raises(
        vc.errors.MethodError, match=r"'comb' has 65 unilateral constraints.*at most 64.*method='moreau'"
    ):
        vc.simulate(system, until=0.1, start={"ball": (0, 0, 1)}, progress=False)
    motion = vc.simulate(system, until=0.1, start={"ball": (0, 0, 0.02)}, method="moreau", step=1e-2, progress=False)
    assert motion.q[-1, 2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_an_impact_whose_impulses_miss_their_tolerance_is_handed_over_with_the_residual(monkeypatch, method):
    from vinculum.integrators.event_driven import touching

    monkeypatch.setattr(touching, "IMPACT_SWEEPS", 2)
    system = vc.System("row")
    balls = [system.add(vc.MassPoint(f"ball {k}", 0.7)) for k in range(4)]
    for k in range(3):
        gap = lambda a, b: b.position[0] - a.position[0] - 0.1
        system.add(vc.Unilateral(f"pair {k}", balls[k : k + 2], gap=gap, impact=vc.Elastic()))
    start = {f"ball {k}": (0.1 * k, 0, 0) for k in range(1, 4)} | {"ball 0": vc.At((-0.2, 0, 0), rate=(1, 0, 0))}
    told = r"handed over to time stepping.*impulses of 3 unilateral constraints at t = 0\.2 s have residual \S+ after 2 sweeps, which"
    motion = vc.simulate(system, until=0.5, start=start, method=method, progress=False)
    assert re.search(told, motion.log[0])
    assert motion.record.pieces.end == 0.5 and np.all(motion.record.contact_solver.residual <= 1e-7)
    np.testing.assert_allclose(motion.v[-1, ::3].sum(), 1.0, rtol=1e-9)


def test_where_nothing_meets_nothing_is_moved_apart():
    system = vc.System("alone")
    system.add(vc.MassPoint("point", 1.0))
    with pytest.raises(vc.errors.MethodError, match=r"resolve=True .* 'alone' has no contact; leave it out"):
        vc.simulate(system, 0.1, {"point": (0, 0, 0)}, resolve=True, progress=False)


@pytest.mark.parametrize("seed", ["one", -1, 0.5, True])
def test_seeds_of_test_fields_are_whole_numbers(seed):
    motion = vc.simulate(ball(vc.Inelastic()), 0.1, {"ball": (0, 0, 1)}, progress=False)
    with pytest.raises(vc.errors.MethodError, match=r"seed .* must be a whole number ≥ 0"):
        vc.measures.weak_residual(motion, 3, seed=seed)
