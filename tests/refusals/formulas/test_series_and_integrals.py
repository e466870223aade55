"""What has no power series, and what first integrals cannot take, is refused with a remedy."""

import numpy as np
import pytest

import vinculum as vc


def slider(drive=None) -> vc.System:
    system = vc.System("slider")
    system.add(vc.MassPoint("mass", 1.0))
    system.add(vc.Prismatic("rail", "ground", "mass", axis=(1, 0, 0), drive=drive))
    return system


@pytest.mark.parametrize("order", [-1, 2.5, True, 100_000])
def test_an_order_is_a_whole_number(order):
    with pytest.raises(vc.errors.StartError, match=r"must be a whole number from 0 to 400"):
        vc.power_series(slider(), order=order)


def test_an_unknown_form_is_named():
    with pytest.raises(vc.errors.MethodError, match=r"form 'newton' is not known.*newton-euler"):
        vc.power_series(slider(), form="newton")


@pytest.mark.parametrize(
    ("drive", "operation"),
    [
        (lambda q: vc.math.abs(q), "abs"),
        (lambda q: vc.math.where(q < 0.0, 1.0, 2.0), "lt"),
        (lambda q: vc.math.minimum(q, 0.0), "min"),
        (lambda v: -vc.math.sign(v), "sign"),
        (lambda q: vc.math.floor(q), "floor"),
    ],
)
def test_a_start_on_a_switch_has_no_series(drive, operation):
    with pytest.raises(
        vc.errors.MethodError, match=rf"exactly on a switch of a force \('{operation}'\).*before or after"
    ):
        vc.power_series(slider(drive), {"rail": 0.0})


def test_the_root_of_zero_has_no_series():
    with pytest.raises(vc.errors.MethodError, match=r"of zero, which has no power series"):
        vc.power_series(slider(lambda q: vc.math.sqrt(q)), {"rail": 0.0})


def test_a_force_that_is_not_finite_is_refused():
    with pytest.raises(vc.errors.MethodError, match=r"the equations are not finite"):
        vc.power_series(slider(lambda q: 1.0 / q), {"rail": 0.0})


def test_a_massless_leaf_is_refused():
    system = vc.System("leaf")
    system.add(vc.RigidBody("rod", 1.0, inertia=(1, 1, 1)))
    system.add(vc.MassPoint("dot", 1.0))
    system.add(vc.Revolute("hinge", "ground", "rod"))
    system.add(vc.Revolute("spin", "rod", "dot"))
    with pytest.raises(vc.errors.ModelError, match=r"mass matrix is singular.*inertia"):
        vc.power_series(system)


def test_a_series_takes_instants_only():
    series = vc.power_series(slider())
    with pytest.raises(vc.errors.StartError, match=r"finite instant or a row"):
        series(np.zeros((2, 2)))


def test_the_series_method_refuses_switches_and_events():
    with pytest.raises(vc.errors.MethodError, match=r"needs smooth forces, and 'slider' has \['abs'\]"):
        vc.simulate(slider(lambda q: -vc.math.abs(q)), 1.0, {"rail": 1.0}, method="series")
    event = vc.Event("there", ["rail"], lambda rail: rail.q - 1.0)
    with pytest.raises(vc.errors.MethodError, match=r"does not watch events"):
        vc.simulate(slider(), 1.0, {"rail": vc.At(0.0, rate=1.0)}, method="series", events=[event])


def test_a_switch_of_parameters_alone_is_no_switch():
    p = vc.parameter("p", 2.0)
    motion = vc.simulate(slider(lambda q: -vc.math.abs(p) * q), 1.0, {"rail": 1.0}, method="series")
    assert motion["rail"][-1] == pytest.approx(np.cos(2**0.5), abs=1e-13)


def test_a_run_into_a_singularity_says_where():
    with pytest.raises(vc.errors.RunError, match=r"stopped.*t = 1 s") as caught:
        vc.simulate(slider(lambda q: 6.0 * q * q), 2.0, {"rail": vc.At(1.0, rate=2.0)}, method="series")
    assert caught.value.motion.record.pieces.end == pytest.approx(1.0, abs=1e-3)


def test_a_loaded_run_has_no_system_to_search(tmp_path):
    vc.simulate(slider(), 1.0, {"rail": vc.At(0.0, rate=1.0)}).save(tmp_path / "run.zarr")
    model = vc.load(tmp_path / "run.zarr").record.model
    with pytest.raises(vc.errors.MethodError, match=r"loaded run; first integrals need the System"):
        vc.first_integrals(model)
    with pytest.raises(vc.errors.MethodError, match=r"loaded run; power series need the System"):
        vc.power_series(model)


def test_an_integral_wants_its_own_coordinates():
    integrals = vc.first_integrals(slider())
    with pytest.raises(vc.errors.StartError, match=r"q must have 1 and v 1 columns"):
        integrals["energy"].value([1.0, 2.0], [0.0])
    with pytest.raises(vc.errors.StartError, match=r"has no first integral 'enery'.*energy"):
        integrals["enery"]
