"""Discs and columns that stand on a tilted floor up to the limit at which no reactions hold them any more."""

import numpy as np
import pytest
from scipy.optimize import linprog

import vinculum as vc

G, MU, H = 9.81, 0.5, 1e-3
FACETS = 64


def standing(radius: float, height: float, tilt: float) -> vc.Motion:
    """A cylinder on its face on a floor that gravity is tilted against, over twenty steps from rest."""
    system = vc.System("disc", gravity=(G * np.sin(tilt), 0, -G * np.cos(tilt)))
    body = system.add(vc.RigidBody.solid("body", vc.shapes.Cylinder(radius, height), density=1000))
    system.add(
        vc.Contact(
            "floor", [body], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=vc.Coulomb(MU)
        )
    )
    system.add(
        vc.Unilateral("ceiling", [body], gap=lambda b: 9.0 - b.position[2], impact=vc.Inelastic())
    )  # as a tree it keeps its contacts
    start = {"body": vc.Pose((0, 0, height / 2))}
    return vc.simulate(system, 20 * H, start, method="moreau", step=H, progress=False)


def is_held(places: np.ndarray, height: float, tilt: float) -> bool:
    """Whether forces in the cones of contacts at ``places`` (c, 3) balance a weight of one: if not, some way out gains (Farkas).

    The circle of a cone is a polygon with a corner along the slope, which is exact there.
    """
    turns = 2.0 * np.pi * np.arange(FACETS) / FACETS
    rays = np.stack([MU * np.cos(turns), MU * np.sin(turns), np.ones(FACETS)], axis=1)
    forces = np.tile(rays, (len(places), 1))
    arms = np.repeat(places, FACETS, axis=0) - [0.0, 0.0, height / 2]
    A = np.concatenate([forces, np.cross(arms, forces)], axis=1).T
    b = np.array([-np.sin(tilt), 0.0, np.cos(tilt), 0.0, 0.0, 0.0])
    return linprog(np.zeros(A.shape[1]), A_eq=A, b_eq=b, method="highs").status == 0


@pytest.mark.parametrize(("radius", "height"), [(0.3, 0.1), (0.1, 0.5)], ids=["slides", "topples"])
def test_a_disc_stands_up_to_the_tilt_at_which_no_reactions_hold_it(radius, height):
    level = standing(radius, height, 0.0).record.atoms.meetings
    places = level.places[level.atoms == level.atoms[-1]]
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_held(places, height, middle) else (low, middle)
    whole = min(MU, 2 * radius / height)
    assert np.tan(high) == pytest.approx(whole, rel=0.15) and np.tan(high) <= whole * (1 + 1e-3)
    held, lost = (standing(radius, height, part * high) for part in (0.99, 1.01))
    assert np.abs(held.v[-1]).max() < 1e-9
    assert np.abs(lost.v[-1]).max() > 1e-4
