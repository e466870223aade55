"""`Motion`: the motion of a system as a function of bounded variation in time. Frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, StartError
from vinculum.measures.kinetic import KineticMeasure
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.kept import model_for
from vinculum.models.model import Model
from vinculum.motion.arguments import floats, named_values
from vinculum.motion.chart_changes import ChartChange, stretch_at
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
    ContactImpulses,
    GivenImpulse,
    JointImpulses,
    contact_impulses_at,
    contact_impulses_in_pile,
    given_atoms,
    other_impulses,
)
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.kinetic import kinetic_measure
from vinculum.motion.method import Method, time_stepping
from vinculum.motion.phases import Phase
from vinculum.motion.pieces import Pieces
from vinculum.motion.reaction_work import accumulated_work
from vinculum.motion.servos import Excess, exceeded, servo_names, servo_power, servo_work
from vinculum.motion.states import recorded_states, shown_states, states_at, tape_groups
from vinculum.motion.upstairs import upstairs
from vinculum.scalars import value
from vinculum.screws.entries import entries, shortened
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
                f"body '{entry.child}' is prescribed and has no coordinates; ask motion.position or motion.rotation of it"
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

    right_v = v

    @property
    def left_v(self) -> np.ndarray:
        """Velocities on the grid, limits from the left, (T, nv)."""
        before = self.pieces.state(self.time, side="left")
        return recorded_states(self, self.time, before, stretch_at(self.changes, self.time, "left"))[:, self.model.nq :]

    def position(self, body, point=None) -> np.ndarray:
        """World position of a body's origin, or of the material point ``point`` of its frame, (T, 3) [m]."""
        origin = self._of_body(body, "position")
        if point is None:
            return origin
        try:
            material = value(entries("point", point, (3,)))
        except ModelError as error:
            raise StartError(
                f"point {shortened(point)} must be three finite numbers, in the body's own frame"
            ) from error
        return origin + self.rotation(body) @ material

    def rotation(self, body) -> np.ndarray:
        """R_WB, (T, 3, 3)."""
        return self._of_body(body, "rotation").reshape(-1, 3, 3)

    def center(self, *bodies) -> np.ndarray:
        """World position of the mass centre of the bodies named, or of the whole system, (T, 3) [m]."""
        chosen = bodies or tuple(self.model.layout.bodies)
        masses = [self._of_body(body, "mass") for body in chosen]
        total = sum(masses)
        if not np.all(total):
            raise StartError(
                f"the bodies {list(map(str, chosen))} have no mass, so there is no mass centre; name others"
            )
        return sum(m * self._of_body(body, "center") for m, body in zip(masses, chosen, strict=True)) / total

    def momentum(self, *bodies) -> np.ndarray:
        """Momentum screw of the bodies named, or of the whole system, at the world's origin, (T, 6) [N s, N m s]."""
        shape = len(self.time), len(self.model.layout.bodies)
        centers, each = (self._balance[k].reshape(*shape, n) for k, n in (("center", 3), ("momentum", 6)))
        each = np.concatenate([each[..., :3], each[..., 3:] + np.cross(centers, each[..., :3])], axis=2)
        chosen = [self.model.index("bodies", body).index for body in bodies] if bodies else slice(None)
        return each[:, chosen].sum(axis=1)

    def twist(self, body) -> np.ndarray:
        """V_WB_B: velocity of the body's origin and angular velocity in the body's own axes, (T, 6)."""
        R_BW = np.swapaxes(self.rotation(body), 1, 2)
        parts = [self._of_body(body, what)[:, :, None] for what in ("velocity", "angular_velocity")]
        return np.concatenate([R_BW @ part for part in parts], axis=1)[:, :, 0]

    @property
    def energy(self) -> np.ndarray:
        """Kinetic plus potential energy on the grid, (T,) [J]."""
        return self._balance["kinetic"][:, 0] + self._balance["potential"][:, 0]

    def reaction(self, joint) -> np.ndarray:
        """Wrench (force, moment) of the parent on the child at the child's joint origin, world axes, (T, 6).

        Of a prescribed body: the wrench of its drive on it, at its origin.
        """
        name = joint if isinstance(joint, str) else getattr(joint, "name", joint)
        if not isinstance(name, str) or name not in self.model.layout.closing:
            self.model.index("joints", joint)
        return tape_groups(self, "reactions", self.time, self._states)[name]

    def drive_power(self, body=None) -> np.ndarray:
        """Power that the drive of a prescribed body supplies, or the drives of all of them together, (T,) [W].

        The wrench of the drive on the body is `reaction` of the body's name: at its origin, in world axes.
        """
        powers, known = self._balance["drive_power"], self.model.layout.prescribed
        if body is None:
            return powers.sum(axis=1)
        name = body if isinstance(body, str) else getattr(body, "name", body)
        if name not in known:
            self.model.index("bodies", body)
            raise StartError(
                f"body '{name}' of system '{self.model.name}' is not prescribed and has no drive of its own"
                f"{nearest(name, known)}; the power of joints' drives is part of the energy balance"
            )
        return powers[:, known.index(name)]

    def servo_power(self, constraint=None) -> np.ndarray:
        """Power that the servo of a constraint supplies, or all servos together, (T,) [W]."""
        return servo_power(self, servo_names(self, constraint), self.time)

    def servo_work(self, constraint=None) -> np.ndarray:
        """Work of the servo of a constraint, or of all servos, from the beginning of the motion on, (T,) [J]."""
        return servo_work(self, servo_names(self, constraint))

    def servo_excess(self, constraint=None) -> tuple[Excess, ...]:
        """Efforts of the servo of a constraint, or of all servos, that leave their bounds: first instants and largest sizes."""
        return exceeded(self, servo_names(self, constraint))

    def potential(self, bond) -> np.ndarray:
        """Energy of a potential on the grid, (T,) [J]."""
        return self._bonds[f"{self._action(bond)}/energy"][:, 0]

    def multiplier(self, constraint) -> np.ndarray:
        """Multipliers λ of a constraint on the grid, (T,) if it has one row, else (T, rows); its reactions are λ ∂F/∂v, or λ times
        the efforts that its servo names.

        Of a vakonomic constraint and of added inertia they are the μ of L + μ F; the reactions hold −μ̇ ∂F/∂v.
        """
        found = self._bonds[f"{self._constraint(constraint)}/multipliers"]
        return found[:, 0] if found.shape[1] == 1 else found

    def reaction_power(self, constraint) -> np.ndarray:
        """Power of a constraint's reactions on all its bodies and joints on the grid, (T,) [W]."""
        return self._bonds[f"{self._constraint(constraint)}/work"][:, 0]

    def reaction_work(self, constraint) -> np.ndarray:
        """Work that a constraint's reactions have done since the beginning, on the grid, (T,) [J]."""
        name = self._constraint(constraint)
        return accumulated_work(self, lambda t: tape_groups(self, "bonds", t, states_at(self, t))[f"{name}/work"][:, 0])

    def constraint_energy(self, constraint) -> np.ndarray:
        """E[M] = μ v·∂F/∂v of a vakonomic constraint on the grid, (T,) [J]; of added inertia its own kinetic energy, of others none.

        `energy` is E[L], and the sum of both changes by forces of others and −μ ∂F/∂t alone. Gołubowska (87)–(89).
        """
        return self._bonds.get(f"{self._constraint(constraint)}/held", np.zeros((len(self.time), 1)))[:, 0]

    def effort(self, bond, body) -> np.ndarray:
        """Wrench (force, moment) of a potential, force, interaction or constraint on one of its bodies (or "ground") at the body's origin,
        world axes, (T, 6)."""
        name = bond if isinstance(bond, str) else getattr(bond, "name", bond)
        known = self.model.layout.constraints
        bodies = known[name].on if name in known else self.model.layout.actions[self._action(bond)].bodies
        chosen = body if isinstance(body, str) else getattr(body, "name", body)
        if not bodies:
            raise StartError(
                f"'{name}' acts along joints and on no body by itself; ask motion.multiplier('{name}') for its efforts, and "
                "motion.reaction of a joint for what the joint carries"
            )
        if chosen not in bodies:
            raise StartError(f"'{name}' does not act on {chosen!r}; it acts on {', '.join(bodies)}")
        first = 6 * bodies.index(chosen)
        return self._bonds[f"{name}/efforts"][:, first : first + 6]

    def contact_impulse(self, unilateral) -> ContactImpulses | JointImpulses:
        """Instants and impulses [N s] of the impulses at a unilateral constraint; of a joint, what its parent gave its child at every
        impact, and of a constraint its multipliers there."""
        name, layout = (
            unilateral if isinstance(unilateral, str) else getattr(unilateral, "name", unilateral),
            self.model.layout,
        )
        if any(name in kind for kind in (layout.joints, layout.closing, layout.constraints)) and self.atoms is not None:
            times, found = upstairs("audits.impacts.joint_impulses", "impulses_in_joints")(self)
            if name in found:
                return JointImpulses(str(name), times, found[name])
        if self.model.pile is not None and name in layout.contacts:
            return contact_impulses_in_pile(self.model, self.contact_solver, name)
        return contact_impulses_at(self.model, self.atoms, unilateral)

    def impulse(self, name) -> GivenImpulse:
        """A given impulse: when it acted, as what wrench, and the work it did."""
        return upstairs("audits.impacts.given_impulses", "impulse_at")(self, name)

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
            if self.model.is_bounded or self.model.pile is not None:
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
        if self.atoms is None or not (len(self.atoms) or self.phases) or self.changes or self.model.pile is not None:
            return Motion.given(self.model if system is None else system, self.time, q, v, parameters=parameters)
        _, states = given_states(self.model, self.time, q, v)
        q, v = states[:, : self.model.nq], states[:, self.model.nq :]
        other = replaced(self, **replaced_motion(self, q, v))
        return (
            other
            if system is None and parameters == self.parameters
            else other.replace(system=system, parameters=parameters)
        )

    def kinetic_measure(self, *bodies) -> KineticMeasure:
        """Mass and momentum of the bodies named, or of all, as a measure on time-space (t, x, y, z)."""
        return kinetic_measure(self, bodies)

    def weak_residual(self, fields: int = 200, seed: int = 0) -> Any:
        """What the weak form of the equations of motion leaves over against so many random test fields."""
        return upstairs("audits", "weak_residual")(self, fields, seed)

    def audit(self) -> Any:
        """The certificate of this motion: whether the laws of mechanics hold on it."""
        return upstairs("audits", "audit")(self)

    def plot(self, *joints, path=None) -> Any:
        """Coordinates and velocities of the joints named (all by default) over time, as a Matplotlib figure."""
        return upstairs("show", "plot_motion")(self, joints, path)

    def picture(self, t: float | None = None, path=None, elevation: float = 22.0, azimuth: float = -60.0) -> Any:
        """Bodies that meet and what stands still, in space at an instant (the last by default), as a Matplotlib figure."""
        return upstairs("show", "picture")(self, t, path, elevation, azimuth)

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

    def _constraint(self, constraint) -> str:
        name = constraint if isinstance(constraint, str) else getattr(constraint, "name", constraint)
        known = self.model.layout.constraints
        if not isinstance(name, str) or name not in known:
            raise StartError(f"there is no constraint '{name}' in system '{self.model.name}'{nearest(name, known)}")
        return name

    def _action(self, bond) -> str:
        name, known = bond if isinstance(bond, str) else getattr(bond, "name", bond), self.model.layout.actions
        if not isinstance(name, str) or name not in known:
            raise StartError(
                f"there is no potential, force, interaction or constraint '{name}' in system '{self.model.name}'{nearest(name, known)}"
            )
        return name

    @cached_property
    def _bodies(self) -> dict[str, np.ndarray]:
        return tape_groups(self, "bodies", self.time, self._states)

    def _of_body(self, body, what: str) -> np.ndarray:
        self.model.index("bodies", body)
        return self._bodies[f"{body if isinstance(body, str) else body.name}/{what}"]
