"""Telegin's subsystem equations on random trees with every joint kind, next to point masses."""

from functools import cache

import numpy as np
import pytest

from points import Clouds, joined
from trees import random_state, random_system
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms import telegin
from vinculum.equations.recursions.augmented_bodies import augmented_forces
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.subsystems import pole_moments
from vinculum.equations.subsystems.pole_moments import inertia_at_pole
from vinculum.equations.subsystems.static_moments import (
    moment_share,
    recursive_static_moments,
    static_moment_rates,
    subsystem_masses,
)
from vinculum.scalars import directional, symbols
from vinculum.scalars.math import cross
from vinculum.screws import shift_wrench, skew, star
from vinculum.systems import path_between, subsystem

SEEDS = range(24)


def augmented_moment(tree, motions, i):
    r"""Static moment (3,) of augmented body i, constant in the body's axes, eq. (9).

    .. math:: \bar m_{di} = m_{0i} c_i + \sum_{j\in S_i} m_j \overline{O_i O_{0j}}
    """
    masses = subsystem_masses(tree)
    return sum((masses[j] * motions[j].start for j in tree.children(i)), motions[i].mass * motions[i].c)


def augmented_static_moments(tree, motions):
    r"""Static moments (3,) through augmented bodies, eq. (8).

    .. math:: \bar m_i = \bar m_{di} + \sum_{j\in S_i} (m_j r_{rj} + \bar m_j)
    """
    masses, moments = subsystem_masses(tree), [augmented_moment(tree, motions, i) for i in range(len(motions))]
    for link in reversed(tree.links):
        if link.parent >= 0:
            moments[link.parent] = (
                moments[link.parent] + masses[link.index] * motions[link.index].slide + moments[link.index]
            )
    return moments


def closed_static_moments(tree, motions):
    r"""Static moments (3,) as sums over subsystems, eq. (10): :math:`\bar m_i = \sum_{j\in sub(i)} \bar m_{rj}`."""
    shares = [moment_share(tree, motions, j) for j in range(len(motions))]
    return [sum((shares[j] for j in subsystem(tree, i)), np.zeros(3)) for i in range(len(shares))]


def inertia_of_augmented_body(tree, motions, i):
    r"""J_ri (3, 3): body i about its pole, with the masses m_j it carries put at their poles, eq. (15).

    .. math:: J_{ri} = J_{0i} + \sum_{j\in S_i} m_j (E\,R_j\cdot R_j - R_j R_j^T)
    """
    masses = subsystem_masses(tree)
    carried = (masses[j] * star(motions[j].R, motions[j].R) for j in tree.children(i))
    return sum(carried, inertia_at_pole(motions[i]))


def kinetic_moments_about_centers(tree, motions):
    r"""K_k (3,) from the motions of the bodies about the subsystem's mass center, eq. (12).

    .. math:: K_k = \sum_{m\in sub(k)} \Big(m_{0m} \overline{C_{pk}C_m}\times\tfrac{d}{dt}\overline{C_{pk}C_m}
              + J_{cm}\,\omega_m\Big)
    """
    result = []
    for k, (mass, moment, rate) in enumerate(_moments(tree, motions)):
        total = np.zeros(3)
        for m in subsystem(tree, k):
            arm, arm_dot = _arm(tree, motions, k, m)
            spin = motions[m].J_c @ motions[m].omega
            total = total + motions[m].mass * cross(arm - moment / mass, arm_dot - rate / mass) + spin
        result.append(total)
    return result


def kinetic_moments_from_poles(tree, motions):
    r"""K_k (3,) from the motions of the bodies about the subsystem's pole, eq. (13).

    .. math:: K_k = \sum_{m\in sub(k)} \Big(m_{0m} \overline{O_kC_m}\times\tfrac{d}{dt}\overline{O_kC_m}
              + J_{cm}\,\omega_m\Big) + \dot{\bar m}_k\times\bar m_k / m_k
    """
    result = []
    for k, (mass, moment, rate) in enumerate(_moments(tree, motions)):
        total = cross(rate, moment) / mass
        for m in subsystem(tree, k):
            arm, arm_dot = _arm(tree, motions, k, m)
            total = total + motions[m].mass * cross(arm, arm_dot) + motions[m].J_c @ motions[m].omega
        result.append(total)
    return result


