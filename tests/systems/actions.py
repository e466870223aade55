"""Random potentials, forces and interactions between the bodies of a system."""

import numpy as np

import vinculum as vc
from vinculum.bonds import Action, BodyView
from vinculum.bonds.body_view import make_view
from vinculum.screws import Pose, exp

KINDS = ("springs", "attitudes", "three bodies", "field", "clock", "damper", "drag", "pairs")


def add_random_actions(system: vc.System, rng, count: int, kinds=KINDS) -> list[Action]:
    """``count`` actions of random kinds between random bodies that turn, or the ground."""
    bodies = [body for body in system.bodies.values() if body.turns]
    added = []
    for i in range(count):
        kind = kinds[rng.integers(len(kinds))]
        chosen = [bodies[k] for k in rng.permutation(len(bodies))]
        partner = chosen[1] if len(chosen) > 1 and rng.random() < 0.7 else "ground"
        added.append(system.add(random_action(rng, kind, f"{kind} {i}", chosen, partner)))
    return added


def random_action(rng, kind: str, name: str, chosen: list, partner) -> Action:
    a, b, k = rng.normal(size=3), rng.normal(size=3), rng.uniform(0.5, 2.0)
    if kind == "springs":
        return vc.Potential(name, [chosen[0], partner], lambda A, B: stretched(A.point(a) - B.point(b), k))
    if kind == "attitudes":
        return vc.Potential(
            name, [chosen[0], partner], lambda A, B: k * vc.math.sin(a @ (A.rotation.T @ B.rotation @ b))
        )
    if kind == "three bodies":
        return vc.Potential(name, [*chosen[:2], "ground"], lambda *all_of_them: mixed(all_of_them, a, k))
    if kind == "field":
        return vc.Potential(name, [chosen[0]], lambda A: k * vc.math.cos(A.point(a) @ b) + a @ (A.rotation @ b))
    if kind == "clock":
        return vc.Potential(
            name, [chosen[0], partner], lambda A, B, t: vc.math.cos(3.0 * t) * stretched(A.center - B.point(b), k)
        )
    if kind == "damper":
        return vc.Interaction(name, chosen[0], partner, lambda A, B: dashpot(A, B, a, b, k))
    if kind == "drag":
        return vc.Force(name, chosen[0], lambda A, t: vc.Wrench(force=-k * A.velocity + a * vc.math.sin(t),
                                                                moment=-0.1 * A.angular_velocity, at=b))  # fmt: skip
    return vc.potentials.PairPotential(
        name, [*chosen[:3], "ground"] if len(chosen) < 3 else chosen[:3],
        lambda A, B: A.weight * B.weight * stretched(A.center - B.center, k),
        numbers={"weight": rng.uniform(0.5, 1.5, min(len(chosen), 3) + (len(chosen) < 3))})  # fmt: skip


def stretched(d, k):
    return 0.5 * k * (vc.math.sqrt(1.0 + vc.math.dot(d, d)) - 1.0)


def mixed(views, a, k):
    first, last = views[0], views[-1]
    middle = views[len(views) // 2]
    return k * vc.math.exp(-0.1 * vc.math.dot(first.position - middle.center, first.rotation @ a)) + stretched(
        middle.position - last.point(a), k
    )


def dashpot(A, B, a, b, k):
    d = A.point(a) - B.point(b)
    slip = A.point_velocity(a) - B.point_velocity(b)
    return vc.Wrench(force=-k * slip + 0.1 * d, moment=-0.2 * k * (A.angular_velocity - B.angular_velocity), at=a)


def random_views(bodies, rng) -> list[BodyView]:
    """Bodies that turn, None for the ground, at random places and in random motions."""
    views = []
    for body in bodies:
        name, mass, com = ("ground", 0.0, np.zeros(3)) if body is None else (body.name, body.mass, body.center)
        motion = rng.normal(size=3), rng.normal(size=3)
        X = Pose.of(np.asarray(exp(rng.normal(size=3))), rng.normal(size=3))
        views.append(make_view(name, mass, X, com, motion, True))
    return views
