"""Bodies that deform are drawn as they are: in scenes, pictures, films and pages."""

import numpy as np
import pytest

import browser as browsers
import vinculum as vc
from vinculum.show.by_type import scene_of
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.page.page import page_text
from vinculum.show.render.film import _between
from vinculum.show.scene import matrices


def stretched():
    """A soft block, a flat body, a rod-like one and a rigid one."""
    system = vc.System("soft")
    material = vc.energies.NeoHookean(0.1, 300.0, 100.0)
    system.add(vc.AffineBody.solid("block", vc.shapes.Box((0.4, 0.3, 0.2)), mass=1.0, energy=material))
    system.add(vc.AffineBody("flat", 1.0, (0.02, 0.01), energy=material, dimension=2))
    system.add(vc.AffineBody("rod", 1.0, [0.02], energy=material, dimension=1))
    system.add(vc.RigidBody.solid("stone", vc.shapes.Box((0.1, 0.2, 0.3)), mass=1.0))
    turn = np.array([[0, -2.0, 0], [2.0, 0, 1.0], [0, -1.0, 0]])
    start = {
        "block": vc.At(((0, 0, 0), np.diag([1.4, 0.8, 1.0])), ((0, 0, 0), turn)),
        "flat": vc.At(((1, 0, 0), [[1, 0], [0.2, 1], [0, 0.3]])),
        "rod": vc.At(((0, 1, 0), [[1.2], [0.3], [0.1]])),
        "stone": vc.At((0, 0, 1), (0, 0, 0, 1, 2, 3)),
    }
    return vc.simulate(system, 0.5, start)


@pytest.fixture(scope="module")
def motion():
    return stretched()


def test_points_of_a_scene_are_those_of_the_bodies(motion):
    scene = scene_of(motion.record, Wanted(frames=7))
    grid = motion.at(scene.poses.time)
    for k, name in enumerate(scene.bodies):
        for place in ((0.2, 0.0, 0.0), (0.2, 0.15, 0.0), (0.2, 0.15, 0.1)):
            if (name == "flat" and place[2]) or (name == "rod" and place[1]):
                continue
            drawn = scene.poses.points(k, np.array(place))
            assert np.abs(drawn - grid.body(name).point(place).position).max() < 1e-12, (name, place)
    K = scene.poses.carriers_at()
    assert np.all(np.linalg.det(K) > 0.0)
    # a flat body has its thickness across, a rod in both directions
    assert np.allclose(np.linalg.norm(K[:, 1, :, 2], axis=1), 1.0) and np.allclose(
        np.linalg.norm(K[:, 2, :, 1:], axis=1), 1.0
    )


def test_films_go_between_deformations_and_pictures_are_drawn(motion, tmp_path):
    scene = scene_of(motion.record, Wanted(frames=5))
    between = _between(scene, scene.poses.time[:-1] + 0.5 * np.diff(scene.poses.time))
    known = 0.5 * (scene.poses.carriers[1:] + scene.poses.carriers[:-1])
    assert np.abs(between.poses.carriers - known).max() < 1e-12
    motion.plot.picture(0.0, tmp_path / "soft.png")
    assert (tmp_path / "soft.png").stat().st_size > 1000


def test_a_motion_without_deformation_has_rotations_alone():
    system = vc.System("stone")
    system.add(vc.RigidBody.solid("stone", vc.shapes.Box((0.1, 0.2, 0.3)), mass=1.0))
    scene = scene_of(vc.simulate(system, 0.5, {"stone": vc.At(rate=(0, 0, 0, 1, 2, 3))}).record, Wanted(frames=3))
    assert scene.poses.carriers is None
    assert np.array_equal(scene.poses.carriers_at(), matrices(scene.poses.quaternions))


@pytest.mark.skipif(browsers.FOUND is None, reason="Chromium is not installed")
def test_a_page_carries_the_points_of_a_body_that_deforms(motion, tmp_path):
    (tmp_path / "soft.html").write_text(page_text(scene_of(motion.record, Wanted())), encoding="utf-8")
    with browsers.Browser() as page:
        page.open(tmp_path / "soft.html")
        for t in (0.0, 0.31):
            page.run(f"window.vinculum.seek({t})")
            elements = page.run("Array.from(window.vinculum.world.bodies[0].elements)")
            K = np.array(elements).reshape(4, 4).T[:3, :3]
            assert np.abs(K - motion.at([t]).body("block").affine.deformation[0]).max() < 1e-3
        assert not page.errors
