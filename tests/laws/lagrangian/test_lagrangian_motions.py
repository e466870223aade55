"""Motions of Lagrangian systems: events, stored runs, pictures, and constraints that yield."""

import numpy as np
import pytest
from scipy.special import ellipk

import vinculum as vc
from sameness import same_certificate

cos, sin = vc.math.cos, vc.math.sin
G = vc.parameter("g", 9.81)


def pendulum():
    return vc.LagrangianSystem("pendulum", ["theta"], lambda theta, theta_dot: theta_dot**2 / 2 + G * cos(theta))


def skate(realization):
    return vc.LagrangianSystem(
        "skate",
        ["x", "y", "theta"],
        lambda x_dot, y_dot, theta_dot: (x_dot**2 + y_dot**2) / 2 + 0.35 * theta_dot**2,
        constraints={"edge": (lambda theta, x_dot, y_dot: cos(theta) * y_dot - sin(theta) * x_dot, realization)},
    )


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_pendulum_passes_its_lowest_point_at_quarters_of_its_period(method):
    """T = 4 K(sin²(θ₀/2)) / √g, also with a parameter that only the event has."""
    low = vc.Event("low", ["theta"], lambda theta: theta.q - vc.parameter("where", 1.0))
    motion = vc.simulate(
        pendulum(),
        6.0,
        {"theta": 1.2},
        method=method,
        events=[low],
        parameters={"g": 5.0, "where": 0.0},
        progress=False,
    )
    quarter = ellipk(np.sin(0.6) ** 2) / np.sqrt(5.0)
    times = np.array([crossing.time for crossing in motion.record.crossings])
    np.testing.assert_allclose(
        times, quarter * np.arange(1, 2 * len(times), 2), rtol=0, atol=1e-9 if method == "dop853" else 1e-12
    )
    assert [crossing.direction for crossing in motion.record.crossings][:2] == [-1, 1]
    assert motion.record.parameters == {"g": 5.0}


def test_an_event_can_stop_the_run_and_look_at_rates_and_time():
    top = vc.Event("top", ["theta"], lambda theta, t: theta.v + 0.0 * t, direction=1, stop=True)
    motion = vc.simulate(pendulum(), 60.0, {"theta": vc.At(0.3, rate=-1.0)}, events=top, progress=False)
    assert motion.time[-1] <= motion.record.pieces.end == motion.record.crossings[0].time < 1.0
    assert abs(motion.at(motion.record.pieces.end).v[0, 0]) < 1e-12
    assert motion.audit().passed


@pytest.mark.parametrize(
    "realization",
    [
        vc.DAlembert(),
        vc.Vakonomic(multipliers=0.25),
        vc.constraints.ViscousFriction(50.0),
        vc.constraints.AddedInertia(50.0),
    ],
)
def test_a_stored_motion_is_read_back_and_certified_without_its_functions(realization, tmp_path):
    turned = vc.Event("turned", ["theta"], lambda theta: theta.q - 1.0)
    start = ([0, 0, 0], [1.3, 0, 0.9])
    motion = vc.simulate(skate(realization), 2.0, start, events=[turned], progress=False)
    motion.save(tmp_path / "saved.zarr")
    streamed = vc.simulate(
        skate(realization), 2.0, start, events=[turned], out=tmp_path / "streamed.zarr", progress=False
    )
    for one in (vc.load(tmp_path / "saved.zarr"), vc.load(tmp_path / "streamed.zarr"), streamed):
        for what in ("time", "q", "v", "momenta", "energy", "total_energy"):
            np.testing.assert_array_equal(getattr(one.record, what), getattr(motion.record, what))
        np.testing.assert_array_equal(one.bond("edge").multiplier, motion.bond("edge").multiplier)
        np.testing.assert_array_equal(one.derivative(2), motion.derivative(2))
        assert one.record.crossings == motion.record.crossings and len(one.record.crossings) == 1
        same_certificate(one.audit(), motion.audit())
        assert one.audit().passed


def test_a_stored_motion_of_second_order_is_read_back(tmp_path):
    system = vc.LagrangianSystem("rod", ["x"], lambda x, x_dot, x_ddot: (x_ddot**2 - 5 * x_dot**2 + 4 * x**2) / 2)
    motion = vc.simulate(system, 3.0, ([1.0], [0.0], [-1.0], [0.3]), progress=False)
    motion.save(tmp_path / "rod.zarr")
    one = vc.load(tmp_path / "rod.zarr")
    np.testing.assert_array_equal(one.derivative(3), motion.derivative(3))
    assert one.record.system is None and one.record.order == 2 and one.audit().passed


