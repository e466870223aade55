"""Groups, rows of bonds and cutoffs that do not fit: refused before a run, by name and row."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile import memory
from vinculum.errors import ModelError, StartError


def crowd(count: int = 5):
    system = vc.System("crowd")
    return system, system.add_many(vc.MassPoint("dot", 1.0), count)


def spring(group, **more):
    return vc.Spring("rope", group, group, stiffness=1.0, rest_length=0.1, **more)


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ([(0, 1), (1, 5)], r"bonds 'rope': row 1 names body 5 of group 'dot', whose 5 bodies are counted from 0 to 4"),
        ([(0, 1), (-1, 2)], r"bonds 'rope': row 1 names body -1 of group 'dot'"),
        ([(0, 1), (2, 3), (4, 4)], r"bonds 'rope': row 2 names body 'dot 4' twice"),
        ([(0, 1, 2)], r"over has shape \(1, 3\), but the bond has 2 groups .*give whole numbers with shape \(n, 2\)"),
        ([0, 1], r"over has shape \(2,\)"),
        ([(0.0, 1.0)], r"over holds float64 numbers; give whole numbers"),
        (np.zeros((0, 2), dtype=int), r"over has no rows"),
        ([(0, 1), (2,)], r"over is no array, or its rows differ in length"),
        (None, r"give either over=, .* or cutoff="),
    ],
)
def test_rows_that_are_none(over, message):
    _, dots = crowd()
    with pytest.raises(ModelError, match=message):
        vc.Bonds(spring(dots), over=over)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"stiffness": [1.0, -2.0]}, r"spring 'rope 1': stiffness"),
        ({"stiffness": [1.0, np.nan]}, r"bonds 'rope': stiffness of row 1 is nan, which is not finite"),
        ({"stiffness": [1.0, 2.0, 3.0]}, r"stiffness has shape \(3,\), but there are 2 rows"),
        ({"stiffness": 1.0}, r"stiffness has shape \(\), but there are 2 rows"),
        ({"stifness": [1.0, 2.0]}, r"Spring has no number 'stifness'; known: stiffness, rest_length, at, to, damping"),
        ({"stiffness": [vc.parameter("k", 1.0), 2.0]}, r"give an array of plain numbers"),
        ({"at": [1.0, 2.0]}, r"spring 'rope 0': at"),
        ([1.0], r"numbers is \[1.0\]; give names"),
    ],
)
def test_numbers_that_do_not_fit_the_rows(numbers, message):
    _, dots = crowd()
    with pytest.raises(ModelError, match=message):
        vc.Bonds(spring(dots), over=[(0, 1), (1, 2)], numbers=numbers)


def test_bonds_without_groups_and_groups_without_bonds():
    system, dots = crowd()
    with pytest.raises(ModelError, match=r"none of its bodies is a group"):
        vc.Bonds(vc.Spring("rope", dots[0], dots[1], stiffness=1.0), over=[(0, 1)])
    with pytest.raises(ModelError, match=r"'dot' is a group of 5 bodies; say which of them"):
        system.add(spring(dots))
    with pytest.raises(ModelError, match=r"is no spring, damper, potential, force, interaction or constraint"):
        vc.Bonds(vc.MassPoint("a", 1.0), over=[(0, 1)])
    _, others = crowd()
    with pytest.raises(ModelError, match=r"bonds 'rope': body 'dot 0' is not in system 'crowd'"):
        system.add(vc.Bonds(spring(others), over=[(0, 1)]))


def test_names_of_members_are_names():
    system, dots = crowd()
    for name in ("dot", "dot 3"):
        with pytest.raises(ModelError, match=f"the name '{name}' is taken"):
            system.add(vc.MassPoint(name, 1.0))
    system.add(vc.Bonds(spring(dots), over=[(0, 1), (1, 2)]))
    with pytest.raises(ModelError, match=r"the name 'rope 1' is taken"):
        system.add(vc.Spring("rope 1", dots[0], dots[1], stiffness=1.0))
    system.add(vc.Spring("rope 2", dots[0], dots[1], stiffness=1.0))
    system.add(vc.MassPoint("bead 1", 1.0))
    with pytest.raises(ModelError, match=r"'bead' would have a member 'bead 1', but this name is taken"):
        system.add_many(vc.MassPoint("bead", 1.0), 2)


@pytest.mark.parametrize("count", [0, -1, 2.0, True, None, "3"])
def test_counts_that_are_none(count):
    with pytest.raises(ModelError, match=r"the count of 'dot' is .*give a whole number from 1 on"):
        vc.System("crowd").add_many(vc.MassPoint("dot", 1.0), count)


def test_members_that_are_not_there():
    _, dots = crowd()
    for which, message in (
        (5, r"there is no body number 5; its 5 bodies"),
        ([0, 9], r"entry 1 is body number 9"),
        (slice(3, 3), r"names none of its 5 bodies"),
        ("dot 1", r"'dot 1' names no bodies"),
        ([0, 0], r"body 'dot 0' is listed twice"),
    ):
        with pytest.raises(ModelError, match=message):
            dots[which]


def test_starts_with_other_rows_than_bodies():
    system, dots = crowd()
    for start, message in (
        ({dots: np.zeros((4, 3))}, r"start of group 'dot': there are 4 rows of positions for 5 bodies"),
        ({dots: 3.0}, r"positions are 3.0; give one row for each of its 5 bodies"),
        ({dots: vc.At(rate=np.zeros((6, 3)))}, r"6 rows of rates for 5 bodies"),
        ({dots: np.zeros((5, 2))}, r"joint 'dot 0' has 3 coordinates"),
        ({dots: np.zeros((5, 3)), dots[:2]: np.zeros((2, 3))}, r"body 'dot 0' has two values"),
    ):
        with pytest.raises(StartError, match=message):
            vc.simulate(system, 0.1, start)


@pytest.mark.parametrize("cutoff", [0.0, -1.0, np.nan, np.inf, "1", True])
def test_cutoffs_that_are_no_lengths(cutoff):
    _, dots = crowd()
    with pytest.raises(ModelError, match=r"bonds 'rope': cutoff is .*give a positive length"):
        vc.Bonds(spring(dots), cutoff=cutoff)


def test_a_cutoff_below_the_size_of_a_body():
    system = vc.System("balls")
    balls = system.add_many(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.3), mass=1.0), 3)
    energy = lambda a, b: (0.5 - vc.math.norm(a.position - b.position)) ** 2
    with pytest.raises(
        ModelError, match=r"the cutoff, 0.5 m, is less than the size of body 'ball 0', which reaches 0.3 m"
    ):
        vc.Bonds(vc.Potential("push", [balls, balls], energy), cutoff=0.5)


def test_a_law_that_does_not_end_at_its_cutoff():
    system, dots = crowd()
    lennard = vc.potentials.LennardJones("lj", [dots, dots], depth=1.0, size=1.0)
    with pytest.raises(ModelError, match=r"its energy is .* J at the cutoff, 2.5 m, and would jump there; give fade="):
        system.add(vc.Bonds(lennard, cutoff=2.5))
    with pytest.raises(ModelError, match=r"fade 3 m must be less than the cutoff, 2.5 m"):
        vc.Bonds(lennard, cutoff=2.5, fade=3.0)
    with pytest.raises(ModelError, match=r"has forces without an energy"):
        system.add(vc.Bonds(spring(dots, damping=0.1), cutoff=0.1))
    with pytest.raises(ModelError, match=r"acts between pairs of one group"):
        vc.Bonds(vc.Spring("rope", dots, dots[:2], stiffness=1.0), cutoff=1.0)
    with pytest.raises(ModelError, match=r"fade belongs to a cutoff"):
        vc.Bonds(spring(dots), over=[(0, 1)], fade=1.0)
    system.add(vc.Bonds(lennard, cutoff=2.5, fade=2.0))


def test_more_bodies_than_there_is_memory(monkeypatch):
    system, dots = crowd(250)
    system.add(vc.Bonds(spring(dots), over=[(k, k + 1) for k in range(249)]))
    start = {dots: [(0.1 * k, 0, 0) for k in range(250)]}
    for free, message in (
        (1000, r"system 'crowd': the tables of 250 blocks and 249 rows of bonds take about .* GiB of memory, but"),
        (10_000_000, r"system 'crowd': the steps of a run of 250 bodies take about .* GiB of memory"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(memory, "free_memory", lambda free=free: free)
            with pytest.raises((ModelError, StartError), match=message):
                vc.simulate(system, 0.1, start)
    monkeypatch.setattr(memory, "free_memory", lambda: 2**30)
    with pytest.raises(
        ModelError, match=r"100000000 bodies like 'dot' take about 93 GiB of memory, but 1 GiB are free"
    ):
        vc.System("crowd").add_many(vc.MassPoint("dot", 1.0), 10**8)
