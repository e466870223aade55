"""Bodies that roll, by Newton's and Euler's equations alone, and the same bodies as systems."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import vinculum as vc

UP = np.array([0.0, 0.0, 1.0])
G = 9.81
MASS, RADIUS = 1.3, 0.4
THIN = np.array([0.25, 0.5, 0.25]) * MASS * RADIUS**2


def star(a) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def spin_rate(mass, inertia, arm, R, w, g=G):
    """Angular acceleration (3,) of a body that rolls on z = 0, in world axes, and its arm to the contact."""
    p, p_dot = arm(R, w)
    I, P = R @ (np.diag(inertia) if np.ndim(inertia) == 1 else inertia) @ R.T, star(p)
    known = mass * (-np.cross(w, p_dot) + g * UP)  # a = −ẇ × p − w × ṗ keeps v = −w × p
    return np.linalg.solve(I - mass * P @ P, P @ known - np.cross(w, I @ w)), p


def rolled(mass, inertia, arm, R, w, x, times, g=G):
    """Attitudes (T, 3, 3), angular velocities (T, 3) and mass centers (T, 3), in world axes, of a body that rolls on z = 0.

    ``inertia``: (3,) principal moments or (3, 3) in the body's axes; ``arm(R, w)``: from the mass center to the contact, and its rate.
    """

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:12]
        a, p = spin_rate(mass, inertia, arm, R, w, g)
        return np.concatenate([(star(w) @ R).ravel(), a, -np.cross(w, p)])

    start = np.concatenate([np.ravel(R), w, x])
    y = solve_ivp(rate, (times[0], times[-1]), start, "DOP853", times, rtol=1e-13, atol=1e-13).y.T
    return y[:, :9].reshape(-1, 3, 3), y[:, 9:12], y[:, 12:]


def disc_arm(radius):
    """Of a thin disc across the second axis of its body, with its rate."""

    def arm(R, w):
        e = R[:, 1]
        s, s_dot = UP - e[2] * e, -np.cross(w, e)[2] * e - e[2] * np.cross(w, e)
        n = np.linalg.norm(s)
        return -radius * s / n, -radius * (s_dot / n - s * (s @ s_dot) / n**3)

    return arm


def sphere_arm(radius, offset):
    """Of a sphere whose mass center is at −offset on the third axis of its body."""

    def arm(R, w):
        return offset * R[:, 2] - radius * UP, offset * np.cross(w, R[:, 2])

    return arm


def ellipsoid_arm(semi_axes, com=(0.0, 0.0, 0.0)):
    """Of an ellipsoid about the origin of its body, whose mass center is at ``com``."""
    A = np.diag(np.square(semi_axes))

    def arm(R, w):
        S, aside = R @ A @ R.T, R @ np.asarray(com)
        n = np.sqrt(UP @ S @ UP)
        S_dot = star(w) @ S - S @ star(w)
        rate = -S_dot @ UP / n + S @ UP * (UP @ S_dot @ UP) / (2 * n**3)
        return -S @ UP / n - aside, rate - np.cross(w, aside)

    return arm


def placed(R, w, center, com=(0.0, 0.0, 0.0), v=(0.0, 0.0, 0.0)) -> vc.At:
    """The start of a free body with its mass center, velocity of it, and angular velocity, in world axes."""
    quaternion = Rotation.from_matrix(R).as_quat()[[3, 0, 1, 2]]
    arm = R @ np.asarray(com)
    origin, velocity = center - arm, np.asarray(v) - np.cross(w, arm)
    return vc.At((*origin, *quaternion), rate=(*(R.T @ velocity), *(R.T @ w)))


def turned(yaw, lean, spin) -> np.ndarray:
    return Rotation.from_euler("ZXY", [yaw, lean, spin]).as_matrix()


def disc_spin(angles, rates) -> np.ndarray:
    """Angular velocity of a disc with yaw, lean and spin, in world axes."""
    L = turned(angles[0], angles[1], 0.0)
    return rates[0] * UP + rates[1] * L[:, 0] + rates[2] * L[:, 1]


def disc(realization=None, gravity=G) -> vc.System:
    system = vc.System("rolling disc", gravity=(0, 0, -gravity))
    body = system.add(vc.RigidBody("disc", MASS, inertia=THIN))
    system.add(
        vc.constraints.Rolling.disc("rolling", body, RADIUS, axis=(0, 1, 0), realization=realization or vc.DAlembert())
    )
    return system


def disc_start(angles, rates) -> dict[str, vc.At]:
    R, w = turned(*angles), disc_spin(angles, rates)
    arm = -RADIUS * turned(angles[0], angles[1], 0.0)[:, 2]
    return {"disc": placed(R, w, -arm, v=-np.cross(w, arm))}


def offset_sphere(mass, inertia, radius, offset, realization, **contact) -> vc.System:
    system = vc.System("sphere with its mass center aside", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("ball", mass, com=(0, 0, -offset), inertia=inertia))
    system.add(vc.constraints.Rolling.sphere("rolling", body, radius, realization=realization, **contact))
    return system
