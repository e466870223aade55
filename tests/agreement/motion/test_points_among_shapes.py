"""Points of which all act on all, beside blocks in contact: a loop over their pairs gives what rows of pairs give."""

import numpy as np

import vinculum as vc
from pair_loops import gravitation, looped, places, points, start
from vinculum.models.tabled.pair_loop import trace
from vinculum.models.tabled.type import tabled_in


def test_points_beside_blocks_in_contact_move_as_with_rows_of_pairs(monkeypatch):
    def run() -> vc.Motion:
        system = vc.System("dust", gravity=(0, 0, -9.81))
        dust, (x, v) = points(system, 8), places(8)
        box = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.2, 0.2, 0.2)), mass=1.0))
        system.add(vc.potentials.PairPotential("pull", dust, gravitation))
        system.add(vc.Spring("tie", dust[0], box, stiffness=5.0, rest_length=0.1))
        floor = vc.shapes.HalfSpace((0, 0, 1))
        system.add(vc.Contact("floor", [box], walls=[floor], impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
        given = start(x, v) | {"box": (0.0, 0.0, 0.1)}
        return vc.simulate(system, 0.05, given, method="moreau", step=1e-3, grid=6, progress=False)

    looped(monkeypatch)
    loop = run()
    monkeypatch.setattr(trace, "FEWEST_LOOPED_PAIRS", 10**9)
    rows = run()
    assert tabled_in(loop.record.model).pair_loop is not None and tabled_in(rows.record.model).pair_loop is None
    np.testing.assert_allclose(loop.q, rows.q, rtol=0, atol=1e-12)
    np.testing.assert_allclose(loop.v, rows.v, rtol=0, atol=1e-11)
    certificate = loop.audit()
    assert certificate.passed, str(certificate)
    assert "forces of the pairs" in {line.law for line in certificate.lines}
