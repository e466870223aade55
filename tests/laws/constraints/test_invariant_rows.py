"""Rows of relative places: closure, third law, pivots and rank. O'Reilly and Srinivasa (16)–(26), (33), (34)."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.bonds.body_view import make_view
from vinculum.bonds.constraints.relative import relative_view
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model_cache import model_for
from vinculum.screws import Pose
from vinculum.screws import exp as turned

m = vc.math
RNG = np.random.default_rng(41)
A, B = RNG.normal(size=(3, 3, 3)), RNG.normal(size=(3, 3, 3))
COM = {name: RNG.normal(size=3) / 3 for name in "abcd"}


def four_bodies(*constraints) -> vc.System:
    system = vc.System("four bodies")
    for name in "abcd":
        system.add(vc.RigidBody(name, 1.0 + 0.3 * ord(name[0]) % 1, com=COM[name], inertia=(0.5, 0.6, 0.7)))
    for one in constraints:
        system.add(one)
    return system


def start(rates=True) -> dict:
    rng = np.random.default_rng(5)
    return {name: vc.At(vc.Pose(rng.normal(size=3), turned(rng.normal(size=3))), rate=rng.normal(size=6) if rates else None)
            for name in "abcd"}  # fmt: skip


def random_rows(y, Y, k):
    """f̂ and ĝ of three bodies: functions of relative places y (3, 3) and Y (3, 3, 3), with no symmetry."""
    f = [A[i] @ y[(i + k) % 3] + m.sin(y[i][0]) * Y[(i + 1) % 3][:, k] for i in range(3)]
    g = [B[i] @ Y[i][:, (i + k) % 3] + (y[0] @ y[1]) * y[(i + 2) % 3] for i in range(3)]
    return f, g


def rows(a, b, c):
    seen = (a, b, c)
    y, Y = [one.center for one in seen], [one.rotation for one in seen]
    return [list(zip(*random_rows(y, Y, k), strict=True)) for k in range(2)]


def plain_rows(x, Q) -> np.ndarray:
    """f and g (2, 4, 6) of all four bodies with NumPy alone, the last from closure."""
    y, Y = [Q[3].T @ (x[i] - x[3]) for i in range(3)], [Q[3].T @ Q[i] for i in range(3)]
    found = np.zeros((2, 4, 6))
    for k in range(2):
        f, g = (np.array(part, dtype=float) @ Q[3].T for part in random_rows(y, Y, k))
        found[k, :3, :3], found[k, :3, 3:] = f, g
        found[k, 3, :3] = -f.sum(axis=0)
        found[k, 3, 3:] = -(g + np.cross(np.array(x[:3]) - x[3], f)).sum(axis=0)
    return found


@pytest.fixture(scope="module")
def motion():
    held = vc.constraints.invariant_rows("rows", list("abc"), "d", rows, realization=vc.DAlembert())
    return vc.simulate(four_bodies(held), 0.3, start(), repair=True, method="dop853", grid=7)


def places(motion) -> tuple[np.ndarray, np.ndarray]:
    """Mass centers of three bodies and the origin of the pivot, and rotations."""
    return (np.stack([*(motion.body(name).center for name in "abc"), motion.body("d").position], axis=1),
            np.stack([motion.body(name).rotation for name in "abcd"], axis=1))  # fmt: skip


def test_efforts_are_the_multipliers_along_the_rows_of_a_program_of_its_own(motion):
    """(20), reduced at mass centers, and at the origin of the pivot."""
    x, Q = places(motion)
    lam = motion.bond("rows").multiplier
    for i in range(len(motion.time)):
        expected = np.einsum("k,kbe->be", lam[i], plain_rows(x[i], Q[i]))
        for b, name in enumerate("abcd"):
            found = motion.bond("rows").effort(name)[i]
            arm = motion.body(name).position[i] - x[i, b]
            at_center = np.concatenate([found[:3], found[3:] + np.cross(arm, found[:3])])
            assert np.allclose(at_center, expected[b], rtol=1e-11, atol=1e-11 * np.abs(expected).max())
    assert motion.audit().passed, str(motion.audit())


def test_efforts_come_in_pairs_and_conserve_both_momenta(motion):
    efforts = np.stack([motion.bond("rows").effort(name) for name in "abcd"], axis=1)
    origins = np.stack([motion.body(name).position for name in "abcd"], axis=1)
    size = np.abs(efforts).max()
    assert np.abs(efforts[..., :3].sum(axis=1)).max() < 1e-12 * size
    assert np.abs((efforts[..., 3:] + np.cross(origins, efforts[..., :3])).sum(axis=1)).max() < 1e-11 * size
    assert np.abs(motion.bond("rows").power).max() < 1e-10 * size
    total = motion.body().momentum
    assert np.abs(total - total[0]).max() < 1e-11 * np.abs(total).max()


def test_the_rows_are_invariant_and_do_no_work(motion):
    held = vc.constraints.invariant_rows("rows", list("abc"), "d", rows, realization=vc.DAlembert())
    system = four_bodies(held)
    assert vc.audit_invariance(system)["rows"].verdict == "invariant"
    assert vc.constraints.adiabaticity(system, start=start()).adiabatic


def test_another_pivot_changes_no_effort(motion):
    """The same condition in places seen from the first body, which stands still at its own origin."""
    still = make_view("a", 1.0, Pose.of(np.eye(3), np.zeros(3)), COM["a"], (np.zeros(3), np.zeros(3)))

    def velocity(b, c, d):
        seen = [relative_view(one, d) for one in (still, b, c)]
        found = rows(*seen)
        return [sum(m.dot(f, one.center_velocity) + m.dot(g, one.angular_velocity) for (f, g), one in zip(row, seen, strict=True))
                for row in found]  # fmt: skip

    held = vc.constraints.invariant_constraint("rows", list("bcd"), "a", velocity=velocity, realization=vc.DAlembert())
    other = vc.simulate(four_bodies(held), 0.3, start(), repair=True, method="dop853", grid=7)
    assert np.abs(other.q - motion.q).max() < 1e-9
    for name in "abcd":
        assert np.allclose(other.bond("rows").effort(name), motion.bond("rows").effort(name), rtol=1e-8, atol=1e-8)


def test_no_more_than_six_rows_for_each_body_but_the_pivot_are_independent():
    n, count = 2, 6 * 2 + 5
    C = np.random.default_rng(3).normal(size=(count, n, 2, 3))
    held = vc.constraints.invariant_rows(
        "many", ["a", "b"], "d", lambda a, b: [[(f, g) for f, g in row] for row in C], realization=vc.DAlembert()
    )
    system = vc.System("three bodies")
    for name in "abd":
        system.add(vc.RigidBody(name, 1.0, com=COM[name], inertia=(0.5, 0.6, 0.7)))
    system.add(held)
    model = model_for(system)
    rng = np.random.default_rng(4)
    state = model.on_charts(rng.normal(size=(1, model.nq + model.nv)))
    s = np.linalg.svd(gaps_at(model, state, 0.0, model.parameter_values(None)).jacobians[0], compute_uv=False)
    assert (s > 1e-9 * s[0]).sum() == 6 * n and model.nv == 6 * (n + 1)
    assert "6 degrees of freedom" in str(vc.mobility(system))


def test_a_ball_and_socket_of_rows_is_the_joint():
    """f₁ = e, g₁ = p₁ × e for e along the axes of the pivot; the pivot's row −e, −p₂ × e follows where the points meet."""
    a1, a2 = np.array([0.5, 0.1, -0.2]), np.array([-0.4, 0.2, 0.3])

    def socket(one):
        arm = one.rotation @ (a1 - COM["a"])
        return [[(e, m.cross(arm, e))] for e in np.eye(3)]

    def pair(bond) -> vc.System:
        system = vc.System("pair")
        for name in "da":
            system.add(vc.RigidBody(name, 1.0, com=COM[name], inertia=(0.5, 0.6, 0.7)))
        system.add(bond)
        return system

    spin = np.array([0.3, -0.5, 0.8, 0.6, -0.9, 0.4])
    joint = pair(vc.Spherical("ball", "d", "a", at=a2, to=a1))
    first = {"d": vc.At((0, 0, 0, 1, 0, 0, 0), rate=spin), "ball": vc.At((1, 0, 0, 0), rate=(0.7, 0.2, -0.6))}
    tree = vc.simulate(joint, 1.0, first, grid=11)
    R, w = tree.body("a").rotation[0], tree.body("a").twist[0]
    begun = {"d": first["d"], "a": vc.At(vc.Pose(tree.body("a").position[0], R), rate=w)}
    for name, rows_ in (("a", socket),):
        bond = vc.constraints.invariant_rows("socket", [name], "d", rows_, realization=vc.DAlembert())
        free = vc.simulate(pair(bond), 1.0, begun, grid=11)
        for body in "ad":
            assert np.abs(free.body(body).position - tree.body(body).position).max() < 1e-10
        gap = free.body("a").point(a1).position - free.body("d").point(a2).position
        assert np.abs(gap).max() < 1e-10
        assert free.audit().passed, str(free.audit())


