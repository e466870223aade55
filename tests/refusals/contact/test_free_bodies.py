"""Contact that cannot be, and runs of it that cannot go on."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies, settled_box

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
TETRAHEDRON = vc.shapes.Tetrahedra([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2, 3)])


def ball(name="ball"):
    return vc.RigidBody.solid(name, vc.shapes.Sphere(0.05), density=1000)


def contact_of(*things, **options):
    system = vc.System("s")
    bodies = [system.add(thing) for thing in things]
    system.add(vc.Contact("c", bodies, **({"impact": vc.Inelastic()} | options)))
    return system


def test_a_start_in_penetration_names_the_pair_and_the_depth():
    system = free_bodies([vc.shapes.Sphere(0.05)] * 3, walls=[FLOOR])
    start = {"b0": (0, 0, 0.05), "b1": (0, 0, 0.14), "b2": (1, 0, 1)}
    with pytest.raises(vc.errors.StartError, match=r"'b0' and 'b1' start 0\.01 m inside each other.*resolve=True"):
        vc.simulate(system, until=0.1, start=start, method="moreau", step=1e-3)
    motion = vc.simulate(system, until=0.01, start=start, method="moreau", step=1e-3, resolve=True)
    assert "were moved" in motion.log[0]
    assert motion.body("b1").position[0, 2] - motion.body("b0").position[0, 2] >= 0.1 - 1e-7


def test_a_start_inside_a_wall_names_the_wall():
    with pytest.raises(vc.errors.StartError, match=r"'b0' and 'wall 1' start 0\.02 m inside"):
        vc.simulate(
            free_bodies([vc.shapes.Sphere(0.05)], walls=[FLOOR]),
            until=0.1,
            start={"b0": (0, 0, 0.03)},
            method="moreau",
            step=1e-3,
        )


@pytest.mark.parametrize(
    "made, message",
    [
        (lambda: vc.Contact("c", [ball()]), "choose an impact law"),
        (lambda: vc.Contact("c", [], impact=vc.Inelastic()), "give a list of bodies"),
        (lambda: vc.Contact("c", [ball(), ball()], impact=vc.Inelastic()), "listed twice"),
        (lambda: vc.Contact("c", [ball()], impact=vc.Newton(0.5, "sequential")), "treated together"),
        (lambda: vc.Newton(1.2), "from 0"),
        (lambda: vc.Coulomb(-0.1), "zero or more"),
        (lambda: vc.Contact("c", [ball()], impact=vc.Inelastic(), friction="rough"), r"vc\.Coulomb"),
        (lambda: vc.Contact("c", [ball()], impact=vc.Inelastic(), walls=["floor"]), r"vc\.shapes\.HalfSpace"),
        (
            lambda: vc.Contact("c", [ball()], impact=vc.Inelastic(), walls=[vc.shapes.FixedSolid(TETRAHEDRON)]),
            "spheres, boxes, capsules, cylinders, cones, ellipsoids and polytopes",
        ),
        (lambda: vc.shapes.HalfSpace((0, 0, 0)), "not a direction"),
        (lambda: vc.shapes.FixedSolid("box"), "not a solid"),
    ],
)
def test_descriptions_that_cannot_be_are_refused(made, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        made()


@pytest.mark.parametrize(
    "made, message",
    [
        (lambda: contact_of(vc.RigidBody("b", 1.0, inertia=(1, 1, 1))), "'b' has no shape"),
        (lambda: contact_of(vc.MassPoint("p", 1.0)), "'p' has no shape"),
        (lambda: contact_of(vc.RigidBody.solid("b", TETRAHEDRON, mass=1)), "Tetrahedra"),
        (
            lambda: contact_of(vc.RigidBody.solid("b", vc.shapes.Sphere(0.1), density=vc.parameter("rho", 1.0))),
            "parameters",
        ),
    ],
)
def test_bodies_that_cannot_meet_are_refused(made, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        vc.simulate(made(), until=0.1, method="moreau", step=1e-3)


def test_joints_forces_and_left_out_bodies_make_a_tree_of_free_bodies():
    held = contact_of(ball())
    held.add(vc.Prismatic("rail", "ground", "ball", axis=(0, 0, 1)))
    pulled = contact_of(ball())
    pulled.add(vc.Spring("spring", "ball", "ground", stiffness=1.0))
    alone = contact_of(ball())
    alone.add(ball("other"))
    assert contact_of(ball()).tree().contact is not None
    for system in (held, pulled, alone):
        assert system.tree().contact is None
        assert len(system.tree().contacts) == 1


def test_other_methods_and_equations_are_refused():
    system = contact_of(ball())
    with pytest.raises(vc.errors.MethodError, match="method='moreau'"):
        vc.simulate(system, until=1.0, method="idas")
    with pytest.raises(vc.errors.MethodError, match="not written out"):
        vc.derive(system)


def test_a_step_that_misses_its_tolerance_stops_the_run_and_keeps_what_was_computed(monkeypatch):
    from vinculum.integrators.free_bodies import located

    monkeypatch.setattr(located, "FREE_BODIES_SWEEPS", 3)
    system, start = settled_box()
    with pytest.raises(vc.errors.RunError, match=r"residual .* after 3 sweeps, which is more than 1e-12") as caught:
        vc.simulate(system, until=1.0, start=start, method="moreau", step=2e-3, tolerance=1e-12)
    kept = caught.value.motion
    assert 0.0 < kept.record.pieces.end < 1.0
    assert np.all(np.isfinite(kept.q))
    assert kept.record.contact_solver.residual[-1] > 1e-12
