"""The metric of random trees with every joint that has a chart, against their kinetic energies and free motions."""

import numpy as np
import pytest

import vinculum as vc
from trees import KINDS, random_prescribed, random_state, random_system
from vinculum.equations.energies import kinetic_energy
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.scalars import value
from vinculum.systems import placements

g = vc.geometry
CHARTED = tuple(kind for kind in KINDS if kind not in ("spherical", "free", "weld"))


@pytest.mark.parametrize("seed", range(8))
def test_the_metric_of_a_tree_gives_its_kinetic_energy_in_coordinate_rates(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 1 + seed % 4, CHARTED)
    metric, tree = g.Metric.of(system), system.tree()
    for _ in range(3):
        q, v = random_state(tree, rng)
        q_dot = np.asarray(rates(tree, q, v), dtype=float)
        energy = float(value(kinetic_energy(tree, placements(tree, q, v))))
        np.testing.assert_allclose(0.5 * q_dot @ metric(q) @ q_dot, energy, rtol=1e-11)


@pytest.mark.parametrize("seed", [1, 3])
def test_geodesics_of_a_tree_are_its_motions_without_forces(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 2, CHARTED, forces=False)
    free = vc.System("free")
    for part in (*system.bodies.values(), *system.joints.values()):
        free.add(part)
    tree = free.tree()
    q, v = random_state(tree, rng)
    q_dot = np.asarray(rates(tree, q, v), dtype=float)
    start = {link.joint.name: vc.At(q[link.q], v[link.v]) for link in tree.links}
    motion = vc.simulate(free, 0.2, start, grid=5, progress=False)
    geodesic = g.geodesic(g.Metric.of(free), q, q_dot, 0.2, grid=5)
    np.testing.assert_allclose(geodesic.q, motion.q, rtol=1e-9, atol=1e-9)


def test_an_affine_body_is_flat():
    """Its kinetic energy ½ tr(J φ̇ᵀ φ̇) + ½ m ṙ² has constant coefficients."""
    system = vc.System("soft")
    system.add(vc.AffineBody("body", 1.2, (0.3, 0.4, 0.5)))
    metric = g.Metric.of(system)
    q = np.random.default_rng(0).normal(size=len(metric.coordinates))
    np.testing.assert_allclose(metric.christoffel(q), 0.0, atol=1e-13)


def test_prescribed_bodies_have_no_metric():
    system = vc.System("driven")
    driven = system.add(random_prescribed(np.random.default_rng(1)))
    system.add(vc.Revolute("hinge", driven, system.add(vc.RigidBody("arm", 1.0, (0, 0, 1), (1, 1, 0.5)))))
    with pytest.raises(vc.errors.MethodError, match=r"bodies \['driven'\] are prescribed"):
        g.Metric.of(system)