def test_a_motion_is_drawn_and_labelled(tmp_path):
    motion = vc.simulate(skate(vc.Vakonomic(multipliers=0.0)), 2.0, ([0, 0, 0], [1.3, 0, 0.9]), progress=False)
    figure = motion.plot(path=tmp_path / "skate.png")
    assert [ax.get_ylabel() for ax in figure.axes][:3] == ["coordinates", "rates", "multipliers"]
    assert (tmp_path / "skate.png").stat().st_size > 10_000
    assert len(motion.plot("theta").axes[0].lines) == 1
    with pytest.raises(
        vc.errors.StartError, match="there is no coordinate 'tehta' in system 'skate'; did you mean 'theta'"
    ):
        motion.plot("tehta")
    data = motion.to_xarray()
    np.testing.assert_array_equal(data.q.sel(coordinate="theta"), motion["theta"])
    assert data.attrs["system"] == "skate"


def test_added_inertia_tends_to_the_vakonomic_motion_and_friction_to_dalemberts():
    """Kozlov's two limits: both errors fall as 1/κ; fact 6 of Gołubowska's examples."""
    start, mu = ([0.0, 0, 0], [1.3, 0, 0.9]), 0.25
    vakonomic = vc.simulate(skate(vc.Vakonomic(multipliers=mu)), 2.0, start, progress=False)
    ideal = vc.simulate(skate(vc.DAlembert()), 2.0, start, progress=False)
    inertia, friction = [], []
    for kappa in (1e2, 1e3, 1e4):
        heavy = vc.simulate(
            skate(vc.constraints.AddedInertia(kappa)), 2.0, ([0.0, 0, 0], [1.3, mu / kappa, 0.9]), progress=False
        )
        rough = vc.simulate(skate(vc.constraints.ViscousFriction(kappa)), 2.0, start, progress=False)
        assert heavy.audit().passed and rough.audit().passed
        np.testing.assert_allclose(
            heavy.bond("edge").multiplier, kappa * heavy.bond("edge").residual[:, 0], rtol=1e-12, atol=1e-12
        )
        inertia.append(np.abs(heavy.q - vakonomic.q).max())
        friction.append(np.abs(rough.q - ideal.q).max())
    np.testing.assert_allclose(np.diff(np.log10(inertia)), -1.0, atol=0.02)
    np.testing.assert_allclose(np.diff(np.log10(friction)), -1.0, atol=0.02)
    assert friction == pytest.approx([3.02e-2, 3.06e-3, 3.06e-4], rel=0.01)


def test_realizations_of_a_lagrangian_are_compared():
    start = ([0, 0, 0], [1.3, 0, 0.9])
    found = vc.constraints.compare_realizations(
        skate(vc.DAlembert()), "edge", [vc.DAlembert(), vc.Vakonomic(multipliers=0.0)], 4.0, start
    )
    assert found["d'Alembert"].q[-1] == pytest.approx([-0.63919620, 2.73976216, 3.6], abs=1e-8)
    assert found["vakonomic"].q[-1] == pytest.approx([2.80999675, 0.32741435, 5.39047925], abs=1e-8)
    assert "realized in 2 ways" in str(found) and len(found.plot().axes) == 5
    with pytest.raises(vc.errors.ModelError, match="has no constraint 'egde'; did you mean 'edge'"):
        vc.constraints.compare_realizations(skate(vc.DAlembert()), "egde", [vc.DAlembert(), vc.Chetaev()], 4.0, start)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (vc.Event("e", ["phi"], lambda phi: phi.q), "event 'e': there is no coordinate 'phi' in system 'pendulum'"),
        (vc.Event("e", ["theta"], lambda theta: theta.a), "knows coordinates and their rates: look at q and v"),
        (vc.Event("e", ["theta"], lambda theta: theta.x), "its function failed on symbols: AttributeError"),
        (vc.Event("e", ["theta"], lambda theta: 3.0), "return one number that changes"),
    ],
)
def test_events_that_a_lagrangian_cannot_have_are_refused(event, message):
    with pytest.raises(vc.errors.VinculumError, match=message):
        vc.simulate(pendulum(), 1.0, {"theta": 1.0}, events=[event])


def test_two_events_of_one_name_are_refused():
    event = vc.Event("e", ["theta"], lambda theta: theta.q)
    with pytest.raises(vc.errors.StartError, match="event names must differ"):
        vc.simulate(pendulum(), 1.0, {"theta": 1.0}, events=[event, event])


def test_a_realization_whose_motion_ends_early_is_compared_as_far_as_it_goes():
    """Straight up at a fixed speed the vakonomic inertia (1 + λ') vanishes at t = c/g."""
    system = vc.LagrangianSystem(
        "up",
        ["x", "y"],
        lambda q, v: v @ v / 2 - 9.81 * q[1],
        constraints={"speed": (lambda v: v @ v - 4.0, vc.Chetaev())},
    )
    ways = [vc.Chetaev(), vc.Vakonomic(multipliers=0.0)]
    found = vc.constraints.compare_realizations(system, "speed", ways, 1.0, ([0, 0], [0.0, 2.0]), progress=False)
    assert found.time[-1] == pytest.approx(2.0 / 9.81, abs=1e-3)
    assert found.failures[0] is None and "becomes singular" in found.failures[1]
    assert "vakonomic ended early: the run of 'up' stopped" in str(found)
    assert found.to_dict()["realizations"][1]["failure"] == found.failures[1]
    assert len(found.plot().axes) == 4
