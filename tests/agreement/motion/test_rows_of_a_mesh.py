"""Bonds over the elements of a mesh, their edges and faces: next to rows of indices, and Euler's polyhedron formula."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.spatial import Delaunay

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import ModelError
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type


def cube_of_tetrahedra(count=3):
    places = np.array(list(product(range(count), repeat=3)), dtype=float)
    places += 0.1 * np.random.default_rng(1).normal(size=places.shape)
    return places, Delaunay(places).simplices


def spring(group, **more):
    return vc.Spring("edge", group, group, stiffness=20.0, **more)


def test_edges_and_faces_of_tetrahedra_are_rows_once():
    places, cells = cube_of_tetrahedra()
    system = vc.System("jelly")
    knots = system.add_many(vc.MassPoint("knot", 0.1), len(places))
    edges = vc.Bonds(spring(knots), mesh=cells)
    faces = vc.Bonds(vc.Potential("face", [knots] * 3, lambda a, b, c: 0.0 * a.position[0]), mesh=cells)
    whole = vc.Bonds(vc.Potential("cell", [knots] * 4, lambda a, b, c, d: 0.0 * a.position[0]), mesh=cells)
    for bonds, k in ((edges, 2), (faces, 3)):
        known = {frozenset(part) for cell in cells.tolist() for part in combinations(cell, k)}
        assert {frozenset(row) for row in bonds.over.tolist()} == known and len(bonds) == len(known)
    assert np.array_equal(whole.over, cells)
    # V − E + F − T = 1 for a ball of tetrahedra
    assert len(places) - len(edges) + len(faces) - len(cells) == 1


def test_a_membrane_of_triangles_moves_as_its_rows_written_out(monkeypatch):
    def area(a, b, c):
        return 3.0 * vc.math.norm(vc.math.cross(b.position - a.position, c.position - a.position))

    rng = np.random.default_rng(2)
    flat = rng.uniform(size=(20, 2))
    triangles, found = Delaunay(flat).simplices, []
    place = np.c_[flat, 0.1 * rng.normal(size=20)]
    for fewest, rows in ((10**9, {"over": triangles}), (0, {"mesh": triangles})):
        monkeypatch.setattr(tabled_type, "FEWEST_TABLED", fewest)
        system = vc.System("membrane", gravity=(0, 0, -1.0))
        knots = system.add_many(vc.MassPoint("knot", 0.05), 20)
        system.add(vc.Bonds(vc.Potential("area", [knots] * 3, area), **rows))
        edges = {tuple(sorted(pair)) for one in triangles.tolist() for pair in combinations(one, 2)}
        system.add(vc.Bonds(spring(knots), **({"over": sorted(edges)} if fewest else rows)))
        model = model_for(system)
        state = np.concatenate([place.ravel(), 0.1 * np.ones(60)])
        assert isinstance(model.type, tabled_type.TabledType) != bool(fewest)
        found.append(model.tape("motion"))
        found.append(state)
    (one, state, other, _) = found
    row = np.concatenate([state, [0.0]])[None]
    written, tabled = (evaluate_groups(tape, row)["v_dot"] for tape in (one, other))
    assert np.abs(written - tabled).max() < 1e-12 * np.abs(written).max()


def test_a_surface_of_shapes_has_its_triangles():
    surface = vc.shapes.Mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)])
    system = vc.System("sheet")
    knots = system.add_many(vc.MassPoint("knot", 0.1), len(surface.corners))
    bonds = vc.Bonds(spring(knots), mesh=surface)
    assert len(bonds) == 5
    lengths = np.linalg.norm(np.diff(surface.corners[bonds.over], axis=1)[:, 0], axis=1)
    assert np.allclose(np.sort(lengths), [1, 1, 1, 1, np.sqrt(2)])


@pytest.mark.parametrize(
    ("mesh", "message"),
    [
        ([(0, 1, 9)], r"row 1 names body 9 of group 'knot', whose 5 bodies are counted from 0 to 4"),
        ([(0, -1, 2)], r"row 0 names body -1"),
        ([(0, 1, 1)], r"row \d names body 'knot 1' twice"),
        ([(0.0, 1.0, 2.0)], r"mesh is .*give whole numbers with shape \(m, k\)"),
        ([(0, 1, 2), (1, 2)], r"mesh is no array, or its elements differ"),
        (np.zeros((0, 3), dtype=int), r"mesh is .*give whole numbers"),
        ([(0, 1, 2, 3, 4)], r"elements with 5 corners have no parts for a bond with 2 groups"),
        ([(0,), (1,)], r"elements with 1 corners have no parts"),
        ("knot", r"mesh is knot|mesh is 'knot'"),
    ],
)
def test_meshes_that_do_not_fit_are_refused(mesh, message):
    system = vc.System("net")
    knots = system.add_many(vc.MassPoint("knot", 0.1), 5)
    with pytest.raises(ModelError, match=message):
        vc.Bonds(spring(knots), mesh=mesh)


def test_edges_between_two_groups_and_two_kinds_of_rows_are_refused():
    system = vc.System("net")
    knots, posts = (system.add_many(vc.MassPoint(name, 0.1), 5) for name in ("knot", "post"))
    with pytest.raises(ModelError, match="edges and faces of a mesh have no first corner"):
        vc.Bonds(vc.Spring("r", knots, posts, stiffness=1.0), mesh=[(0, 1, 2)])
    with pytest.raises(ModelError, match=r"give either over=, .* or cutoff=, a distance, or mesh="):
        vc.Bonds(spring(knots), over=[(0, 1)], mesh=[(0, 1, 2)])
    assert np.array_equal(vc.Bonds(vc.Spring("r", knots, posts, stiffness=1.0), mesh=[(0, 1)]).over, [[0, 1]])
