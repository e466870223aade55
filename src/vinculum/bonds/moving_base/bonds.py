"""Joints, constraints, unilateral constraints and impulses in another inertial frame."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import wraps

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds.actions import Action, call_with_views, end_name
from vinculum.bonds.body_view import BodyView, change_view
from vinculum.bonds.constraints import Constraint
from vinculum.bonds.constraints.constraint import LEVELS
from vinculum.bonds.impulse import Impulse
from vinculum.bonds.joints import Joint, argument_names
from vinculum.bonds.moving_base.views import base_view, old_ground, relative_view
from vinculum.bonds.unilaterals import Unilateral, contact_frame
from vinculum.errors import ModelError
from vinculum.measures.frames import ChangeOfFrame
from vinculum.screws import Wrench


def joint_on_base(joint: Joint, base: str, frame: ChangeOfFrame) -> Joint:
    """The same joint, with the base where it had the ground; its drive follows the old clock."""
    other, parent = copy(joint), end_name(joint.parent)
    object.__setattr__(other, "parent", base if parent == GROUND else parent)
    object.__setattr__(other, "child", end_name(joint.child))
    if joint.drive is not None and "t" in argument_names(joint.drive):
        object.__setattr__(other, "drive", _on_old_clock(joint.drive, frame.later))
    return other


def _on_old_clock(drive: Callable, later: float) -> Callable:
    @wraps(drive)
    def drive_force(**given):
        return drive(**{**given, "t": given["t"] - later})

    return drive_force


def constraint_on_base(constraint: Constraint, base: str, frame: ChangeOfFrame, joints: Sequence[str]) -> Constraint:
    """The same constraint on places and motions relative to the base; ``joints``: names of the joints in the system."""
    assert constraint.realization is not None
    wrenches = [one for one in constraint.realization.directions if isinstance(one, Action)]
    if wrenches:
        raise ModelError(
            f"constraint '{constraint.name}': its servo acts by {wrenches[0].called}, which is not available in another frame; name a "
            "joint as its direction"
        )
    names, level = constraint.names, LEVELS[constraint.level]
    function = _RelativeFunction(f"constraint '{constraint.name}'", constraint.function, names, frame.later, joints)
    return replace(constraint, bodies=function.ends(base), **{level: function.value_at})


def unilateral_on_base(unilateral: Unilateral, base: str, frame: ChangeOfFrame, joints: Sequence[str]) -> Unilateral:
    """The same unilateral constraint; the base takes the place of the ground. One between two bodies stays between them."""
    names, where = unilateral.names, unilateral.called
    fixed = frame if len(names) > 1 and GROUND not in names else None
    gap = _RelativeFunction(where, unilateral.gap, names, frame.later, joints, fixed)
    if unilateral.point is None:
        return replace(unilateral, bodies=gap.ends(base), gap=gap.value_at)
    point = _RelativeFunction(where, unilateral.point, names, frame.later, joints, fixed)

    def axes(*views, t):
        size, place, rows = contact_frame(unilateral, gap.relative(views, t), t - frame.later)
        return size, point.carry(place, views, t), rows @ gap.rotation(views, t).T

    return replace(unilateral, bodies=gap.ends(base), gap=gap.value_at, point=point.place_at, frame=axes)


def impulse_in_frame(impulse: Impulse, frame: ChangeOfFrame, joints: Sequence[str]) -> Impulse:
    """The same impulse at the same events."""
    at, wrench = [t + frame.later for t in impulse.at], impulse.wrench
    if impulse.struck in joints:
        seen = wrench
        if callable(wrench):
            own = wrench
            seen = lambda *views, t: call_with_views(impulse.called, own, list(views), t - frame.later)
        return replace(impulse, on=impulse.struck, wrench=seen, at=at)

    def wrench_at(*views, t):
        base = base_view(frame, t)
        given = wrench
        if callable(wrench):
            back = [relative_view(view, base) for view in views]
            given = call_with_views(impulse.called, wrench, back, t - frame.later)
        if not isinstance(given, Wrench):
            return given
        R = frame.rotation
        return Wrench(force=R @ given.force, moment=R @ given.moment, at=given.at)

    return replace(impulse, on=impulse.struck, wrench=wrench_at, at=at)


class _RelativeFunction:
    """A function of bodies and joints at views relative to a base: one of them, an added one, or that of a ``fixed`` frame."""

    def __init__(self, where, function: Callable, names, later: float, joints, fixed: ChangeOfFrame | None = None):
        self._where, self._function, self._names, self._later, self._fixed = where, function, tuple(names), later, fixed
        self._bodies = [name for name in names if name not in joints]
        self._adds = bool(self._bodies) and GROUND not in names and fixed is None

    def ends(self, base: str) -> tuple[str, ...]:
        """Names of its bodies and joints with the base."""
        known = tuple(base if name == GROUND else name for name in self._names)
        return (*known, base) if self._adds else known

    def value_at(self, *views, t):
        """The value at views in the new frame."""
        return call_with_views(self._where, self._function, self.relative(views, t), t - self._later)

    def place_at(self, *views, t):
        """The point (3,) that the function returns, in the new frame."""
        return self.carry(self.value_at(*views, t=t), views, t)

    def carry(self, place, views, t):
        """A point (3,) relative to the base, in the new frame."""
        base = self._base(views, t)
        return place if base is None else base._state.X_WB.p + base._state.X_WB.R @ np.asarray(place)

    def rotation(self, views, t) -> np.ndarray:
        """The rotation (3, 3) of the base."""
        base = self._base(views, t)
        return np.eye(3) if base is None else base._state.X_WB.R

    def _base(self, views, t) -> BodyView | None:
        if not self._bodies:
            return None
        if self._fixed is not None:
            return base_view(self._fixed, t)
        return views[-1] if self._adds else views[self._names.index(GROUND)]

    def relative(self, views, t) -> list:
        """The views that the function was written for."""
        base = self._base(views, t)
        ends = views[:-1] if self._adds else views
        if base is None:
            return list(ends)
        return [
            change_view(
                old_ground(),
                motion=base._state.motion if isinstance(base._state.motion, str) else old_ground()._state.motion,
            )
            if name == GROUND
            else relative_view(view, base)
            for name, view in zip(self._names, ends, strict=True)
        ]
