"""Impulses that cannot be, and what is said of them."""

import numpy as np
import pytest

import vinculum as vc

PUSH = vc.Wrench(force=(1, 0, 0))
BODY = "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[joints.j]\nkind = 'revolute'\nparent = 'ground'\nchild = 'b'"


def things() -> vc.System:
    """A free body "b", a mass point "p", an arm "c" on the joint "j", and a driven "cam"."""
    system = vc.System("s")
    system.add(vc.RigidBody("b", mass=1.0, inertia=np.eye(3)))
    system.add(vc.MassPoint("p", mass=1.0))
    arm = system.add(vc.RigidBody("c", mass=1.0, inertia=np.eye(3)))
    system.add(vc.Revolute("j", "ground", arm, axis=(0, 1, 0)))
    system.add(vc.PrescribedBody("cam", position=lambda t: (t, 0, 0)))
    return system


@pytest.mark.parametrize("on, wrench, at, told", [
    ("nobody", PUSH, 1.0, "there is no body or joint 'nobody'"),
    ("ground", PUSH, 1.0, "the ground does not move"),
    ("cam", PUSH, 1.0, "is prescribed, so an impulse does not change it"),
    (3, PUSH, 1.0, "3 is neither a body nor a joint"),
    ("b", PUSH, None, "at what instant"),
    ("b", PUSH, "soon", "at is 'soon'"),
    ("b", PUSH, [], "give an instant"),
    ("b", PUSH, [1.0, np.nan], "at holds nan"),
    ("b", PUSH, [1.0, 1.0], "names t = 1 s twice"),
    ("b", (1, 2, 3), 1.0, "is not a wrench for body 'b'"),
    ("b", lambda b: 3.0, 1.0, "its function returned 3.0"),
    ("b", lambda b: vc.Wrench(force=(np.nan, 0, 0)), 1.0, "NaN"),
    ("b", vc.Wrench(force=np.ones((2, 3))), 1.0, "a batch of wrenches"),
    ("p", vc.Wrench(moment=(1, 0, 0)), 1.0, "is a mass point and takes no moment"),
    ("j", PUSH, 1.0, "is not an impulse along joint 'j'; give a number"),
    ("j", (1, 2), 1.0, r"got shape \(2,\)"),
    ("j", np.inf, 1.0, "not finite"),
])  # fmt: skip
def test_impulses_that_cannot_act_are_refused_when_they_are_added(on, wrench, at, told):
    with pytest.raises(vc.errors.ModelError, match=f"impulse 'kick'.*{told}"):
        things().add(vc.Impulse("kick", on, wrench, at=at))


def test_names_are_given_once():
    system = things()
    system.add(vc.Impulse("kick", "b", PUSH, at=1.0))
    with pytest.raises(vc.errors.ModelError, match="the name 'kick' is taken"):
        system.add(vc.Impulse("kick", "p", PUSH, at=2.0))


@pytest.mark.parametrize("at", [-0.1, 0.5, 0.7])
def test_instants_outside_a_run_are_refused(at):
    system = things()
    system.add(vc.Impulse("kick", "b", PUSH, at=[0.1, at]))
    with pytest.raises(vc.errors.StartError, match=rf"impulse 'kick' .* at t = {at:g} s .* the run is from 0 to 0.5 s"):
        vc.simulate(system, until=0.5, progress=False)


def test_an_impulse_that_is_not_finite_ends_the_run_and_keeps_what_was_before():
    system = things()
    system.add(vc.Impulse("kick", "b", lambda b: vc.Wrench(force=b.velocity / vc.math.norm(b.velocity)), at=0.2))
    with pytest.raises(vc.errors.RunError, match=r"at t = 0.2 s the impulse of 'kick' is not finite") as caught:
        vc.simulate(system, until=0.5, progress=False)
    assert caught.value.motion.record.pieces.end == pytest.approx(0.2)


@pytest.mark.parametrize("ask", [
    vc.derive, vc.linearize, lambda s: vc.power_series(s, {}, order=3),
])  # fmt: skip
def test_what_takes_no_account_of_impulses_says_so(ask):
    system = things()
    system.add(vc.Impulse("kick", "b", PUSH, at=0.2))
    with pytest.raises(vc.errors.MethodError, match="do not support given impulses"):
        ask(system)


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_impulses_outside_of_the_runs_of_an_ensemble_are_refused(method):
    system = things()
    system.add(vc.Impulse("kick", "b", PUSH, at=0.2))
    with pytest.raises(vc.errors.StartError, match=r"impulse 'kick' .* is outside the run"):
        vc.ensemble(
            system, until=0.1, start={"j": np.zeros(2)}, method=method, step=None if method == "dop853" else 0.01
        )


@pytest.mark.parametrize("realization, told", [
    (vc.Chetaev(), "nonlinear in the velocities"), (vc.Vakonomic(multipliers=[0.1]), "adds to the Lagrangian"),
])  # fmt: skip
def test_constraints_whose_impulses_are_not_known_are_refused(realization, told):
    system = things()
    system.add(
        vc.Constraint(
            "speed", ["b"], velocity=lambda b: vc.math.dot(b.velocity, b.velocity) - 4.0, realization=realization
        )
    )
    system.add(vc.Impulse("kick", "b", PUSH, at=0.2))
    with pytest.raises(vc.errors.ModelError, match=f"constraint 'speed', which .*{told}"):
        system.tree()


def test_results_of_impulses_that_are_not_there_are_refused():
    system = things()
    system.add(vc.Impulse("kick", "b", PUSH, at=0.2))
    motion = vc.simulate(system, until=0.5, progress=False)
    with pytest.raises(vc.errors.StartError, match=r"there is no bond 'kik'.*did you mean 'kick'"):
        motion.bond("kik").impulses
    with pytest.raises(vc.errors.StartError, match=r"replace\(impulses=…\) of .* do not fit its impacts"):
        motion.replace(impulses=np.ones(3))


@pytest.mark.parametrize("lines, told", [
    ('body = "b"\nforce = [1, 0, 0]', "at"),
    ('at = 1\nforce = [1, 0, 0]', "needs either 'body' or 'joint'"),
    ('at = 1\njoint = "j"\nforce = [1, 0, 0]', "takes 'along' alone"),
    ('at = 1\nbody = "b"\nalong = 2', "leave 'along' out"),
    ('at = 1\nbody = "b"', "neither 'force' nor 'moment'"),
    ('at = "3 kg"\nbody = "b"\nforce = [1, 0, 0]', "kg"),
    ('at = 1\nbody = "b"\nforce = ["1 N", 0, 0]', "N s"),
    ('at = 1\nbody = "b"\nforces = [1, 0, 0]', "forces"),
])  # fmt: skip
def test_tables_of_impulses_that_say_too_little_or_too_much_are_refused(tmp_path, lines, told):
    file = tmp_path / "s.toml"
    file.write_text(f"{BODY}\n[impulses.kick]\n{lines}\n")
    with pytest.raises(vc.errors.FileError, match=rf"impulses.kick.*{told}"):
        vc.read_model(file)
