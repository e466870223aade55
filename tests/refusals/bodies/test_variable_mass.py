"""Bodies of variable mass with impossible numbers, functions or uses."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import FileError, MethodError, ModelError, RunError, StartError

SOURCE = vc.MassSource(-0.4, relative=(0, 0, -3.0))


def point(mass=2.0, **options):
    return vc.MassPoint("rocket", mass, sources=vc.MassSource(**({"rate": -0.4} | options)))


def rigid(**options):
    return vc.RigidBody("rocket", 2.0, **({"inertia": (1, 1, 1), "sources": SOURCE} | options))


def added(body):
    system = vc.System("rocket")
    system.add(body)
    return system


BODIES = {
    "negative mass": (lambda: point(-2.0), "body 'rocket': mass -2 kg is not positive"),
    "no mass": (lambda: point(0.0), "mass 0 kg is not positive"),
    "rate not finite": (lambda: point(rate=np.nan), "mass source: rate is nan, which is not finite"),
    "rate not a number": (lambda: point(rate="much"), "mass source: rate is 'much', which is not numeric"),
    "velocity not finite": (lambda: point(velocity=(0, np.inf, 0)), "mass source: velocity is .*inf.* not finite"),
    "two velocities": (lambda: point(velocity=(0, 0, 0), relative=(0, 0, 0)), "velocity= and relative= are both given"),
    "unknown law": (lambda: point(law="elastic"), "law='elastic' is not known; use 'inelastic' or 'energy-conserving'"),
    "place of two numbers": (lambda: point(at=(0, 0)), r"mass source: at has shape \(2,\): give three numbers"),
    "not a source": (lambda: vc.MassPoint("rocket", 2.0, sources=-0.4), "sources is -0.4; give vc.MassSource"),
    "center without sources": (
        lambda: rigid(com=lambda m: (0, 0, m), sources=()),
        "com is a function of the mass, but the mass does not",
    ),
    "center of two numbers": (
        lambda: rigid(com=lambda m: (0, m)),
        r"body 'rocket': com has shape \(2,\): give three numbers",
    ),
    "center that fails": (
        lambda: rigid(com=lambda m, n: (0, 0, m)),
        "com: its function failed: TypeError.* takes the mass",
    ),
    "inertia not positive": (
        lambda: rigid(inertia=lambda m: (1, 1, m - 3)),
        "principal moments .* are not all positive",
    ),
    "inertia not finite": (
        lambda: rigid(inertia=lambda m: (1, 1, 1 / (m - 2))),
        "failed: ZeroDivisionError|not finite",
    ),
    "rate is a vector": (
        lambda: added(point(rate=lambda b: b.velocity)),
        r"the rate has shape \(3,\), but it is one number \[kg/s\]",
    ),
    "rate function not finite": (
        lambda: added(point(rate=lambda b: float("inf"))),
        "the rate is inf, which is not finite",
    ),
    "velocity is a number": (
        lambda: added(point(velocity=lambda b: 3.0)),
        r"velocity of its mass has shape \(\): give three numbers",
    ),
    "rotation of a point": (
        lambda: added(point(relative=lambda b: b.rotation @ (0, 0, 1))),
        "is a mass point and has no rotation",
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_impossible_bodies_are_refused(name):
    make, message = BODIES[name]
    with pytest.raises(ModelError, match=message):
        make()


def test_values_of_parameters_are_checked_too():
    system = added(vc.MassPoint("rocket", vc.parameter("m0", 2.0), sources=vc.MassSource(vc.parameter("nu", -0.4))))
    with pytest.raises(ModelError, match="mass -1 kg is not positive"):
        vc.simulate(system, until=1.0, parameters={"m0": -1.0})


@pytest.mark.parametrize(("method", "options"), [("taylor", {}), ("dop853", {}), ("rk4", {"step": 1e-3})])
def test_mass_that_is_used_up_ends_the_run_with_its_instant(method, options):
    system = vc.System("rocket", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("rocket", 2.0, sources=SOURCE))
    with pytest.raises(RunError, match=r"t = 5 s.*the mass of body 'rocket' is used up; end the run before") as error:
        vc.simulate(system, until=6.0, method=method, **options)
    assert 4.9 < error.value.motion.time[-1] <= 5.0 + 1e-9
    assert np.all(np.isfinite(error.value.motion.v))


def test_mass_that_is_used_up_without_a_singularity_ends_the_run_too():
    """Nothing is exerted, so no equation tells."""
    system = added(vc.MassPoint("rocket", 2.0, sources=vc.MassSource(-0.4)))
    with pytest.raises(RunError, match="at t = 5 s the mass of body 'rocket' is used up"):
        vc.simulate(system, until=6.0)


def test_a_source_that_becomes_infinite_is_told():
    system = added(vc.MassPoint("rocket", 2.0, sources=vc.MassSource(lambda b, t: 1.0 / (1.0 - t))))
    with pytest.raises(RunError, match=r"t = 1 s|t = 0\.99"):
        vc.simulate(system, until=2.0)


def test_bonds_on_a_mass_center_that_moves_in_its_body_are_refused():
    system = added(rigid(com=lambda m: (0, 0, 0.1 * m)))
    system.add(vc.Constraint("held", ["rocket"], position=lambda b: b.center[2], realization="dalembert"))
    with pytest.raises(
        ModelError, match="constraint 'held': it depends on the mass or the mass center of 'rocket', whose mass varies"
    ):
        system.tree()
    system = added(rigid(com=lambda m: (0, 0, 0.1 * m)))
    system.add(vc.Unilateral("floor", ["rocket"], gap=lambda b: b.center[2], impact=vc.Inelastic()))
    with pytest.raises(ModelError, match="unilateral constraint 'floor': it depends on the mass or the mass center"):
        system.tree()


def test_constraints_in_the_lagrangian_are_refused():
    system = added(vc.MassPoint("rocket", 2.0, sources=SOURCE))
    system.add(
        vc.Constraint("blade", ["rocket"], velocity=lambda b: b.velocity[0], realization=vc.Vakonomic(multipliers=0.0))
    )
    with pytest.raises(ModelError, match="adds to the Lagrangian, but the mass of 'rocket' varies"):
        system.tree()


def test_questions_without_an_answer_are_refused():
    system = added(vc.MassPoint("rocket", 2.0, sources=SOURCE))
    motion = vc.simulate(system, until=1.0)
    with pytest.raises(StartError, match="the mass of 'rocket' varies, and its kinetic measure"):
        _ = motion.body("rocket").measures.kinetic
    with pytest.raises(MethodError, match="the mass of 'rocket' varies, so no motion of it is steady"):
        vc.linearize(system)
    with pytest.raises(MethodError, match="such a system has no Hamiltonian"):
        vc.derive(system, "hamilton")


FILES = {
    "no rate": ("[[bodies.a.sources]]\nrelative = [0, 0, 1]", "rate"),
    "unknown key": (
        "[[bodies.a.sources]]\nrate = 1\nspeed = 3",
        r"\[bodies.a\] sources\[0\]: the key 'speed' is not known",
    ),
    "unit": ('[[bodies.a.sources]]\nrate = "3 m"', "m is not a unit of it; give a value in kg/s"),
    "law": ('[[bodies.a.sources]]\nrate = 1\nlaw = "elastic"', "law"),
    "vector": ('[[bodies.a.sources]]\nrate = "velocity"', "is a vector, but one number is needed"),
    "name": ('[[bodies.a.sources]]\nrate = "masss"', "masss"),
}


@pytest.mark.parametrize("name", FILES)
def test_wrong_tables_are_refused(name, tmp_path):
    text, message = FILES[name]
    path = tmp_path / "model.toml"
    path.write_text(f'[bodies.a]\nkind = "point"\nmass = 1.0\n{text}\n[run]\nuntil = 1.0\n')
    with pytest.raises(FileError, match=message):
        vc.read_model(path)


def test_a_parameter_named_mass_is_refused_where_formulas_see_the_mass(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(
        '[parameters]\nmass = 2.0\n[bodies.a]\nkind = "point"\nmass = 1.0\n[[bodies.a.sources]]\nrate = "0.1*mass"\n'
    )
    with pytest.raises(FileError, match="rename the parameter 'mass'"):
        vc.read_model(path)
