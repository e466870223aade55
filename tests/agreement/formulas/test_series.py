"""Power series of the projected equations against other engines, and against each other."""

import os
import subprocess
import sys

import numpy as np
import pytest

import vinculum as vc
from trees import KINDS, random_state, random_system
from vinculum.compile.engines import HIDE_HEYOKA, has_heyoka

needs_heyoka = pytest.mark.skipif(not has_heyoka(), reason="heyoka is hidden")


def start_of(system, rng) -> dict:
    tree = system.tree()
    q, v = random_state(tree, rng)
    return {
        link.joint.name: vc.At(q[link.q] if link.joint.nq > 1 else q[link.q][0], rate=v[link.v])
        for link in tree.links
        if link.joint.nq
    }


def seven_bodies() -> tuple[vc.System, dict]:
    rng = np.random.default_rng(11)
    system = random_system(rng, 7, kinds=("revolute", "prismatic", "spherical"), forces=False)
    return system, start_of(system, rng)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "weld"])
def test_all_forms_have_the_same_series_with_every_joint(kind):
    rng = np.random.default_rng(5)
    system = random_system(rng, 2, kinds=(kind,))
    start = start_of(system, rng)
    one, *others = (
        vc.power_series(system, start, order=8, form=form) for form in ("telegin", "newton-euler", "lagrange")
    )
    scale = 0.3 ** np.arange(9)
    for other in others:
        assert np.abs((one.q - other.q) * scale).max() < 1e-12 * np.abs(one.q * scale).max()
        assert np.abs((one.v - other.v) * scale).max() < 1e-12 * np.abs(one.v * scale).max()


@needs_heyoka
@pytest.mark.parametrize("seed", range(3))
def test_coefficients_are_those_of_heyoka(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 2, kinds=("revolute", "prismatic", "planar"))
    start = start_of(system, rng)
    motion = vc.simulate(system, 1.0, start, method="taylor")
    theirs, h = motion.record.pieces.coefficients[0], motion.record.pieces.times[1]
    series = vc.power_series(system, start, order=theirs.shape[1] - 1)
    ours = np.concatenate([series.q, series.v])
    scale = h ** np.arange(theirs.shape[1])
    assert np.abs((ours - theirs) * scale).max() < 1e-14 * np.abs(ours * scale).max()


def test_the_series_of_seven_bodies_agrees_with_a_tight_run():
    system, start = seven_bodies()
    motion = vc.simulate(system, 0.05, start, method="dop853", tolerance=1e-14)
    q, v = vc.power_series(system, start, order=18)(0.05)
    assert np.abs(q - motion.q[-1]).max() < 1e-10
    assert np.abs(v - motion.v[-1]).max() < 1e-10


def test_the_error_falls_geometrically_inside_the_radius():
    """A third of the radius: every term more is worth a factor of about three."""
    system, start = seven_bodies()
    series = vc.power_series(system, start, order=30)
    t = series.radius / 3.0
    exact = vc.simulate(system, t, start, method="dop853", tolerance=1e-14).q[-1]
    orders = np.arange(4, 22, 3)
    errors = [
        np.abs(np.polynomial.polynomial.polyval(t, series.q[:, : n + 1].T) - exact).max() for n in orders.tolist()
    ]
    fall = -np.polyfit(orders, np.log(errors), 1)[0]
    assert fall == pytest.approx(np.log(3.0), rel=0.15)


@pytest.mark.parametrize("seed", [1, 5, 6])
def test_the_series_integrator_agrees_with_the_default_engine(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 2, kinds=("revolute", "spherical", "cylindrical"))
    start = start_of(system, rng)
    ours, other = vc.simulate(system, 1.0, start, method="series"), vc.simulate(system, 1.0, start)
    bound = 1e-12 if has_heyoka() else 1e-9
    assert np.abs(ours.q - other.q).max() < bound * np.abs(other.q).max()
    assert np.abs(ours.v - other.v).max() < bound * np.abs(other.v).max()
    assert ours.audit().passed


def test_the_series_integrator_keeps_a_pendulums_energy_for_long():
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0), to=(0, 0, 1)))
    energy = vc.simulate(system, 500.0, {"hinge": 2.0}, method="series").energy
    assert np.ptp(energy) < 1e-12 * 9.81


def test_steep_layers_are_not_stepped_over():
    """Friction tanh(v/ε): a long step that passes v = 0 would not see it."""
    system = vc.System("sled")
    system.add(vc.MassPoint("sled", 1.0))
    system.add(vc.Prismatic("rail", "ground", "sled", axis=(1, 0, 0), stiffness=4.0,
                            drive=lambda v: -0.5 * vc.math.tanh(v / 1e-3)))  # fmt: skip
    ours = vc.simulate(system, 3.0, {"rail": 1.0}, method="series")
    other = vc.simulate(system, 3.0, {"rail": 1.0}, method="dop853")
    assert np.abs(ours.q - other.q).max() < 1e-9
    assert ours.audit().passed


def test_it_runs_where_heyoka_is_absent():
    code = (
        "import sys; sys.modules['heyoka'] = None\n"
        "import vinculum as vc\n"
        "s = vc.System('p', gravity=(0, 0, -9.81)); s.add(vc.MassPoint('bob', 1.0))\n"
        "s.add(vc.Revolute('h', 'ground', 'bob', axis=(0, 1, 0), to=(0, 0, 1)))\n"
        "m = vc.simulate(s, 1.0, {'h': 0.4}, method='series', progress=False)\n"
        "print(m.record.method.claims.name, vc.power_series(s, {'h': 0.4}).order)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {HIDE_HEYOKA: "1"}, check=False
    )
    assert done.stdout.split() == ["series", "20"], done.stderr
