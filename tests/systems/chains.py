"""Chains of capsules hung over a horizontal drum, rebuilt from their dimensions."""

import numpy as np
from scipy.optimize import linprog

import vinculum as vc

G, RADIUS, THICK, BENDS = 9.81, 0.29, 0.01, 20
AXIS = RADIUS + THICK
BEND = np.pi / BENDS
HALF = AXIS * np.tan(BEND / 2)
"""Half the length between two hinges: links that touch the drum with their middles are sides of a polygon about it."""
FLAT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))


def chain(links: int, short: int, mu: float) -> tuple[vc.System, dict, list[int]]:
    """A chain with ``short`` links that hang on the left of the drum, its start at rest, and which links touch.

    The link on top is free in the plane x, z; hinges lead from it to both ends.
    """
    system = vc.System("chain", gravity=(0, 0, -G))
    capsule = vc.shapes.Capsule(THICK, 2 * HALF)
    bodies = [system.add(vc.RigidBody.solid(f"link {k}", capsule, density=1000)) for k in range(links)]
    top = short + BENDS // 2
    system.add(vc.Planar("plane", "ground", bodies[top], at=FLAT, to=FLAT))
    angles = np.clip((np.arange(links) - top) * BEND, -np.pi / 2, np.pi / 2) + np.pi / 2
    start = {"plane": (0.0, AXIS, -angles[top])}
    for k in range(top + 1, links):
        system.add(
            vc.Revolute(f"hinge {k}", bodies[k - 1], bodies[k], axis=(0, 1, 0), at=(0, 0, HALF), to=(0, 0, -HALF))
        )
        start[f"hinge {k}"] = angles[k] - angles[k - 1]
    for k in range(top - 1, -1, -1):
        system.add(
            vc.Revolute(f"hinge {k}", bodies[k + 1], bodies[k], axis=(0, 1, 0), at=(0, 0, -HALF), to=(0, 0, HALF))
        )
        start[f"hinge {k}"] = angles[k] - angles[k + 1]
    turned = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
    drum = vc.shapes.FixedSolid(vc.shapes.Cylinder(RADIUS, 1.0), turned)
    friction = vc.Coulomb(mu) if mu else None
    system.add(vc.Contact("drum", bodies, walls=[drum], impact=vc.Inelastic(), friction=friction))
    return system, start, list(range(short, short + BENDS + 1))


def by_hand(links: int, short: int) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of mass centers (links, 2) and of angles (links,) as a chain without friction starts from rest, in NumPy alone.

    Three equations for every link, two for every hinge, and one for every link that touches and presses.
    """
    n, top = links, short + BENDS // 2
    phi = np.clip((np.arange(n) - top) * BEND, -np.pi / 2, np.pi / 2)
    along = np.stack([np.cos(phi), -np.sin(phi)], axis=1)
    volume, rod = 4 / 3 * np.pi * THICK**3, np.pi * THICK**2 * 2 * HALF
    mass = 1000 * (volume + rod)
    ends = volume * (83 / 320 * THICK**2 + (HALF + 3 / 8 * THICK) ** 2)
    inertia = 1000 * (rod * ((2 * HALF) ** 2 / 12 + THICK**2 / 4) + ends)
    M = np.diag(np.tile([mass, mass, inertia], n))
    weight = np.tile([0.0, -mass * G, 0.0], n)
    rows = []
    for k in range(n - 1):
        for axis in range(2):
            row = np.zeros(3 * n)
            for i, side in ((k, 1.0), (k + 1, -1.0)):
                row[3 * i + axis] = side
                turned = HALF * np.array([along[i, 1], -along[i, 0]])  # about y, from z to x
                row[3 * i + 2] = turned[axis]
            rows.append(row)
    touching = list(range(short, short + BENDS + 1))
    while True:
        walls = np.zeros((len(touching), 3 * n))
        for r, k in enumerate(touching):
            walls[r, 3 * k : 3 * k + 2] = np.sin(phi[k]), np.cos(phi[k])
        J = np.concatenate([rows, walls])
        K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        found = np.linalg.solve(K, np.concatenate([weight, np.zeros(len(J))]))
        pressure = found[3 * n + len(rows) :]
        if pressure.min() >= 0.0:
            return found[: 3 * n].reshape(n, 3)[:, :2], found[: 3 * n].reshape(n, 3)[:, 2]
        touching.pop(int(np.argmin(pressure)))


def least_friction(links: int, short: int) -> float:
    """The smallest μ at which some reactions hold the chain at rest, in SciPy alone: the capstan's limit for links in place of a rope."""
    low, high = 0.0, 2.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _is_held(links, short, middle) else (middle, high)
    return high


def _is_held(links: int, short: int, mu: float) -> bool:
    """Whether forces in hinges and reactions of the drum within the cones balance links of weight one: a linear program.

    Two equations and a moment for every link; friction acts at its surface, a thickness from its axis.
    """
    n, count = links, BENDS + 1
    phi = np.clip((np.arange(n) - short - BENDS // 2) * BEND, -np.pi / 2, np.pi / 2)
    along, out = np.stack([np.cos(phi), -np.sin(phi)], axis=1), np.stack([np.sin(phi), np.cos(phi)], axis=1)
    first, size = 2 * (n - 1), 2 * (n - 1) + 2 * count
    A, b = np.zeros((3 * n, size)), np.tile([0.0, 1.0, 0.0], n)
    for k in range(n):
        for hinge, side in ((k, 1.0), (k - 1, -1.0)):
            if 0 <= hinge < n - 1:
                own = slice(2 * hinge, 2 * hinge + 2)
                A[3 * k : 3 * k + 2, own] = side * np.eye(2)
                A[3 * k + 2, own] = HALF * np.array([-along[k, 1], along[k, 0]])
        if 0 <= k - short < count:
            N, F = first + k - short, first + count + k - short
            A[3 * k : 3 * k + 2, N], A[3 * k : 3 * k + 2, F] = out[k], along[k]
            A[3 * k + 2, F] = THICK * (out[k, 1] * along[k, 0] - out[k, 0] * along[k, 1])
    normal, friction = first + np.arange(count), first + count + np.arange(count)
    cones = np.zeros((2 * count, size))
    for rows, sign in ((np.arange(count), 1.0), (count + np.arange(count), -1.0)):
        cones[rows, friction], cones[rows, normal] = sign, -mu
    free = (None, None)
    bounds = [free] * first + [(0.0, None)] * count + [free] * count
    return linprog(np.zeros(size), cones, np.zeros(2 * count), A, b, bounds, method="highs").status == 0
