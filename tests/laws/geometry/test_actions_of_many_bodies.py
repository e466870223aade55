"""Hamilton's principle on motions over tables and over loops of pairs; motions that are wrong in a span break it."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from linkages import chain_of_links, row_of_linkages
from pair_loops import cloud, has_pair_loop, looped, places, start
from records import altered
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType

g = vc.geometry
FEW = {"carriers": 4}
SAME = {"method": "dop853", "grid": 11, "progress": False}


def net():
    """Points on springs, some of them with dampers, in gravity."""
    system, rng = vc.System("net", gravity=(0, 0, -9.81)), np.random.default_rng(1)
    points = [system.add(vc.MassPoint(f"p{i}", 1.0 + 0.1 * i)) for i in range(6)]
    for i, point in enumerate(points):
        other, damping = points[i - 1], 0.1 * (i % 2)
        system.add(vc.Spring(f"s{i}", point, other, stiffness=10.0 + i, rest_length=0.5, damping=damping))
    return system, {p.name: vc.At(rng.normal(size=3), rate=rng.normal(size=3)) for p in points}, 0.3


def struck():
    system, given = chain_of_links(3)
    system.add(vc.Impulse("kick", "link 2", vc.Wrench(force=(0.05, 0, 0), at=(0, 0, 0.1)), at=0.05))
    return system, given, 0.1


TABLES = {"net": net, "linkages": lambda: (*row_of_linkages(2), 0.1), "struck": struck}


def tabled(monkeypatch, name):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, given, until = TABLES[name]()
    motion = vc.simulate(system, until, given, **SAME)
    assert isinstance(motion.record.model.type, TabledType)
    return motion


def points(monkeypatch):
    looped(monkeypatch)
    motion = vc.simulate(cloud(6, gravity=(0, 0, -1.0)), 0.5, start(*places(6)), **SAME)
    assert has_pair_loop(motion.record.model)
    return motion


def too_fast(motion, first: float, last: float):
    """The same motion with velocities larger by a thousandth in a span, given as fractions of it."""
    pieces, nq = motion.record.pieces, motion.record.model.nq
    coefficients, S = np.array(pieces.coefficients), len(pieces)
    coefficients[int(first * S) : int(np.ceil(last * S)), nq:] *= 1.001
    return altered(motion, pieces=replace(pieces, coefficients=coefficients))


def verdicts(certificate) -> dict[str, str]:
    return {line.law: line.verdict for line in certificate.lines}


@pytest.mark.parametrize("name", list(TABLES))
def test_the_action_over_tables_changes_as_the_forces_say(name, monkeypatch):
    motion = tabled(monkeypatch, name)
    found = g.audit_action(motion, **FEW)
    assert found.passed, found
    assert [line.law for line in found.lines] == ["action rate", "action rate, own time"]
    wrong = verdicts(g.audit_action(too_fast(motion, 0.4, 0.6), **FEW))
    assert wrong["action rate"] == "broken" and wrong["action rate, own time"] == "broken"


def test_the_action_of_a_loop_of_pairs_changes_as_the_forces_say(monkeypatch):
    motion = points(monkeypatch)
    found = g.audit_action(motion, **FEW)
    assert found.passed, found
    assert "broken" in verdicts(g.audit_action(too_fast(motion, 0.4, 0.6), **FEW)).values()


def test_an_impulse_over_tables_that_is_too_large_breaks_it(monkeypatch):
    motion = tabled(monkeypatch, "struck")
    atoms = motion.record.atoms
    for factor, verdict in ((1.0, "holds"), (1.01, "broken"), (0.0, "broken")):
        other = altered(motion, atoms=replace(atoms, given=factor * atoms.given))
        assert verdicts(g.audit_action(other, **FEW))["action rate"] == verdict


def test_a_motion_over_tables_by_other_parameters_breaks_it(monkeypatch):
    """A spring that is stiffer by a thousandth."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, given, until = net()
    extra = system.add(vc.Spring("extra", "p0", "ground", stiffness=vc.parameter("k", 5.0)))
    motion = vc.simulate(system, until, given, **SAME)
    assert g.audit_action(motion, **FEW).passed and extra.name == "extra"
    other = motion.replace(parameters={"k": 5.005})
    assert verdicts(g.audit_action(other, **FEW))["action rate"] == "broken"


def test_many_nodes_are_taken_in_parts(monkeypatch):
    """A small memory changes round-off alone."""
    motion = tabled(monkeypatch, "net")
    w = lambda t, q: np.arange(1.0, 19.0) * q
    whole = g.action_rate(motion, w, lambda t: 0.1, (0.05, 0.25))
    monkeypatch.setattr("vinculum.audits.action.loops.NUMBERS_OF_BOARDS", 20_000)
    parts = g.action_rate(motion, w, lambda t: 0.1, (0.05, 0.25))
    for way in ("by_lie_derivative", "by_transport", "by_forces", "size"):
        assert getattr(parts, way) == pytest.approx(getattr(whole, way), rel=1e-9, abs=1e-12 * whole.size)
