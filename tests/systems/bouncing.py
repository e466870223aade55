"""Motions with impacts in closed form, as kinetic measures and efforts: rebuilt by hand for tests."""

import numpy as np

import vinculum as vc

G, HEIGHT, MASS = 9.81, 1.0, 1.3
FIRST = np.sqrt(2 * HEIGHT / G)
FAST = np.sqrt(2 * G * HEIGHT)


def falling(t0: float, z0: float, v0: float):
    """A point thrown in the plane (y, z) at an instant, with a steady y' = 0.7."""

    def path(t):
        s = t - t0
        x = np.stack([0.7 * t, z0 + v0 * s - 0.5 * G * s**2], axis=1)
        return x, np.stack([np.full_like(t, 0.7), v0 - G * s], axis=1)

    return path


def resting(t):
    return np.stack([0.7 * t, np.zeros_like(t)], axis=1), np.stack([np.full_like(t, 0.7), np.zeros_like(t)], axis=1)


def bouncing(e: float, hits: int = 3, wrong: float = 1.0):
    """Kinetic measure, efforts (weight and impulses) and instants of a ball dropped from 1 m; ``wrong`` scales velocities after the
    first hit but leaves the impulses as they should be."""
    paths, edges, speed = [falling(0.0, HEIGHT, 0.0)], [0.0, FIRST], FAST
    instants, contact_impulses = [], []
    for k in range(hits):
        up = e * speed
        instants.append(edges[-1])
        contact_impulses.append((0.0, MASS * (speed + up)))
        if up == 0.0:
            paths.append(resting)
            edges.append(edges[-1] + 0.6)
            break
        paths.append(falling(edges[-1], 0.0, up * (wrong if k == 0 else 1.0)))
        edges.append(edges[-1] + 2 * up / G)
        speed = up
    measure = vc.measures.KineticMeasure.trajectory(paths, edges, MASS)

    def weight(t, xi, u):
        force = np.zeros((len(t), 2))
        force[:, 1] = -MASS * G
        if e == 0.0:
            force[t > FIRST] = 0.0  # the floor carries it
        return force

    return measure, vc.measures.EffortMeasure.along(measure, weight, instants, contact_impulses), np.array(instants)


def bumps(rng, instants, count: int = 20, width: float = 0.3):
    """Bumps about instants of the ball's way, wide enough in space to see it."""
    chosen = rng.choice(instants, count)
    return [vc.measures.Bump.random(rng, (t, 0.7 * t, 0.2), (width, 3.0, 3.0)) for t in chosen]
