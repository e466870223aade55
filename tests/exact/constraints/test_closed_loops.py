"""Mechanisms with closed loops against closed forms and equations written by hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from marks import needs_heyoka
from mechanisms import CORNERS, bricard, four_bar, rod, three_posts, windows, windows_start

A, B, C, D = 1.0, 2.5, 2.0, 2.2
START = {"A": vc.At(1.0, rate=2.0)}


def four_bar_geometry(theta):
    """Angles of coupler and rocker of the elbow-up four-bar, by cosines."""
    pin = A * np.exp(1j * theta)
    line = D - pin
    reach, bearing = abs(line), np.angle(line)
    coupler = bearing + np.arccos((B**2 + reach**2 - C**2) / (2 * B * reach))
    rocker = np.angle(pin + B * np.exp(1j * coupler) - D)
    return coupler, rocker


def four_bar_energies(theta):
    """Inertia seen by the crank and potential energy, from positions alone."""
    step = 1e-6

    def centers(x):
        coupler, rocker = four_bar_geometry(x)
        pin = A * np.exp(1j * x)
        return np.array([0.5 * pin, pin + 0.5 * B * np.exp(1j * coupler), D + 0.5 * C * np.exp(1j * rocker)]), np.array(
            [x, coupler, rocker]
        )

    here, _ = centers(theta)
    speeds, rates = ((b - a) / (2 * step) for a, b in zip(centers(theta - step), centers(theta + step), strict=True))
    masses = np.array([A, B, C])
    inertias = masses * masses**2 / 12 + 1e-4
    return np.sum(masses * abs(speeds) ** 2 + inertias * rates**2), 9.81 * np.sum(masses * here.imag)


def test_a_four_bar_moves_as_its_one_equation_says():
    def equation(t, y):
        step = 1e-4
        (low, low_U), (mid, _), (high, high_U) = (four_bar_energies(y[0] + k * step) for k in (-1, 0, 1))
        slope, slope_U = (high - low) / (2 * step), (high_U - low_U) / (2 * step)
        return [y[1], -(0.5 * slope * y[1] ** 2 + slope_U) / mid]

    motion = vc.simulate(four_bar(), 2.0, START, grid=5)
    by_hand = solve_ivp(equation, (0, 2.0), [1.0, 2.0], t_eval=motion.time, rtol=1e-9, atol=1e-9, method="DOP853")
    np.testing.assert_allclose(motion["A"], by_hand.y[0], rtol=0, atol=2e-5)


def test_a_four_bar_satisfies_freudenstein_and_stays_closed():
    motion = vc.simulate(four_bar(), 10.0, START)
    crank, rocker = motion["A"], motion["D"]
    left = D / A * np.cos(rocker) - D / C * np.cos(crank) + (A**2 - B**2 + C**2 + D**2) / (2 * A * C)
    np.testing.assert_allclose(left, np.cos(crank - rocker), rtol=0, atol=1e-12)
    pin = motion.body("coupler").point((B, 0, 0)).position - motion.body("rocker").point((C, 0, 0)).position
    assert np.abs(pin).max() < 1e-12
    assert np.ptp(motion.energy) < 1e-12 * np.abs(motion.energy).max() * 20
    assert motion.audit().passed


@pytest.mark.parametrize(
    "order", [("A", "B", "D", "C"), ("D", "C", "B", "A"), ("B", "C", "D", "A"), ("C", "A", "B", "D")]
)
def test_it_does_not_matter_which_joint_closes_the_loop(order):
    usual = vc.simulate(four_bar(), 1.0, START, grid=11)
    whole = {name: usual[name][0] for name in ("A", "B", "D")}
    reference = {name: usual.joint(name).reaction for name in "ABCD"}
    system = four_bar(order=order)
    state = {"crank": whole["A"], "coupler": whole["A"] + whole["B"], "rocker": whole["D"]}
    start = {}
    for link in system.tree().links:
        parent = link.joint.parent if isinstance(link.joint.parent, str) else link.joint.parent.name
        angle = state[link.body.name] - state.get(parent, 0.0)
        if link.joint.nv == 1:
            start[link.joint.name] = angle
        else:
            pose = vc.Pose(usual.body(link.body.name).position[0], usual.body(link.body.name).rotation[0])
            start[link.joint.name] = vc.At(pose, rate=usual.body(link.body.name).twist[0])
    rates = {"A": 2.0}
    start |= {name: vc.At(start[name], rate=rate) for name, rate in rates.items() if name in start}
    if "A" not in start:
        first = system.tree().links[0].joint.name
        turning = usual.body(system.tree().links[0].body.name).twist[0, 5]
        if first in start and not isinstance(start[first], vc.At):
            start[first] = vc.At(start[first], rate=turning)
    other = vc.simulate(system, 1.0, start, grid=11)
    for body in ("crank", "coupler", "rocker"):
        np.testing.assert_allclose(other.body(body).position, usual.body(body).position, rtol=0, atol=1e-10)
    for joint in "ABCD":
        np.testing.assert_allclose(other.joint(joint).reaction[:, :2], reference[joint][:, :2], rtol=0, atol=1e-7)


def test_a_slider_crank_keeps_its_closed_form():
    system = vc.System("engine", gravity=(0, -9.81, 0))
    rod(system, "crank", 0.5)
    rod(system, "conrod", 1.5)
    system.add(vc.MassPoint("piston", 2.0))
    system.add(vc.Revolute("main", "ground", "crank", drive=lambda t, v: 3.0 - v))
    system.add(vc.Revolute("pin", "crank", "conrod", at=(0.5, 0, 0)))
    system.add(vc.Spherical("gudgeon", "conrod", "piston", at=(1.5, 0, 0)))
    system.add(vc.Prismatic("bore", "ground", "piston", axis=(1, 0, 0), stiffness=4.0, rest=1.5))
    assert system.tree().closing_joints == ["gudgeon"]
    motion = vc.simulate(system, 5.0, {"main": 0.3})
    angle = motion["main"]
    np.testing.assert_allclose(
        motion["bore"], 0.5 * np.cos(angle) + np.sqrt(1.5**2 - 0.25 * np.sin(angle) ** 2), rtol=0, atol=1e-12
    )
    assert motion.audit().passed


def test_reactions_in_a_loop_carry_the_weights_at_rest():
    """A gable of two bars standing on two hinges: vertical loads by statics, thrust by moments about the ridge."""
    system = vc.System("gable", gravity=(0, -9.81, 0))
    rod(system, "left", np.sqrt(2), mass=3.0)
    rod(system, "right", np.sqrt(2), mass=3.0)
    system.add(vc.Revolute("foot left", "ground", "left"))
    system.add(vc.Revolute("foot right", "ground", "right", at=(2, 0, 0)))
    system.add(vc.Revolute("ridge", "left", "right", at=(np.sqrt(2), 0, 0), to=(np.sqrt(2), 0, 0)))
    motion = vc.simulate(system, 0.5, {"foot left": np.pi / 4, "foot right": 3 * np.pi / 4})
    assert np.abs(motion.v).max() < 1e-12
    weight = 3.0 * 9.81
    np.testing.assert_allclose(
        motion.joint("foot left").reaction[:, :2], [[weight / 2, weight]] * len(motion.time), rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(
        motion.joint("foot right").reaction[:, :2], [[-weight / 2, weight]] * len(motion.time), rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(
        motion.joint("ridge").reaction[:, :2], [[weight / 2, 0.0]] * len(motion.time), rtol=0, atol=1e-9
    )
    assert vc.mobility(system, {"foot left": np.pi / 4, "foot right": 3 * np.pi / 4}).freedoms == 0


def test_the_bricard_mechanism_moves_although_it_should_not():
    system = bricard()
    found = vc.mobility(system)
    assert (found.freedoms, found.expected, len(found.redundant)) == (1, 0, 1)
    assert set(found.undetermined) == {f"h{i}" for i in range(6)}
    motion = vc.simulate(system, 5.0)
    assert any("not unique" in line for line in motion.log)
    end = motion.body("rod5").point(CORNERS[5] - CORNERS[4]).position
    np.testing.assert_allclose(end, np.tile(CORNERS[5], (len(end), 1)), rtol=0, atol=1e-12)
    axis = motion.body("rod5").rotation @ np.array([1.0, 0, 0])
    np.testing.assert_allclose(axis, np.tile([1.0, 0, 0], (len(axis), 1)), rtol=0, atol=1e-12)
    assert np.ptp(motion.energy) < 1e-11
    assert motion.audit().passed


@needs_heyoka
@pytest.mark.parametrize("loops", [1, 2])
def test_parallelograms_pass_their_flat_position_and_stay_parallelograms(loops):
    motion = vc.simulate(windows(loops), 6.0, windows_start(loops, np.pi / 2, -1.0))
    assert any("singular position" in line for line in motion.log)
    angles = motion["a0"]
    assert angles.min() < -np.pi
    for i in range(1, loops + 1):
        np.testing.assert_allclose(motion[f"b{i}"], -angles, rtol=0, atol=1e-10)
    bars, posts = loops, loops + 1
    inertia = posts * (1 / 3 + 1e-4) + bars
    weight = 9.81 * (0.5 * posts + bars)
    pendulum = solve_ivp(
        lambda t, y: [y[1], -weight / inertia * np.cos(y[0])], (0, 6.0), [np.pi / 2, -1.0], t_eval=motion.time,
        rtol=1e-13, atol=1e-13, method="DOP853",
    )  # fmt: skip
    np.testing.assert_allclose(angles, pendulum.y[0], rtol=0, atol=1e-9)
    assert motion.audit().passed


def test_a_redundant_mechanism_comes_to_rest_a_quarter_turn_from_its_start():
    """There the gaps that were independent at the start are dependent; forces along parallel posts balance each other."""
    rest = 0.5 + np.pi / 2
    system = three_posts(9.81 * np.array([np.cos(rest), np.sin(rest), 0]), damping=20.0)
    start = {f"a{i}": 0.5 for i in range(3)} | {"b0": -0.5}
    motion = vc.simulate(system, 20.0, start, grid=21)
    np.testing.assert_allclose(motion["a0"][-1], rest, rtol=0, atol=1e-10)
    total = sum(motion.joint(f"a{i}").reaction[-1, :3] for i in range(3))
    np.testing.assert_allclose(total, -5.0 * system.gravity, rtol=0, atol=1e-8)
    assert motion.audit().passed, str(motion.audit())


def test_a_simple_pendulum_ends_where_the_library_of_computational_benchmarks_says():
    """IFToMM benchmark A01, reference of the multibody benchmark library."""
    system = vc.System("A01", gravity=(0, -9.81, 0))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Revolute("pivot", "ground", "bob", to=(1.0, 0, 0)))
    motion = vc.simulate(system, 10.0, grid=[10.0])
    np.testing.assert_allclose(
        motion.body("bob").position[-1, :2], [-0.2750874625761169, -0.9614192050991251], rtol=0, atol=1e-11
    )


@needs_heyoka
def test_a_run_that_ends_right_after_a_singular_position_ends_on_time():
    whole = vc.simulate(windows(1), 1.0, windows_start(1, np.pi / 2, -1.0))
    said = next(line for line in whole.record.log if line.startswith("passed a singular position"))
    instant = float(said.split("t = ")[1].split(" s")[0])
    for until in (instant + 1e-6, instant + 1e-4, instant - 1e-6):
        motion = vc.simulate(windows(1), until, windows_start(1, np.pi / 2, -1.0), grid=3)
        assert motion.record.pieces.end == until
        np.testing.assert_allclose(motion.q[-1], whole.at([until]).q[0], rtol=0, atol=1e-9)
