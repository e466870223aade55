"""`Record`: the data of a run, a function of bounded variation in time. Immutable."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model
from vinculum.motion.arguments import checked_side, floats, values_in_order
from vinculum.motion.chart_changes import ChartChange, stretch_at
from vinculum.motion.events import Crossing
from vinculum.motion.frames.carried import Carried, carried_record
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.method import Method, time_stepping
from vinculum.motion.phases import Phase
from vinculum.motion.pieces import Pieces
from vinculum.motion.states import recorded_states, shown_states, tape_rows
from vinculum.tolerances.time import GRID_LEAVES


@final
@dataclass(frozen=True, eq=False)
class Record:
    """States of a model over time, with dense output; ``time`` is the grid of the arrays. Integrators make it, audits
    read it and files store it; users access it as ``motion.record``.

    Velocities have a left and a right limit; they differ only at impacts. ``side``: which limit the arrays contain.
    ``changes``: where a rotation chart was changed; the steps are in these charts, the arrays in the joints' own.
    ``contact_solver``: statistics of the contact solver. ``origin``: the original record if the states are audited
    with another system: they satisfy the constraints of the original one. ``carried``: where the states are relative to a base that moves;
    what is in world axes is of the frame in which it does. ``made_by``: the versions that computed a stored run; empty for
    a run of this process.
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
    origin: "Record | None" = None
    carried: Carried | None = None
    side: str = "right"
    made_by: str = ""

    def __repr__(self):
        span = f"{self.pieces.begin:g} … {self.pieces.end:g} s"
        return f"Motion of '{self.model.name}', {span}, {len(self.pieces)} step{'s' * (len(self.pieces) != 1)}, {self.method}"

    def __getitem__(self, joint) -> np.ndarray:
        """Coordinates of one joint on the grid: (T,) if there is one, else (T, nq)."""
        entry = self.model.index("joints", joint)
        if entry.child in self.model.layout.prescribed:
            raise StartError(
                f"body '{entry.child}' is prescribed and has no coordinates; its position and rotation are in motion.body"
            )
        first, last = entry.q
        return self.q[:, first] if last - first == 1 else self.q[:, first:last]

    @property
    def q(self) -> np.ndarray:
        """Coordinates on the grid, (T, nq)."""
        return self._seen[:, : self.model.nq]

    @property
    def v(self) -> np.ndarray:
        """Velocities on the grid, limits from the record's side, (T, nv)."""
        return self._states[:, self.model.nq :]

    @property
    def left_v(self) -> np.ndarray:
        """Velocities on the grid, limits from the left, (T, nv)."""
        return self.at(self.time, "left").v

    @property
    def energy(self) -> np.ndarray:
        """Kinetic plus potential energy on the grid, (T,) [J]."""
        return self._balance["kinetic"][:, 0] + self._balance["potential"][:, 0]

    def at(self, time, side: str = "right") -> "Record":
        """The same motion on another grid, with left or right limits."""
        time = np.atleast_1d(floats("grid", time))
        if time.ndim != 1:
            raise StartError(f"grid has shape {time.shape}: give one instant or a row of them")
        if len(time) and (time.min() < self.pieces.begin - GRID_LEAVES or time.max() > self.pieces.end + GRID_LEAVES):
            raise StartError(
                f"the grid {time.min():g} … {time.max():g} s leaves the motion, which runs from "
                f"{self.pieces.begin:g} to {self.pieces.end:g} s"
            )
        return replace(self, time=time, side=checked_side(side))

    def in_phases(self) -> "list[Record]":
        """The smooth motions between changes of contact; in the model of each, closed gaps are bilateral
        constraints."""
        if not self.phases:
            if self.model.type.steps_over_contacts(self.model):
                raise StartError(
                    f"the motion of '{self.model.name}' knows no phases, since its steps go over changes of contact; run it with method "
                    "'taylor' or 'dop853', which locate them"
                )
            return [self]
        return list(self._parts)

    @cached_property
    def _parts(self) -> "list[Record]":
        if self.carried is not None:
            own = self.carried.relative(self)._parts
            return [carried_record(part, self.carried.frame) for part in own]
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
            changes = tuple(replace(change, step=change.step - phase.step) for change in self.changes)
            parts.append(replace(self, model=phase.model, pieces=pieces, time=time, method=method, parameters=visible(named),
                                  crossings=(), changes=changes, atoms=None, phases=(), origin=next(origins, None)))  # fmt: skip
        return parts

    @cached_property
    def values(self) -> np.ndarray:
        """All parameters at the start, in order, (p,)."""
        return values_in_order(self.model.parameters, self.parameters)

    @cached_property
    def _states(self) -> np.ndarray:
        if self.carried is not None:
            return self.carried.relative(self)._states
        states = self.pieces.state(self.time, side=self.side)
        states = recorded_states(self, self.time, states, stretch_at(self.changes, self.time, self.side))
        states.flags.writeable = False
        return states

    @cached_property
    def _seen(self) -> np.ndarray:
        seen = self if self.side == "right" else self.at(self.time)  # coordinates do not jump
        states = shown_states(seen, self.time, seen._states)
        states.flags.writeable = False
        return states

    @cached_property
    def _balance(self) -> dict[str, np.ndarray]:
        return self._groups("balance")

    @cached_property
    def _bonds(self) -> dict[str, np.ndarray]:
        return self._groups("bonds")

    @cached_property
    def _bodies(self) -> dict[str, np.ndarray]:
        return self._groups("bodies")

    def _groups(self, tape: str) -> dict[str, np.ndarray]:
        if self.carried is not None:
            own = self.carried.relative(self)
            return self.carried.groups(tape, own, own.time, own._states, own._groups(tape))
        stretch = stretch_at(self.changes, self.time, self.side)
        return evaluate_groups(self.model.tape(tape), tape_rows(self, self.time, self._states, stretch))
