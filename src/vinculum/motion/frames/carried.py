"""A motion that a base carries, which moves uniformly: coordinates are relative to it, and what is in world axes is of the new frame."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.measures.frames import ChangeOfFrame
from vinculum.motion.pieces import Pieces
from vinculum.tolerances.certificates import OWN_MOMENTUM

Groups = dict[str, np.ndarray]
UNCHANGED = frozenset({"rates", "distances", "unilaterals"})
"""Tapes of which nothing depends on the frame."""


@final
@dataclass(frozen=True, eq=False)
class Carried:
    r"""What is known of a motion relative to its base, and where the base is.

    .. math:: x' = R x + u t + a,\qquad v' = R v + u,\qquad T' = T + p\cdot R^T u + \tfrac12 m u^2

    ``frame``: the change from the frame of the base; ``record``: the motion in the frame of the base.
    """

    frame: ChangeOfFrame
    record: Any

    def relative(self, seen: Any) -> Any:
        """The record relative to the base, on the grid and side of the record that is seen."""
        own = self.record.time
        same = len(own) == len(seen.time) and np.array_equal(own + self.frame.later, seen.time)
        return replace(self.record, time=own if same else seen.time - self.frame.later, side=seen.side)

    def groups(self, tape: str, there: Any, time: np.ndarray, states: np.ndarray, found: Groups) -> Groups:
        """What a tape gives in the new frame, from what it ``found`` relative to the base; ``there``: the relative record."""
        if tape in UNCHANGED:
            return found
        if tape == "bodies":
            return {name: self._of_body(name.rpartition("/")[2], x, time) for name, x in found.items()}
        if tape == "reactions":
            return {name: self._along_axes(x) for name, x in found.items()}
        if tape == "bonds":
            return {name: self._of_bond(name.rpartition("/")[2], x, time) for name, x in found.items()}
        if tape == "balance":
            return self._balance(there, time, states, found)
        raise StartError(
            f"'{there.model.name}': {tape} of this motion are not available in another frame; use the motion of which it was made"
        )

    def _of_body(self, what: str, x: np.ndarray, time: np.ndarray) -> np.ndarray:
        if what in ("position", "center"):
            return self.places(x, time)
        if what in ("velocity", "center_velocity"):
            return x @ self.frame.rotation.T + self.frame.velocity
        if what in ("rotation", "deformation", "deformation_rate"):
            return (self.frame.rotation @ x.reshape(len(x), 3, 3)).reshape(len(x), 9)
        return self._along_axes(x) if what == "angular_velocity" else x

    def _of_bond(self, what: str, x: np.ndarray, time: np.ndarray) -> np.ndarray:
        if what == "points":
            return self.places(x.reshape(len(x), -1, 3), time[:, None]).reshape(x.shape)
        return self._along_axes(x) if what == "efforts" else x

    def _balance(self, there: Any, time: np.ndarray, states: np.ndarray, found: Groups) -> Groups:
        """Energies, momenta and powers; the potentials of the old ground are carried by the base, its weights too."""
        from vinculum.motion.states import tape_groups

        m, n, u = found["mass"], found["mass"].shape[1], self.frame.velocity
        p = self._along_axes(found["momentum"]).reshape(len(time), n, 6)
        moving = p.copy()
        moving[..., :3] += m[..., None] * u
        kinetic = found["kinetic"] + (p[..., :3].sum(axis=1) @ u + 0.5 * m.sum(axis=1) * (u @ u))[:, None]
        centers = self.places(found["center"].reshape(len(time), n, 3), time[:, None]).reshape(len(time), -1)
        changed = {"kinetic": kinetic, "momentum": moving.reshape(len(time), -1), "center": centers}
        driven = there.model.layout.prescribed
        if driven:
            wrenches = tape_groups(there, "reactions", time, states)
            forces = np.stack([self._along_axes(wrenches[name])[:, :3] for name in driven], axis=1)
            changed["drive_power"] = found["drive_power"] + forces @ u
        return found | changed

    def places(self, x: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Points (…, 3) in the new frame; ``time``: instants of the old clock."""
        frame = self.frame
        return x @ frame.rotation.T + np.asarray(time)[..., None] * frame.velocity + frame.place

    def wrenches(self, x: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Wrenches (T, 6) at the world's origin, in the new frame."""
        turned = self._along_axes(x)
        origin = self.places(np.zeros(3), time)
        return np.concatenate([turned[:, :3], turned[:, 3:] + np.cross(origin, turned[:, :3])], axis=1)

    def _along_axes(self, x: np.ndarray) -> np.ndarray:
        """Vectors (…, 3 k) along the new axes."""
        return (x.reshape(*x.shape[:-1], -1, 3) @ self.frame.rotation.T).reshape(x.shape)


def carried_record(record: Any, frame: ChangeOfFrame) -> Any:
    """The record of a motion that a base carries; a base that is carried itself moves as both do together."""
    if record.carried is not None:
        return carried_record(record.carried.relative(record), after(record.carried.frame, frame))
    _check_momenta(record)
    later, atoms, solver = frame.later, record.atoms, record.contact_solver
    return replace(
        record,
        pieces=Pieces(np.asarray(record.pieces.times) + later, record.pieces.coefficients),
        time=record.time + later,
        crossings=tuple(replace(one, time=one.time + later) for one in record.crossings),
        changes=tuple(replace(one, time=one.time + later) for one in record.changes),
        atoms=None if atoms is None else replace(atoms, times=atoms.times + later),
        phases=tuple(replace(one, begin=one.begin + later) for one in record.phases),
        contact_solver=None if solver is None else replace(solver, times=solver.times + later),
        carried=Carried(frame, record),
    )


def after(first: ChangeOfFrame, second: ChangeOfFrame) -> ChangeOfFrame:
    """Two changes of frame, one after the other."""
    R, u = second.rotation, second.velocity
    place = R @ first.place + u * first.later + second.place
    return ChangeOfFrame(R @ first.velocity + u, R @ first.rotation, np.append(first.later + second.later, place))


def relative_record(record: Any) -> Any:
    """The record relative to its base, or the record itself where no base carries it."""
    return record if record.carried is None else record.carried.relative(record)


def _check_momenta(record: Any) -> None:
    """Refuse bodies whose momentum is not m v: in a frame that moves it is another."""
    m, p = record._balance["mass"], record._balance["momentum"].reshape(len(record.time), -1, 6)
    for i, name in enumerate(record.model.layout.bodies):
        own = m[:, i, None] * record._bodies[f"{name}/center_velocity"]
        off, size = np.abs(p[:, i, :3] - own).max(), max(np.abs(p[:, i, :3]).max(), np.abs(own).max())
        if off > OWN_MOMENTUM * size:
            raise StartError(
                f"frame: body '{name}': its momentum is not that of its mass, as in a fluid at rest, which another frame sees moving; "
                "leave it out, or describe its system there"
            )