def kinetic_moments_of_augmented_bodies(tree, motions):
    r"""K_k (3,) from augmented bodies and the static moments of the subsystems inside, eq. (14).

    .. math:: K_k = J_{rk}\omega_k + \sum_{i\in sub(k),\,i\ne k} \Big(J_{ri}\omega_i + R_i\times\dot{\bar m}_i
              + \bar m_i\times\dot R_i + m_i R_i\times V_i\Big) + \dot{\bar m}_k\times\bar m_k / m_k
    """
    moments = _moments(tree, motions)
    turning = [inertia_of_augmented_body(tree, motions, i) @ at.omega for i, at in enumerate(motions)]
    inside = []
    for at, (mass, moment, rate) in zip(motions, moments, strict=True):
        inside.append(cross(at.R, rate) + cross(moment, at.R_dot) + mass * cross(at.R, at.V))
    result = []
    for k, (mass, moment, rate) in enumerate(moments):
        carried = (turning[i] + inside[i] for i in subsystem(tree, k) if i != k)
        result.append(sum(carried, turning[k] + cross(rate, moment) / mass))
    return result


def _moments(tree, motions):
    """Mass, static moment and its rate, of every subsystem."""
    moments, rates = recursive_static_moments(tree, motions), static_moment_rates(tree, motions)
    return list(zip(subsystem_masses(tree), moments, rates, strict=True))


def _arm(tree, motions, k, m):
    """O_k C_m and its derivative, by the vectors between poles, eq. (17)."""
    between = path_between(tree, k, m)
    arm = sum((motions[j].R for j in between), motions[m].c)
    return arm, sum((motions[j].R_dot for j in between), motions[m].c_dot)


@cache
def case(seed):
    """A random tree in motion under random wrenches, about its joint origins."""
    rng = np.random.default_rng(seed)
    tree = random_system(rng, int(rng.integers(1, 9))).tree()
    q, v = random_state(tree, rng)
    a = rng.normal(size=tree.nv)
    external = [rng.normal(size=6) if rng.random() < 0.6 else None for _ in tree.links]
    of = pole_moments.Subsystems.moving(tree, q, v, a)
    clouds = Clouds(tree)(q, v, a)
    return tree, (q, v, a), external, of, [joined([clouds[j] for j in subsystem(tree, i)]) for i in range(len(clouds))]


def close(found, expected, tolerance):
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert np.abs(found - expected).max(initial=0.0) <= tolerance * (1.0 + np.abs(expected).max(initial=0.0))


def spun(c, x, v):
    """Σ m x × v over the points of a cloud."""
    return np.cross(x, c.mass[:, None] * v).sum(axis=0)


