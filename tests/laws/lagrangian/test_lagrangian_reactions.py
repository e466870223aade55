"""Reactions of Lagrangian systems: their power by the equations and by rows, against the same systems of bodies."""

import numpy as np
import pytest

import vinculum as vc

cos, sin = vc.math.cos, vc.math.sin
G = 9.81


def speed(realization) -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "fixed speed",
        ["x", "y"],
        lambda q, v: v @ v / 2 - G * q[1],
        constraints={"held": (lambda v: v @ v - 4.0, realization)},
    )


def of_bodies(realization) -> vc.System:
    system = vc.System("fixed speed", gravity=(0, -G, 0))
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.constraints.constant_speed("held", p, 2.0, realization=realization))
    return system


@pytest.mark.parametrize("realization", [vc.Chetaev(), vc.Vakonomic(multipliers=0.3)])
def test_power_and_work_are_those_of_the_same_system_of_bodies(realization):
    motion = vc.simulate(speed(realization), 1.0, ((0.0, 0.0), (2.0, 0.0)))
    other = vc.simulate(of_bodies(realization), 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))})
    assert np.allclose(motion.bond("held").power, other.bond("held").power, atol=1e-10)
    assert np.allclose(motion.bond("held").work, other.bond("held").work, atol=1e-10)
    assert np.allclose(motion.bond("held").energy + motion.energy, motion.total_energy, atol=1e-12)
    assert motion.audit().passed, str(motion.audit())
    assert "work of reactions" in [line.law for line in motion.audit().lines]


def test_rows_that_move_work_by_the_clock():
    wire = vc.LagrangianSystem(
        "bead on a turning wire",
        ["x", "y"],
        lambda v: v @ v / 2,
        constraints={"wire": (lambda q, t: q[1] * cos(2 * t) - q[0] * sin(2 * t), vc.DAlembert())},
    )
    motion = vc.simulate(wire, 1.0, ((1.0, 0.0), (0.0, 2.0)))
    r = np.hypot(*motion.q.T)
    assert np.abs(r - np.cosh(2 * motion.time)).max() < 1e-10
    # T = ½ (ṙ² + 4 r²) with r = cosh 2t, which begins at 2
    gained = 2.0 * (np.sinh(2 * motion.time) ** 2 + np.cosh(2 * motion.time) ** 2) - 2.0
    assert np.abs(motion.bond("wire").work - gained).max() < 1e-9
    assert motion.audit().passed, str(motion.audit())


def test_affine_and_timed_rows_are_certified_in_both_realizations():
    for realization in (vc.Chetaev(), vc.Vakonomic(multipliers=(0.2, -0.1))):
        system = vc.LagrangianSystem(
            "rows", ["x", "y", "z"], lambda q, v: v @ v / 2 + q[0] * v[1] - 0.3 * q @ q,
            dissipation=lambda v: -0.1 * v,
            constraints={"rows": (lambda q, v, t: [v[0] - 0.3 * sin(t) - q[1] * v[2], v[1] * v[2] - 0.4 - 0.1 * t], realization)},
        )  # fmt: skip
        motion = vc.simulate(system, 0.5, ((0.1, 0.2, 0.3), (0.16, 0.5, 0.8)), repair=True)
        assert motion.audit().passed, str(motion.audit())
        assert np.abs(motion.bond("rows").work).max() > 1e-3


def test_what_is_not_known_is_refused():
    motion = vc.simulate(speed(vc.Chetaev()), 0.1, ((0.0, 0.0), (2.0, 0.0)))
    for ask in ("power", "work", "energy"):
        with pytest.raises(vc.errors.StartError, match="there is no constraint 'hold' in system 'fixed speed'"):
            getattr(motion.bond("hold"), ask)


def test_a_loaded_run_that_reached_a_place_knows_its_reactions_and_events(tmp_path):
    bound = vc.Vakonomic(multipliers=vc.constraints.Reaching({"x": 1.6}, at=1.5))
    system = vc.LagrangianSystem(
        "knife edge",
        ("x", "y", "theta"),
        lambda q, v: 0.5 * (v[0] ** 2 + v[1] ** 2 + 0.7 * v[2] ** 2),
        constraints={"edge": (lambda q, v: v[1] * vc.math.cos(q[2]) - v[0] * vc.math.sin(q[2]), bound)},
    )
    halfway = vc.Event("halfway", "x", lambda x: x.q - 0.8)
    motion = vc.simulate(system, 1.5, ((0, 0, 0), (1.3, 0, 0.9)), events=halfway)
    motion.save(tmp_path / "run")
    loaded = vc.load(tmp_path / "run")
    assert motion["x"][-1] == pytest.approx(1.6, abs=1e-9) and [c.name for c in loaded.record.crossings] == ["halfway"]
    assert np.array_equal(loaded.bond("edge").work, motion.bond("edge").work)
    assert np.array_equal(loaded.bond("edge").power, motion.bond("edge").power)
    assert loaded.audit().passed and any(line.law == "work of reactions" for line in loaded.audit().lines)
