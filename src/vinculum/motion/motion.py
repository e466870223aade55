"""`Motion`: the motion of a system as a function of bounded variation in time. Frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.kept import model_for
from vinculum.models.model import Model
from vinculum.motion.arguments import floats, named_values
from vinculum.motion.chart_changes import ChartChange, stretch_at
from vinculum.motion.doors import AUDIT, PICTURE, PLOT, WEAK_RESIDUAL
from vinculum.motion.events import Crossing
from vinculum.motion.given.given import (
    check_same_layout,
    given_motion,
    given_states,
    model_on_branch,
    other_phases,
    replaced_motion,
)
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_impulses import (
    given_atoms,
    other_impulses,
)
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.method import Method, time_stepping
from vinculum.motion.phases import Phase
from vinculum.motion.pieces import Pieces
from vinculum.motion.states import recorded_states, shown_states, tape_groups
from vinculum.motion.views import BodiesMotion, BodyMotion, BondMotion, JointMotion, ServosMotion
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class Motion:
    """States of a model over time, with dense output; ``time`` is the grid on which arrays are given.

    Velocities have a left and a right limit everywhere; they differ only at impacts. ``changes``: where a rotation chart was
    counted from another attitude; the steps are in these charts, what is given out is in the joints' own. ``solves``: how the
    impulses of a pile were solved. ``origin``: the motion whose states these are, where they are judged by another system: they stay on
    the constraints of that one.
    """

    model: Model
    pieces: Pieces
    time: np.ndarray
    method: Method
    parameters: Mapping[str, float]
    crossings: tuple[Crossing, ...] = ()
    log: tuple[str, ...] = ()
    interrupted: bool = False
    changes: tuple[ChartChange, ...] = ()
    atoms: Atoms | None = None
    phases: tuple[Phase, ...] = ()
    contact_solver: ContactSolver | None = None
    origin: "Motion | None" = None

    @classmethod
    def given(
        cls,
        system,
        time,
        q,
        v,
        *,
        left_v=None,
        contact_impulses=None,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = 1e-6,
    ) -> "Motion":
        """A motion computed elsewhere: instants (T,), coordinates (T, nq) and velocities (T, nv).

        ``tolerance``: the relative accuracy claimed for the numbers; the certificate asks no more of them. ``left_v`` (T, nv): limits of
        the velocities from the left where they jump; or let the instant of a jump stand twice. Without either, jumps are sought where gaps
        close. ``impulses`` (K, 3 m) [N s]: impulses of the unilateral constraints at the jumps, three numbers each (normal and two
        tangents);
        without them they are what makes the jumps. Quaternions may change their sign and angles be wrapped: that is undone, and told
        in the log.
        """
        model = model_for(system)
        if not (isinstance(tolerance, (int, float)) and 0.0 < tolerance < 1.0):
            raise StartError(
                f"tolerance {tolerance!r} must be a number between 0 and 1: the accuracy claimed for q and v"
            )
        values = dict(zip(model.parameter_names, model.parameter_values(named_values(parameters)), strict=True))
        time, states = given_states(model, time, q, v, left_v)
        model = model_on_branch(model, time, states, values)
        known = np.array([values.get(name, x) for name, x in sorted(model.parameters.items())], dtype=float)
        made = given_motion(system, model, time, states, known, float(tolerance), contact_impulses)
        return cls(model=model, parameters=visible(values), **made)

    def __repr__(self):
        span = f"{self.pieces.begin:g} … {self.pieces.end:g} s"
        return f"Motion of '{self.model.name}', {span}, {len(self.pieces)} step{'s' * (len(self.pieces) != 1)}, {self.method}"

    def __getitem__(self, joint) -> np.ndarray:
        """Coordinates of one joint on the grid: (T,) if there is one, else (T, nq)."""
        entry = self.model.index("joints", joint)
        if entry.child in self.model.layout.prescribed:
            raise StartError(
                f"body '{entry.child}' is prescribed and has no coordinates; ask motion.body of it for its position and rotation"
            )
        first, last = entry.q
        return self.q[:, first] if last - first == 1 else self.q[:, first:last]

    @property
    def q(self) -> np.ndarray:
        """Coordinates on the grid, (T, nq)."""
        return self._seen[:, : self.model.nq]

    @property
    def v(self) -> np.ndarray:
        """Velocities on the grid, limits from the right, (T, nv)."""
        return self._states[:, self.model.nq :]

    @property
    def left_v(self) -> np.ndarray:
        """Velocities on the grid, limits from the left, (T, nv)."""
        before = self.pieces.state(self.time, side="left")
        return recorded_states(self, self.time, before, stretch_at(self.changes, self.time, "left"))[:, self.model.nq :]

    def body(self, body) -> BodyMotion:
        """A body, by object or name: its position, velocity, rotation, twist, momentum and points."""
        self.model.index("bodies", body)
        return BodyMotion(self, body if isinstance(body, str) else body.name)

    def bodies(self, *bodies) -> BodiesMotion:
        """Bodies together, all by default: their mass centre, momentum and kinetic measure."""
        return BodiesMotion(self, tuple(self.body(body).name for body in bodies))

    def joint(self, joint) -> JointMotion:
        """A joint, by object or name: its coordinates, velocities, reaction and impulses."""
        name = joint if isinstance(joint, str) else getattr(joint, "name", joint)
        if not isinstance(name, str) or name not in self.model.layout.closing:
            self.model.index("joints", joint)
        return JointMotion(self, str(name))

    def bond(self, bond) -> BondMotion:
        """A bond, by object or name: its force, moment, energy, multiplier, power, work, gap, slip and impulses."""
        name, layout = bond if isinstance(bond, str) else getattr(bond, "name", bond), self.model.layout
        kinds = (
            layout.actions,
            layout.constraints,
            layout.unilaterals,
            layout.contacts,
            layout.impulses,
            layout.closing,
            layout.joints,
        )
        known = [one for kind in kinds for one in kind]
        if not isinstance(name, str) or name not in known:
            raise StartError(f"there is no bond '{name}' in system '{self.model.name}'{nearest(name, known)}")
        return BondMotion(self, name)

    @property
    def servos(self) -> ServosMotion:
        """All servos together: their power, work and efforts beyond bounds."""
        return ServosMotion(self)

    @property
    def energy(self) -> np.ndarray:
        """Kinetic plus potential energy on the grid, (T,) [J]."""
        return self._balance["kinetic"][:, 0] + self._balance["potential"][:, 0]

    def at(self, time) -> "Motion":
        """The same motion seen on another grid."""
        time = np.atleast_1d(floats("grid", time))
        if time.ndim != 1:
            raise StartError(f"grid has shape {time.shape}: give one instant or a row of them")
        if len(time) and (time.min() < self.pieces.begin - 1e-12 or time.max() > self.pieces.end + 1e-12):
            raise StartError(
                f"the grid {time.min():g} … {time.max():g} s leaves the motion, which runs from "
                f"{self.pieces.begin:g} to {self.pieces.end:g} s"
            )
        return replaced(self, time=time)

    def in_phases(self) -> "list[Motion]":
        """The smooth motions between changes of contact, each of the model in which closed unilateral constraints are constraints."""
        if not self.phases:
            if self.model.type.steps_over_contacts(self.model):
                raise StartError(
                    f"the motion of '{self.model.name}' knows no phases, since its steps go over changes of contact; run it with method "
                    "'taylor' or 'dop853', which locate them"
                )
            return [self]
        ends = [*(phase.step for phase in self.phases[1:]), len(self.pieces)]
        parts, origins = [], iter([] if self.origin is None else self.origin.in_phases())
        for phase, end in zip(self.phases, ends, strict=True):
            if end == phase.step:
                continue
            pieces = self.pieces.part(phase.step, end)
            inside = self.time[(self.time >= pieces.begin) & (self.time <= pieces.end)]
            time = np.unique(np.concatenate([[pieces.begin], inside, [pieces.end]]))
            named = dict(zip(phase.model.parameter_names, phase.values.tolist(), strict=True))
            method = time_stepping(phase.stepped) if phase.stepped else self.method
            parts.append(replaced(self, model=phase.model, pieces=pieces, time=time, method=method, parameters=visible(named),
                                  crossings=(), atoms=None, phases=(), origin=next(origins, None)))  # fmt: skip
        return parts

    def replace(
        self, *, q=None, v=None, system=None, parameters=None, contact_impulses=None, impulses=None
    ) -> "Motion":
        """Another motion on this grid with other coordinates, velocities, system, parameters, impulses (K, 3 m) or given impulses
        (K, nv): to be audited. States stay as they are, also where the constraints of another system do not hold."""
        if impulses is not None:
            return replaced(self, atoms=other_impulses(self.model, self.atoms, impulses)).replace(
                q=q, v=v, system=system, parameters=parameters, contact_impulses=contact_impulses
            )
        if contact_impulses is not None:
            return replaced(self, atoms=given_atoms(self.model, self.atoms, contact_impulses)).replace(
                q=q, v=v, system=system, parameters=parameters
            )
        if q is None and v is None:
            model = self.model if system is None else model_for(system)
            check_same_layout(self.model, model)
            given = {k: x for k, x in self.parameters.items() if k in model.parameters} | named_values(parameters)
            values = dict(zip(model.parameter_names, model.parameter_values(given), strict=True))
            phases = other_phases(self, self.model if system is None else system, values)
            if system is not None:
                model = model_on_branch(model, self.time, self._states, values)
            origin = self.origin or self
            return replaced(self, model=model, parameters=visible(values), phases=phases, origin=origin)
        parameters = self.parameters if parameters is None else parameters
        q, v = self.q if q is None else q, self.v if v is None else v
        if self.atoms is None or not (len(self.atoms) or self.phases) or self.changes or not self.model.type.has_graphs:
            return Motion.given(self.model if system is None else system, self.time, q, v, parameters=parameters)
        _, states = given_states(self.model, self.time, q, v)
        q, v = states[:, : self.model.nq], states[:, self.model.nq :]
        other = replaced(self, **replaced_motion(self, q, v))
        return (
            other
            if system is None and parameters == self.parameters
            else other.replace(system=system, parameters=parameters)
        )

    def weak_residual(self, fields: int = 200, seed: int = 0) -> Any:
        """What the weak form of the equations of motion leaves over against so many random test fields."""
        return WEAK_RESIDUAL(self, fields, seed)

    def audit(self) -> Any:
        """The certificate of this motion: whether the laws of mechanics hold on it."""
        return AUDIT(self)

    def plot(self, *joints, path=None) -> Any:
        """Coordinates and velocities of the joints named (all by default) over time, as a Matplotlib figure."""
        return PLOT(self, joints, path)

    def picture(self, t: float | None = None, path=None, elevation: float = 22.0, azimuth: float = -60.0) -> Any:
        """Bodies that meet and what stands still, in space at an instant (the last by default), as a Matplotlib figure."""
        return PICTURE(self, t, path, elevation, azimuth)

    def save(self, path) -> None:
        """Write the motion to a zarr folder, all or nothing."""
        from vinculum.motion.storage.store import save

        if self.origin is not None:
            raise StartError(
                f"this motion of '{self.origin.model.name}' is judged by another system or other parameters, which a stored run does not "
                "hold; save the motion it was made of, and replace after vc.load"
            )
        save(self, path)

    def to_xarray(self) -> Any:
        """The motion on its grid as an `xarray.Dataset` with units."""
        from vinculum.motion.labelled import dataset

        return dataset(self)

    @cached_property
    def values(self) -> np.ndarray:
        """All parameters at the start, in order, (p,)."""
        known = self.model.parameters | dict(self.parameters)
        return np.array([known[name] for name in sorted(known)], dtype=float)

    @cached_property
    def _states(self) -> np.ndarray:
        states = recorded_states(self, self.time, self.pieces.state(self.time))
        states.flags.writeable = False
        return states

    @cached_property
    def _seen(self) -> np.ndarray:
        states = shown_states(self, self.time, self._states)
        states.flags.writeable = False
        return states

    @cached_property
    def _balance(self) -> dict[str, np.ndarray]:
        return tape_groups(self, "balance", self.time, self._states)

    @cached_property
    def _bonds(self) -> dict[str, np.ndarray]:
        return tape_groups(self, "bonds", self.time, self._states)

    @cached_property
    def _bodies(self) -> dict[str, np.ndarray]:
        return tape_groups(self, "bodies", self.time, self._states)
