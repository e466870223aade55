"""A corner slides on the floor while the other one hits: both take part in the impact, whose impulses are enumerated by hand."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import vinculum as vc
from scenes import UPRIGHT
from vinculum.audits.impacts.lines import impact_lines
from vinculum.audits.impacts.seen_impacts import impacts

MASS, INERTIA, HALF, LOW, E, MU = 1.0, 0.01, 0.18, 0.06, 0.6, 0.77
INVERSE = np.diag([1.0 / MASS, 1.0 / MASS, 1.0 / INERTIA])
PLACES = (HALF, 0, -LOW), (-HALF, 0, -LOW)


def _tipping(impact):
    """A block in the plane that slides on its first corner and tips on its second."""
    system = vc.System("tipping", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("block", mass=MASS, inertia=(INERTIA,) * 3))
    system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
    for k, p in enumerate(PLACES):
        where = lambda b, p=p: b.point(p)
        gap = lambda b, at=where: at(b)[2]
        system.add(vc.Unilateral(f"corner {k}", [body], gap=gap, impact=impact, friction=vc.Coulomb(MU), point=where))
    angle, turn = -0.02, 0.8
    height = HALF * np.sin(-angle) + LOW * np.cos(angle)
    rise = -turn * (HALF * np.cos(angle) + LOW * np.sin(angle))
    return system, {"plane": vc.At((0, height, angle), rate=(0.5, rise, turn))}


def _rows(angle: float) -> np.ndarray:
    """Normal and tangent of both corners over the rates of (x, z, angle)."""
    c, s = np.cos(angle), np.sin(angle)
    rows = []
    for x, _, z in PLACES:
        rows += [(0.0, 1.0, x * c - z * s), (1.0, 0.0, -x * s - z * c)]
    return np.array(rows)


def _solutions(J: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
    """All impulses (4,) that obey Newton's law and Coulomb's, with every corner open, sticking or sliding to either side."""
    W, u, found = J @ INVERSE @ J.T, J @ v, []
    for states in product(("open", "sticks", 1.0, -1.0), repeat=2):
        A, b = np.zeros((4, 4)), np.zeros(4)
        for n, state in zip((0, 2), states, strict=True):
            A[n], b[n] = W[n], -u[n] - E * min(u[n], 0.0)
            A[n + 1], b[n + 1] = W[n + 1], -u[n + 1]
            if state == "open":
                A[n : n + 2], b[n : n + 2] = np.eye(4)[n : n + 2], 0.0
            elif state != "sticks":
                A[n + 1], b[n + 1] = np.eye(4)[n + 1] + state * MU * np.eye(4)[n], 0.0
        P = np.linalg.lstsq(A, b, rcond=None)[0]
        after = u + W @ P
        if np.abs(A @ P - b).max() > 1e-12:
            continue
        obeyed = all(
            after[n] + E * min(u[n], 0.0) >= -1e-12
            if state == "open"
            else P[n] >= -1e-12
            and (abs(P[n + 1]) <= MU * P[n] + 1e-12 if state == "sticks" else state * after[n + 1] >= -1e-12)
            for n, state in zip((0, 2), states, strict=True)
        )
        if obeyed and not any(np.allclose(P, other) for other in found):
            found.append(P)
    return found


def _first_hit(motion):
    """The first impact of the second corner: its number, and what is known of all impacts."""
    found = impacts(motion.record)
    k = int(np.flatnonzero((found.impulses[:, 1, 0] > 0.0) & (found.step <= 0.0))[0])
    return k, found


@pytest.mark.parametrize(
    "options", [{"method": "dop853"}, *({"method": "moreau", "step": h} for h in (1e-3, 2e-4, 1e-5))]
)
def test_a_corner_that_slides_takes_part_in_the_impact_of_the_next(options):
    system, start = _tipping(vc.Newton(E))
    motion = vc.simulate(system, 0.03, start, progress=False, **options)
    k, found = _first_hit(motion)
    (P,) = _solutions(_rows(found.left[k, 2]), found.left[k, 3:])
    assert P[0] > 0.1 * P[2] > 0.0
    assert found.impulses[k, :, :2].ravel() == pytest.approx(P, abs=1e-9 * P.max())
    assert motion.audit().passed


@pytest.mark.parametrize("h", [1e-3, 2e-4, 1e-5])
def test_an_impact_without_a_corner_that_pressed_until_then_breaks_the_law(h):
    system, start = _tipping(vc.Newton(E))
    k, found = _first_hit(vc.simulate(system, 0.03, start, method="moreau", step=h, progress=False))
    J, v = _rows(found.left[k, 2])[2:], found.left[k, 3:]
    normal = -(1.0 + E) * (J[0] @ v) / (J[0] @ INVERSE @ (J[0] - MU * J[1]))
    after = v + INVERSE @ (J.T @ (normal, -MU * normal))
    assert J[1] @ after > 0.0
    P, right, ends = found.contact_impulses.copy(), found.right.copy(), found.after.copy()
    P[k], right[k, 3:], ends[k] = (0, 0, 0, normal, -MU * normal, 0), after, after
    lines = impact_lines(replace(found, contact_impulses=P, right=right, after=ends))
    (line,) = [line for line in lines if line.verdict != "holds"]
    assert line.law == "impact law" and "corner 0" in line.detail