def test_the_star_product_is_minus_the_product_of_two_cross_matrices():
    rng = np.random.default_rng(0)
    for a, b, w in rng.normal(size=(20, 3, 3)):
        (ax, ay, az), (bx, by, bz) = a, b
        printed = [[ay * by + az * bz, -ay * bx, -az * bx], [-ax * by, ax * bx + az * bz, -az * by],
                   [-ax * bz, -ay * bz, ax * bx + ay * by]]  # fmt: skip
        close(star(a, b), printed, 1e-14)
        close(star(a, b), -skew(a) @ skew(b), 1e-14)
        close(star(a, b), star(b, a).T, 0.0)
        close(star(a, b) @ w, np.cross(a, np.cross(w, b)), 1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_over_subsystems_and_paths_can_be_exchanged(seed):
    tree = case(seed)[0]
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=(3, len(tree.links)))
    for k in range(len(tree.links)):
        inside = subsystem(tree, k)
        by_body = sum(a[i] * sum(b[j] for j in path_between(tree, k, i)) for i in inside)
        by_arm = sum(b[j] * sum(a[i] for i in subsystem(tree, j)) for j in inside if j != k)
        close(by_body, by_arm, 1e-12)
        close(sum(c[j] for j in inside if j != k), sum(c[i] for j in inside for i in tree.children(j)), 1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_static_moments_agree_in_three_ways_and_with_points(seed):
    tree, _, _, of, clouds = case(seed)
    expected = [c.mass @ (c.x - at.r) for c, at in zip(clouds, of.motions, strict=True)]
    close(of.masses, [c.mass.sum() for c in clouds], 1e-13)
    for way in (recursive_static_moments, augmented_static_moments, closed_static_moments):
        close(way(tree, of.motions), expected, 1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_rates_and_accelerations_of_static_moments_are_those_of_points(seed):
    _, _, _, of, clouds = case(seed)
    speeds = [sum((of.motions[j].R_dot for j in of.tree.path(i)), np.zeros(3)) for i in range(len(clouds))]
    close(of.rates, [c.mass @ (c.v - u) for c, u in zip(clouds, speeds, strict=True)], 1e-11)
    close(of.accelerations, [c.mass @ (c.a - at.acceleration) for c, at in zip(clouds, of.motions, strict=True)], 1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_moment_of_an_augmented_body_is_constant_in_the_body(seed):
    tree, (_, v, a), _, of, _ = case(seed)
    elsewhere = pole_moments.Subsystems.moving(tree, random_state(tree, np.random.default_rng(seed + 1000))[0], v, a)
    for i in range(len(tree.links)):
        here, there = (s.motions[i].R_WL.T @ augmented_moment(tree, s.motions, i) for s in (of, elsewhere))
        close(here, there, 1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_poles_have_not_moved_where_the_coordinates_are_zero(seed):
    tree, (_, v, a), _, _, _ = case(seed)
    for at in pole_moments.Subsystems.moving(tree, tree.identity, v, a).motions:
        close(at.slide, np.zeros(3), 1e-13)
        close(at.R, at.start, 1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_moments_agree_in_three_ways_and_with_points(seed):
    tree, _, _, of, clouds = case(seed)
    expected = []
    for c in clouds:
        center, speed = c.mass @ c.x / c.mass.sum(), c.mass @ c.v / c.mass.sum()
        expected.append(spun(c, c.x - center, c.v - speed))
    for way in (kinetic_moments_about_centers, kinetic_moments_from_poles, kinetic_moments_of_augmented_bodies):
        close(way(tree, of.motions), expected, 1e-10)
    close([telegin.central_moment(of, i) for i in range(len(clouds))], expected, 1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_moment_about_a_pole_and_its_rate_are_those_of_points(seed):
    _, _, _, of, clouds = case(seed)
    for i, (c, at) in enumerate(zip(clouds, of.motions, strict=True)):
        speed = sum((of.motions[j].R_dot for j in of.tree.path(i)), np.zeros(3))
        close(pole_moments.pole_moment(of, i), spun(c, c.x - at.r, c.v - speed), 1e-10)
        close(pole_moments.pole_moment_rate(of, i), spun(c, c.x - at.r, c.a - at.acceleration), 1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_base_reactions_carry_the_points_of_the_subsystem(seed):
    """F and M of every base from Newton's law for the points and the given wrenches, by (22), (23) and by (1), (2), (6)."""
    tree, (q, v, a), external, of, clouds = case(seed)
    reactions = telegin.base_reactions(tree, q, v, a, external)
    given = list(zip(*telegin.external_resultants(tree, of, external), strict=True))
    for i, (c, at) in enumerate(zip(clouds, of.motions, strict=True)):
        pull = c.mass[:, None] * (c.a - tree.gravity)
        F, M = pull.sum(axis=0), np.cross(c.x - at.r, pull).sum(axis=0)
        for j in subsystem(tree, i):
            if external[j] is not None:
                X = of.motions[j]
                f, m = X.R_WL @ external[j][:3], X.R_WL @ external[j][3:]
                origin = X.r - X.R_WL @ tree.links[j].joint_origin
                F, M = F - f, M - m - np.cross(origin - at.r, f)
        close(reactions[i], np.concatenate([F, M]), 1e-10)

        F_total, M_total = reactions[i][:3] + given[i][0], reactions[i][3:] + given[i][1]
        mass, moment = of.masses[i], of.moments[i]
        fall = at.acceleration + of.accelerations[i] / mass - tree.gravity
        center = c.mass @ c.x / mass
        K_rate = spun(c, c.x - center, c.a - c.mass @ c.a / mass)
        close(mass * fall, F_total, 1e-10)
        close(np.cross(moment, fall) + K_rate, M_total, 1e-10)
        close(mass * (at.acceleration - tree.gravity) + of.accelerations[i], F_total, 1e-10)
        close(K_rate, M_total - np.cross(moment, F_total) / mass, 1e-10)


@pytest.mark.parametrize("seed", range(6))
def test_written_out_derivatives_are_those_of_the_graph(seed):
    """dJ_ji/dt, dG_i/dt and the relation after (25), by differentiating the graphs of J_ji, G_i and K_i."""
    tree, (q0, v0, a0), _, _, _ = case(seed)
    q, v, a = symbols("q", tree.nq), symbols("v", tree.nv), symbols("a", tree.nv)
    of = pole_moments.Subsystems.moving(tree, q, v, a)
    x, x_dot = np.concatenate([q, v]), np.concatenate([rates(tree, q, v), a])
    reactions = telegin.base_reactions(tree, q, v, a)
    zero, size = [], []
    for i in range(len(tree.links)):
        F, M = reactions[i][:3], reactions[i][3:]
        pairs = [(directional(pole_moments.pole_moment(of, i), x, x_dot), pole_moments.pole_moment_rate(of, i)),
                 (directional(telegin.central_moment(of, i), x, x_dot), M - skew(of.moments[i]) @ F / of.masses[i])]  # fmt: skip
        for j in subsystem(tree, i):
            written = pole_moments.influence_rate(of, j, i)
            pairs.append((directional(pole_moments.influence(of, j, i), x, x_dot), written))
        for found, expected in pairs:
            zero += [*np.ravel(found - expected)]
            size += [*np.ravel(expected)]
    tape = trace({"q": q, "v": v, "a": a}, {"zero": zero, "size": size})
    Y = arrays.evaluate(tape, np.concatenate([q0, v0, a0])[None])[0]
    assert np.abs(Y[: len(zero)]).max() <= 1e-10 * (1.0 + np.abs(Y[len(zero) :]).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sweep_gives_the_wrenches_and_forces_of_the_vector_form(seed):
    tree, (q, v, a), external, of, _ = case(seed)
    forces, swept = augmented_forces(tree, q, v, a, external)
    close(telegin.generalized_forces(tree, q, v, a, external), forces, 1e-12)
    for link, F, at, expected in zip(
        tree.links, swept, of.motions, telegin.base_reactions(tree, q, v, a, external), strict=True
    ):
        close(np.kron(np.eye(2), at.R_WL) @ shift_wrench(F, link.joint_origin), expected, 1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pole_may_lie_anywhere_in_its_body(seed):
    tree, (q, v, a), external, of, _ = case(seed)
    rng = np.random.default_rng(seed)
    moves = rng.normal(size=(len(tree.links), 3))
    poles = [link.joint_origin + move for link, move in zip(tree.links, moves, strict=True)]
    moved = telegin.base_reactions(tree, q, v, a, external, poles)
    for at, move, F, expected in zip(
        of.motions, moves, moved, telegin.base_reactions(tree, q, v, a, external), strict=True
    ):
        close(F, shift_wrench(expected, at.R_WL @ move), 1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_projected_mass_matrix_is_that_of_points(seed):
    tree, (q, v, _), _, _, _ = case(seed)
    if not tree.nv:
        pytest.skip("only welds")
    still, clouds = np.zeros(tree.nv), Clouds(tree)
    columns = [joined(clouds(q, unit, still)) for unit in np.eye(tree.nv)]
    expected = np.array([[np.sum(x.mass[:, None] * x.v * y.v) for y in columns] for x in columns])
    rest = telegin.generalized_forces(tree, q, still, still)
    found = np.stack([telegin.generalized_forces(tree, q, still, unit) - rest for unit in np.eye(tree.nv)], axis=1)
    close(found, expected, 1e-11)
    M, h = telegin.standard_form(tree, q, v, 0.3)
    close(M, expected, 1e-11)
    M = M.astype(float)
    assert np.array_equal(M, M.T) and np.linalg.eigvalsh(M).min() > 0
    for j in tree.links:
        for k in tree.links:
            if j.index not in tree.path(k.index) and k.index not in tree.path(j.index):
                assert not np.any(M[j.v, k.v])
    whole = joined(clouds(q, v, still))
    pull = whole.mass[:, None] * (whole.a - tree.gravity)
    given = applied_forces(tree, 0.3, q, v)
    close(h + given, [np.sum(column.v * pull) for column in columns], 1e-10)
    a = np.random.default_rng(seed).normal(size=tree.nv)
    close(telegin.projected_residual(tree, 0.3, q, v, a), M @ a + h, 1e-11)