def test_a_prescribed_pivot_gives_the_drift_of_its_rows():
    """(34): a = P f̂, b = P ĝ, c = f₃ · ṗ + g₃ · ω_p, and the power on the free bodies is −λ c."""
    c = np.random.default_rng(8).normal(size=(2, 3))
    system = vc.System("driven")
    table = vc.PrescribedBody(
        "table", position=lambda t: (0.2 * m.sin(2 * t), 0.1 * t, 0.0), rotation=((0, 0, 1), lambda t: 0.7 * t)
    )
    system.add(table)
    body = system.add(vc.RigidBody("body", 1.3, com=COM["a"], inertia=(0.5, 0.6, 0.7)))
    row = vc.constraints.invariant_rows(
        "row", [body], table, lambda b: [[(c[0] + b.center, c[1])]], realization=vc.DAlembert()
    )
    system.add(row)
    motion = vc.simulate(
        system, 1.0, {"body": vc.At((0.5, 0.2, 0.3, 1, 0, 0, 0), rate=(0.1, 0, 0.2, 0.3, 0.1, 0))}, repair=True, grid=9
    )
    t = motion.time
    for i in range(len(t)):
        P = np.array(
            [[np.cos(0.7 * t[i]), -np.sin(0.7 * t[i]), 0], [np.sin(0.7 * t[i]), np.cos(0.7 * t[i]), 0], [0, 0, 1.0]]
        )
        p, p_dot, spin = (
            [0.2 * np.sin(2 * t[i]), 0.1 * t[i], 0],
            [0.4 * np.cos(2 * t[i]), 0.1, 0],
            np.array([0, 0, 0.7]),
        )
        r = motion.body("body").center[i] - p
        a, b = P @ (c[0] + P.T @ r), P @ c[1]
        drift = -a @ p_dot - (b + np.cross(r, a)) @ spin
        velocity, w = (
            motion.body("body").momentum[i, :3] / 1.3,
            motion.body("body").rotation[i] @ motion.body("body").twist[i, 3:],
        )
        assert abs(a @ velocity + b @ w + drift) < 1e-12
        force, moment = motion.bond("row").effort("body")[i, :3], motion.bond("row").effort("body")[i, 3:]
        arm = motion.body("body").position[i] - motion.body("body").center[i]
        power = force @ velocity + (moment + np.cross(arm, force)) @ w
        assert power == pytest.approx(-motion.bond("row").multiplier[i] * drift, abs=1e-12)
    assert motion.audit().passed, str(motion.audit())


