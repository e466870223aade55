"""The woodpecker toy: a sleeve that jams and slides on a pole, and a bird on a spring (Glocker, Dynamik von Starrkörpersystemen mit Reibung
und Stößen, 1995, p. 162; Leine, Van Campen and Glocker, J. Vib. Control 9 (2003) 25).

The published equations are linear in the angles. Here every arm is longer by ``LONG`` and every angle as much smaller, with inertias and
the spring to match, so that the same equations hold for true rotations.
"""

import numpy as np

import vinculum as vc

LONG = 1e4
POLE, SLEEVE, HALF, ARM = 2.5e-3, 3.1e-3, 5.8e-3, 1.0e-2
REACH, BEAK_HEIGHT, BEAK_BACK = 1.5e-2, 2.0e-2, 2.01e-2
SPRING, MASSES, INERTIAS, G = 5.6e-3, (3.0e-4, 4.5e-3), (5.0e-9, 7.0e-7), 9.81
ANGLES, RATES = (-0.1036, -0.2788), (-0.3411, 0.0, -7.4583)
"""A published point of the limit cycle: angles of sleeve and bird; rates of the sleeve's height and of both angles."""
START = {"slide": vc.At(0.0, rate=RATES[0]), "turn": vc.At(-0.6 / 5.8 / LONG * (1 - 1e-5), rate=0.0),
         "nod": vc.At((ANGLES[1] - ANGLES[0]) / LONG, rate=RATES[2] / LONG)}  # fmt: skip


def woodpecker() -> vc.System:
    system = vc.System("woodpecker", gravity=(0, -G, 0))
    carriage = system.add(vc.RigidBody("carriage", 1e-10, inertia=(1e-12, 1e-12, 1e-12)))
    sleeve = system.add(vc.RigidBody("sleeve", MASSES[0], inertia=(INERTIAS[0] * LONG**2,) * 3))
    bird = system.add(vc.RigidBody("bird", MASSES[1], com=(REACH * LONG, 0, 0), inertia=(INERTIAS[1] * LONG**2,) * 3))
    system.add(vc.Prismatic("slide", "ground", carriage, axis=(0, 1, 0)))
    system.add(vc.Revolute("turn", carriage, sleeve, axis=(0, 0, 1)))
    system.add(vc.Revolute("nod", sleeve, bird, axis=(0, 0, 1), at=(ARM * LONG, 0, 0), stiffness=SPRING * LONG**2))
    beak = ARM + REACH - BEAK_BACK
    places = {"beak": (bird, (REACH - BEAK_BACK, BEAK_HEIGHT), beak, 0.5), "low edge": (sleeve, (SLEEVE, -HALF), SLEEVE, 0.0),
              "high edge": (sleeve, (SLEEVE, HALF), SLEEVE, 0.0)}  # fmt: skip
    for name, (body, (x, y), away, e) in places.items():
        at = lambda b, p=(x * LONG, y * LONG, 0): b.point(p)
        gap = lambda b, at=at, away=away: at(b)[0] - away * LONG + (away - POLE)
        system.add(vc.Unilateral(name, [body], gap=gap, point=at, impact=vc.Newton(e), friction=vc.Coulomb(0.3)))
    return system


def by_hand(h: float, until: float) -> np.ndarray:
    """The published equations by Moreau's scheme in NumPy alone: rows (t, q, u, normal impulses of beak, low and high edge)."""
    (m, mb), (J, Jb) = MASSES, INERTIAS
    M = np.array([[m + mb, mb * ARM, mb * REACH], [mb * ARM, J + mb * ARM**2, mb * ARM * REACH],
                  [mb * REACH, mb * ARM * REACH, Jb + mb * REACH**2]])  # fmt: skip
    K, weight = np.linalg.inv(M), -G * np.array([m + mb, mb * ARM, mb * REACH])
    normal = np.array([[0, 0, -BEAK_HEIGHT], [0, HALF, 0], [0, -HALF, 0]])
    along = np.array([[1, ARM, REACH - BEAK_BACK], [1, SLEEVE, 0], [1, SLEEVE, 0]])
    open_by = np.array([ARM + REACH - BEAK_BACK - POLE, SLEEVE - POLE, SLEEVE - POLE])
    e, rows = np.array([0.5, 0.0, 0.0]), []
    q, u = np.array([0.0, -0.6 / 5.8, -0.6 / 5.8 + ANGLES[1] - ANGLES[0]]), np.array(RATES)
    for k in range(round(until / h)):
        middle = q + h / 2 * u
        bent = SPRING * (middle[2] - middle[1])
        free = u + h * K @ (weight + [0, bent, -bent])
        hit = np.flatnonzero(open_by + normal @ middle <= 0.0)
        P, W = np.zeros(2 * len(hit)), np.zeros((0, 0))
        pressed = np.zeros(3)
        if len(hit):
            rows_of = np.stack([normal[hit], along[hit]], axis=1).reshape(-1, 3)
            W, speeds = rows_of @ K @ rows_of.T, rows_of @ free
            target = -e[hit] * np.minimum(normal[hit] @ u, 0.0)
            for _ in range(3000):
                before = P.copy()
                for i in range(len(hit)):
                    P[2 * i] = max(0.0, P[2 * i] - (W[2 * i] @ P + speeds[2 * i] - target[i]) / W[2 * i, 2 * i])
                    j, limit = 2 * i + 1, 0.3 * P[2 * i]
                    P[j] = min(max(P[j] - (W[j] @ P + speeds[j]) / W[j, j], -limit), limit)
                if np.abs(P - before).max() <= 1e-13 * np.abs(P).max():
                    break
            free = free + K @ rows_of.T @ P
            pressed[hit] = P[::2]
        q, u = q + h / 2 * (u + free), free
        rows.append(np.concatenate([[(k + 1) * h], q, u, pressed]))
    return np.array(rows)
