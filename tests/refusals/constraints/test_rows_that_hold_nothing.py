"""Constraints whose rows hold nothing, contradict each other on the way, or lose themselves in stiff forces."""

import numpy as np
import pytest

import vinculum as vc

D = vc.DAlembert()


def point(**condition) -> vc.System:
    system = vc.System("point", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("c", ["p"], **condition))
    return system


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (
            {"velocity": lambda p: p.position[2]},
            r"row 0 is given as velocity= and depends on no velocity; give it as pos",
        ),
        ({"velocity": lambda p, t: p.position[2] - t}, r"depends on no velocity"),
        ({"position": lambda p: vc.math.floor(p.position[2])}, r"position= and does not depend on any free coordinate"),
        (
            {"position": lambda p: p.position[2] > 0},
            r"does not depend on any free coordinate, so it constrains nothing; write it",
        ),
        ({"position": lambda p, t: t * t}, r"does not depend on any free coordinate"),
    ],
)
def test_a_row_without_slopes_is_refused(condition, message):
    with pytest.raises(vc.errors.ModelError, match=rf"constraint 'c': .*{message}"):
        point(**condition, realization=D).tree()


def test_an_idle_row_of_a_ready_constraint_is_left_out_and_named():
    system = vc.System("wheel on a plane that it cannot leave", gravity=(0, 0, -9.81))
    wheel = system.add(vc.RigidBody("wheel", 1.0, inertia=(1, 1, 1)))
    upright = vc.Pose.of(np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0.0]]), np.zeros(3))
    system.add(vc.Planar("plane", "ground", wheel, at=upright))
    system.add(vc.constraints.Rolling.sphere("rolling", wheel, 1.0, realization=D))
    start = {"plane": vc.At((0, 1, 0), rate=(1, 0, -1))}
    assert vc.mobility(system, start).freedoms == 1
    motion = vc.simulate(system, 0.5, start)
    np.testing.assert_allclose(motion.body("wheel").position[-1], (0.5, 0, 1), atol=1e-13)
    assert any("row 1 of 'rolling'" in line for line in motion.log)


@pytest.mark.parametrize("realization", [vc.Chetaev(), vc.Vakonomic(multipliers=0.0)])
def test_a_square_of_a_velocity_that_shall_vanish_is_refused(realization):
    system = point(velocity=lambda p: p.velocity[2] ** 2, realization=realization)
    with pytest.raises(
        vc.errors.StartError,
        match=r"constraint 'c': its row 0 has no derivative by the velocities at the start.*not as a square",
    ):
        vc.simulate(system, 0.5)


def test_a_speed_cannot_be_repaired_from_rest():
    system = point(velocity=lambda p: vc.math.dot(p.velocity, p.velocity) - 1, realization=vc.Chetaev())
    with pytest.raises(
        vc.errors.StartError, match=r"has no derivative by the velocities at the start.*start with other velocities"
    ):
        vc.simulate(system, 0.5, repair=True)


def contradicting(second) -> vc.System:
    system = point(velocity=lambda p: p.velocity[0], realization=D)
    system.add(vc.Constraint("d", ["p"], velocity=second, realization=D))
    return system


@pytest.mark.parametrize("settings", [{}, {"method": "dop853"}, {"method": "rk4", "step": 0.01}])
def test_rows_on_velocities_that_come_to_contradict_each_other_end_the_run(settings):
    system = contradicting(lambda p, t: p.velocity[0] - t * t)
    with pytest.raises(
        vc.errors.RunError, match=r"'c' and 'd' came to be violated by .* near t = .*contradict.*state.*p\.x = "
    ) as caught:
        vc.simulate(system, 0.5, **settings)
    assert caught.value.motion is not None


def test_rows_that_contradict_each_other_by_places_end_the_run():
    with pytest.raises(vc.errors.RunError, match="'c' and 'd' came to be violated"):
        vc.simulate(contradicting(lambda p: p.velocity[0] - p.position[2] ** 2), 0.5)


def test_runs_of_an_ensemble_with_contradicting_rows_have_failed():
    system = contradicting(lambda p, t: p.velocity[0] - t * t)
    assert vc.ensemble(system, until=0.5, start={"p": np.zeros((3, 3))}, method="rk4", step=0.01).failed.all()


@pytest.mark.parametrize(
    "condition",
    [
        {"position": lambda p: p.position[2], "realization": vc.Penalty(1e30)},
        {"velocity": lambda p: p.velocity[2], "realization": vc.constraints.ViscousFriction(1e30)},
    ],
)
def test_forces_too_stiff_to_be_followed_end_the_run_at_once(condition):
    with pytest.raises(
        vc.errors.RunError, match=r"would take .* of them: forces are too stiff.*smaller coefficient.*vc\.DAlembert\(\)"
    ):
        vc.simulate(point(**condition), 1.0)


def test_a_singular_start_names_the_constraint():
    with pytest.raises(
        vc.errors.StartError, match="singular position, where the constraint 'c' leaves more degrees of freedom"
    ):
        vc.simulate(point(position=lambda p: p.position[2] ** 2, realization=D), 0.5)


@pytest.mark.parametrize("steepness", [9.0, 900.0])
def test_a_body_kept_at_rest_takes_one_step_though_its_forces_leave_round_off_over(steepness):
    system = point(position=lambda p: vc.math.exp(steepness * p.position[2]) - 1.0, realization=D)
    motion = vc.simulate(system, 0.5, {"p": (1, 0, 0)})
    assert len(motion.record.pieces) < 10
    assert np.abs(motion.q - (1, 0, 0)).max() < 1e-14


def test_a_constraint_that_is_undefined_at_some_places_is_audited():
    system = point(velocity=lambda p: vc.math.sqrt(p.velocity[2] + 1.0) - 1.0, realization=vc.Chetaev())
    assert vc.simulate(system, 0.5).audit().passed


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_violations_are_measured_by_the_coordinates_that_would_have_to_change(scale):
    system = point(position=lambda p: scale * (p.position[2] - 1.0), realization=D)
    motion = vc.simulate(system, 0.5, {"p": vc.At((0, 0, 1), rate=(1, 0, 0))})
    assert np.abs(motion.q[:, 2] - 1.0).max() < 1e-12
    with pytest.raises(vc.errors.StartError, match="'c' is violated by"):
        vc.simulate(system, 0.5, {"p": (0, 0, 1.0 + 1e-5)})
    with pytest.raises(vc.errors.StartError, match="'c' is violated by"):
        vc.ensemble(system, until=0.5, start={"p": np.array([[0, 0, 1.0 + 1e-5]])})


def test_a_given_motion_of_other_width_is_told_its_columns():
    system = point(velocity=lambda p: p.velocity[2], realization=vc.Vakonomic(multipliers=0.0))
    with pytest.raises(
        vc.errors.StartError, match=r"q must have shape \(3, 4\), got \(3, 3\); its columns are p\.x, p\.y, p\.z, c\.mu"
    ):
        vc.given_motion(system, [0, 1, 2], np.zeros((3, 3)), np.zeros((3, 3)))


def test_only_constraints_of_the_system_are_realized_in_another_way():
    with pytest.raises(vc.errors.ModelError, match="system 'point' has no constraint 'None'; known: c"):
        point(velocity=lambda p: p.velocity[2], realization=D).with_realization(None, D)  # type: ignore[arg-type]