def test_an_affine_row_works_by_its_drift():
    """(26), (27): the power of the reactions is −λ c."""
    row = vc.constraints.invariant_rows(
        "row",
        ["a"],
        "d",
        lambda a: [[((1.0, 0, 0), a.center)]],
        drift=lambda t: 0.3 * m.sin(t),
        realization=vc.DAlembert(),
    )
    motion = vc.simulate(four_bodies(row), 1.0, start(), repair=True, grid=9)
    assert np.abs(motion.bond("row").power + motion.bond("row").multiplier * 0.3 * np.sin(motion.time)).max() < 1e-11
    efforts = np.stack([motion.bond("row").effort(name) for name in "ad"], axis=1)
    assert np.abs(efforts[..., :3].sum(axis=1)).max() < 1e-12
    assert motion.audit().passed, str(motion.audit())


def test_a_position_seen_from_a_body_is_held_in_its_frame():
    held = vc.constraints.invariant_constraint(
        "rail", ["a"], "d", position=lambda a: a.center[1:] - (0.2, 0.1), realization=vc.DAlembert()
    )
    motion = vc.simulate(four_bodies(held), 0.5, start(), repair=True, grid=5)
    x, Q = places(motion)
    seen = np.einsum("tji,tj->ti", Q[:, 3], x[:, 0] - x[:, 3])
    assert np.abs(seen[:, 1:] - (0.2, 0.1)).max() < 1e-11
    assert motion.audit().passed, str(motion.audit())


def test_mass_points_are_seen_by_bodies():
    system = vc.System("point and body")
    system.add(vc.RigidBody("body", 1.0, inertia=(1, 2, 2.5)))
    system.add(vc.MassPoint("p", 0.5))
    system.add(
        vc.constraints.invariant_rows(
            "groove", ["p"], "body", lambda p: [[((0, 0, 1.0), None)]], realization=vc.DAlembert()
        )
    )
    motion = vc.simulate(
        system,
        1.0,
        {"p": vc.At((0.3, 0.2, 0.1), rate=(0.5, 0, 0)), "body": vc.At(rate=(0, 0, 0, 0.2, 0.9, 0.1))},
        repair=True,
    )
    seen = np.einsum(
        "tji,tj->ti", motion.body("body").rotation, motion.body("p").position - motion.body("body").position
    )
    assert np.abs(seen[:, 2] - seen[0, 2]).max() < 1e-11
    assert motion.audit().passed, str(motion.audit())
