"""Rigid motions superposed on a whole system, and whether an energy notices them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds import Action, BodyView, PairAction, end_name
from vinculum.scalars import Scalar, value
from vinculum.screws import Pose, exp
from vinculum.systems.acting import Held, described, free_views, numbers_at
from vinculum.systems.action_checks import CHECKED_OF_PAIRS

SAMPLES = 6
UNNOTICED = 1e-9


def superposed(view: BodyView, S, s) -> BodyView:
    """A body after the superposed rigid motion x⁺ = S x + s, R⁺ = S R, without its velocities.

    O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (8).
    """
    R = S @ view.X_WB.R if view.turns else view.X_WB.R
    return replace(view, X_WB=Pose.of(R, S @ view.X_WB.p + s))


def in_moving_frame(view: BodyView, S, s, s_dot, spin) -> BodyView:
    """A body after a superposed rigid motion that moves: v⁺ = S v + ṡ + ω_S × (x⁺ − s), ω⁺ = ω_S + S ω. (9)."""
    there = superposed(view, S, s)
    assert not isinstance(view.motion, str)
    v, w = view.motion
    return replace(there, motion=(S @ v + s_dot + np.cross(spin, there.X_WB.p - s), spin + S @ w))


def notices_frame(held: Held, bodies: Sequence[Body | None], t: float = 0.7) -> bool:
    """Whether a constraint on bodies changes when all of them move rigidly together: then its efforts come from outside.

    Joints see relative places alone. O'Reilly and Srinivasa, (19).
    """
    if any(kind == "joint" for kind, _ in held.things):
        return False
    constraint, rng = held.constraint, np.random.default_rng(9)
    for _ in range(SAMPLES):
        views = random_views(bodies, rng)
        S, s, s_dot, spin = np.asarray(exp(rng.normal(size=3))), *rng.normal(size=(3, 3))
        there = [in_moving_frame(view, S, s, s_dot, spin) for view in views]
        with np.errstate(all="ignore"):
            before, after = (np.asarray(value(constraint.values(at, t)), dtype=float) for at in (views, there))
        if not np.allclose(
            before, after, rtol=0, atol=UNNOTICED * max(1.0, np.abs(before).max(), np.abs(after).max()), equal_nan=True
        ):
            return True
    return False


def notices_place(action: Action, bodies: Mapping[str, Body]) -> bool:
    """Whether an energy changes when all bodies (and the ground, where it is one of them) move rigidly together."""
    listed = action.ends[:CHECKED_OF_PAIRS] if isinstance(action, PairAction) else action.ends
    ends = [bodies.get(end_name(end)) for end in listed]
    free = free_views(ends)
    energy = action.energy_at(free.still, free.t)
    if not isinstance(energy, Scalar):
        return False
    rng, leaves = np.random.default_rng(8), free.leaves()
    for _ in range(SAMPLES):
        views, t = random_views(ends, rng), rng.uniform(0.2, 1.5)
        S, s = exp(rng.normal(size=3)), rng.normal(size=3)
        there = [superposed(view, S, s) for view in views]
        before, after = (
            numbers_at([energy], dict(zip(map(id, leaves), free.values(at, t), strict=True)))[0]
            for at in (views, there)
        )
        slack = UNNOTICED * max(abs(before), abs(after), np.finfo(float).tiny)
        if np.isfinite(before) and np.isfinite(after) and abs(after - before) > slack:
            return True
    return False


def random_views(ends: Sequence[Body | None], rng) -> list[BodyView]:
    """Bodies, None for the ground, at random places and in random motions."""
    views = []
    for body in ends:
        name, mass, com, turns = described(body)
        R = np.asarray(exp(rng.normal(size=3))) if turns else np.eye(3)
        motion = rng.normal(size=3), rng.normal(size=3)
        views.append(BodyView(name, value(mass), Pose.of(R, rng.normal(size=3)), np.asarray(value(com)), motion, turns))
    return views
