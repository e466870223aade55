"""`Motion`: the motion of a system as a function of bounded variation in time. Immutable."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final, overload

import numpy as np

from vinculum.bodies import BodyGroup
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model_cache import model_for
from vinculum.motion.arguments import named_values
from vinculum.motion.frames.carried import relative_record
from vinculum.motion.frames.record import record_in_frame
from vinculum.motion.given.given import (
    check_same_layout,
    given_record,
    given_states,
    model_on_branch,
    other_phases,
    replaced_motion,
)
from vinculum.motion.impulses.contact_impulses import given_atoms, other_impulses
from vinculum.motion.record import Record
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.motion.views import BodiesMotion, BodyMotion, BondMotion, JointMotion, ServosMotion
from vinculum.systems import nearest
from vinculum.tolerances.certificates import CLAIMED


@final
@dataclass(frozen=True, eq=False)
class Motion(RecordedMotion):
    """The motion of a system on a grid of instants: states, views of bodies, joints and bonds, audit, plots and files.

    ``record``: the data of the run: method, parameters, log, crossings of events, dense output, impulses and phases.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> motion = vc.simulate(system, until=2.0, start={"hinge": 0.2}, method="dop853", grid=5)
    >>> motion.body("bob").position.shape, motion["hinge"].shape
    ((5, 3), (5,))
    >>> motion.at(1.0).energy.round(6)
    array([-1.442168])
    """

    record: Record

    def __repr__(self):
        return repr(self.record)

    @property
    def energy(self) -> np.ndarray:
        """Kinetic plus potential energy on the grid, (T,) [J]."""
        return self.record.energy

    @overload
    def body(self, body, /) -> BodyMotion: ...

    @overload
    def body(self) -> BodiesMotion: ...

    @overload
    def body(self, first, second, /, *others) -> BodiesMotion: ...

    def body(self, *body) -> BodyMotion | BodiesMotion:
        """View of a body, by object or name: position, velocity, rotation, twist, momentum and points. For several
        bodies, for a group, or without a name for all: positions, mass center, momentum and kinetic measure."""
        single = [part for one in body for part in (one if isinstance(one, BodyGroup) else (one,))]
        for one in single:
            self.record.model.index("bodies", one)
        names = tuple(one if isinstance(one, str) else one.name for one in single)
        several = len(body) != 1 or isinstance(body[0], BodyGroup)
        return BodiesMotion(self.record, names) if several else BodyMotion(self.record, names[0])

    def joint(self, joint) -> JointMotion:
        """View of a joint, by object or name: coordinates, velocities, reaction and impulses."""
        name = joint if isinstance(joint, str) else getattr(joint, "name", joint)
        if not isinstance(name, str) or name not in self.record.model.layout.closing:
            self.record.model.index("joints", joint)
        return JointMotion(self.record, str(name))

    @overload
    def bond(self, bond, /) -> BondMotion: ...

    @overload
    def bond(self) -> ServosMotion: ...

    def bond(self, *bond) -> BondMotion | ServosMotion:
        """View of a bond, by object or name: force, moment, energy, multiplier, power, work, gap, slip and impulses.
        Without a name, of all servos: power, work and efforts beyond bounds."""
        return self._one_bond(*bond) if bond else ServosMotion(self.record)

    def _one_bond(self, bond) -> BondMotion:
        name, layout = bond if isinstance(bond, str) else getattr(bond, "name", bond), self.record.model.layout
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
            raise StartError(f"there is no bond '{name}' in system '{self.record.model.name}'{nearest(name, known)}")
        return BondMotion(self.record, name)

    def _record_in_frame(self, frame) -> Record:
        return record_in_frame(self.record, frame)

    def replace(
        self, *, q=None, v=None, system=None, parameters=None, contact_impulses=None, impulses=None
    ) -> "Motion":
        """A copy on this grid with other coordinates, velocities, system, parameters, ``contact_impulses`` (K, 3 m) or
        applied ``impulses`` (K, nv), for an audit. States are not changed, even if they violate constraints of another
        system."""
        record = self.record
        if record.carried is not None:
            own = replace(self, record=relative_record(record))
            given = own.replace(
                q=q, v=v, system=system, parameters=parameters, contact_impulses=contact_impulses, impulses=impulses
            )
            return given.at(frame=record.carried.frame)
        if impulses is not None:
            return self._with(atoms=other_impulses(record.model, record.atoms, impulses)).replace(
                q=q, v=v, system=system, parameters=parameters, contact_impulses=contact_impulses
            )
        if contact_impulses is not None:
            return self._with(atoms=given_atoms(record.model, record.atoms, contact_impulses)).replace(
                q=q, v=v, system=system, parameters=parameters
            )
        if q is None and v is None:
            model = record.model if system is None else model_for(system)
            check_same_layout(record.model, model)
            given = {k: x for k, x in record.parameters.items() if k in model.parameters} | named_values(parameters)
            values = dict(zip(model.parameter_names, model.parameter_values(given), strict=True))
            phases = other_phases(record, record.model if system is None else system, values)
            if system is not None:
                model = model_on_branch(model, self.time, record._states, values)
            origin = record.origin or record
            return self._with(model=model, parameters=visible(values), phases=phases, origin=origin)
        parameters = record.parameters if parameters is None else parameters
        q, v = self.q if q is None else q, self.v if v is None else v
        if (
            record.atoms is None
            or not (len(record.atoms) or record.phases)
            or record.changes
            or not record.model.type.has_graphs
        ):
            return motion_of_bodies(record.model if system is None else system, self.time, q, v, parameters=parameters)
        _, states = given_states(record.model, self.time, q, v)
        q, v = states[:, : record.model.nq], states[:, record.model.nq :]
        other = self._with(**replaced_motion(record, q, v))
        return (
            other
            if system is None and parameters == record.parameters
            else other.replace(system=system, parameters=parameters)
        )

    def _with(self, **changed) -> "Motion":
        return replace(self, record=replace(self.record, **changed))


def motion_of_bodies(
    system, time, q, v, left_v=None, contact_impulses=None, parameters: Mapping[str, float] | None = None, tolerance: float = CLAIMED
) -> Motion:  # fmt: skip
    """A motion of bodies that was computed elsewhere; see `given_motion`."""
    model = model_for(system)
    if not (isinstance(tolerance, (int, float)) and 0.0 < tolerance < 1.0):
        raise StartError(f"tolerance {tolerance!r} must be a number between 0 and 1: the accuracy claimed for q and v")
    values = dict(zip(model.parameter_names, model.parameter_values(named_values(parameters)), strict=True))
    time, states = given_states(model, time, q, v, left_v)
    model = model_on_branch(model, time, states, values)
    known = np.array([values.get(name, x) for name, x in sorted(model.parameters.items())], dtype=float)
    made = given_record(system, model, time, states, known, float(tolerance), contact_impulses)
    return Motion(Record(model=model, parameters=visible(values), **made))
