"""A motion seen from another inertial frame."""

from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.errors import ModelError, StartError, shorten
from vinculum.measures.frames import ChangeOfFrame
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model_cache import model_for
from vinculum.motion.chart_changes import ChartChange
from vinculum.motion.frames.carried import carried_record
from vinculum.motion.frames.system import StateMap, state_map, system_in_frame
from vinculum.motion.given.given import check_same_layout, model_on_branch, other_phases
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.pieces import Pieces
from vinculum.screws import is_rotation
from vinculum.tolerances.functions import ORTHONORMAL


def record_in_frame(record: Any, frame: Any) -> Any:
    r"""The record of the same motion in another inertial frame.

    .. math:: x' = R x + u t + a,\qquad t' = t + t_0,\qquad T' = T + p\cdot u' + \tfrac12 m u^2

    Coordinates of joints and of free rigid bodies are relative to the old ground, which is now a prescribed base, and stay. Those of
    free mass points and affine bodies are along the new axes. Where shapes meet in steps, and in loaded runs, the base carries all of
    them. Cheremensky, On Concept of Mechanical System, section 1.2.
    """
    model = record.model
    _check_frame(frame, model.name)
    if record.carried is not None or model.tree is None or model.layout.contacts:
        return carried_record(record, frame)
    tree = (record.origin or record).model.tree if record.origin is not None else model.tree
    assert tree is not None
    if tree is not model.tree:
        raise StartError(
            f"the motion of '{model.name}' is judged by another system than its own; take at(frame=…) first, then replace(system=…)"
        )
    try:
        system, moved = system_in_frame(tree, frame), state_map(tree, frame)
        other = model_for(system)
    except ModelError as error:
        raise StartError(f"frame: {error}") from error
    check_same_layout(model, other)
    given = {k: x for k, x in record.parameters.items() if k in other.parameters}
    values = dict(zip(other.parameter_names, other.parameter_values(given), strict=True))
    pieces = _pieces(record.pieces, moved, frame)
    there = replace(
        record,
        pieces=pieces,
        time=record.time + frame.later,
        crossings=tuple(replace(one, time=one.time + frame.later) for one in record.crossings),
        changes=tuple(_chart_change(one, moved, frame) for one in record.changes),
        atoms=None if record.atoms is None else _atoms(record.atoms, moved, frame),
        phases=tuple(replace(one, begin=one.begin + frame.later) for one in record.phases),
        contact_solver=None
        if record.contact_solver is None
        else replace(record.contact_solver, times=record.contact_solver.times + frame.later),
        origin=None,
    )
    phases = other_phases(there, system, values)
    other = model_on_branch(other, there.time, pieces.state(there.time), values)
    return replace(there, model=other, parameters=visible(values), phases=phases)


def _check_frame(frame: Any, name: str) -> None:
    """Refuse what is no change of frame in space, and reflections."""
    if not isinstance(frame, ChangeOfFrame):
        raise StartError(
            f"frame {shorten(frame)} is not a frame; give vc.measures.change_of_frame(velocity, rotation, shift)"
        )
    if len(frame.velocity) != 3:
        raise StartError(
            f"frame: system '{name}': the frame has {len(frame.velocity)} dimensions, but bodies move in 3; give three numbers"
        )
    if not is_rotation(frame.rotation, ORTHONORMAL):
        raise StartError(
            f"frame: system '{name}': the rotation of the frame is a reflection, which no motion is seen from; give one with det 1"
        )


def _pieces(pieces: Pieces, moved: StateMap, frame: ChangeOfFrame) -> Pieces:
    """The steps with the state in the new frame; their polynomials are in local time, so clocks do not change them."""
    times = np.asarray(pieces.times)
    if not np.any(moved.rate) and not np.any(moved.place) and not _turns(moved):
        return Pieces(times + frame.later, pieces.coefficients)
    nq, coefficients = len(moved.rate), np.array(pieces.coefficients, dtype=float)
    coefficients[:, :nq] = np.einsum("ij,sjk->sik", moved.q, coefficients[:, :nq])
    coefficients[:, nq:] = np.einsum("ij,sjk->sik", moved.v, coefficients[:, nq:])
    coefficients[:, :nq, 0] += times[:-1, None] * moved.rate + moved.place
    coefficients[:, nq:, 0] += moved.speed
    coefficients[:, :nq, 1] += moved.rate
    return Pieces(times + frame.later, coefficients)


def _turns(moved: StateMap) -> bool:
    return any(np.any(np.eye(len(A)) != A) for A in (moved.q, moved.v))


def _chart_change(change: ChartChange, moved: StateMap, frame: ChangeOfFrame) -> ChartChange:
    before, after = (moved.q @ q + change.time * moved.rate + moved.place for q in (change.before, change.after))
    return replace(change, time=change.time + frame.later, before=before, after=after)


def _atoms(atoms: Atoms, moved: StateMap, frame: ChangeOfFrame) -> Atoms:
    """Impulses of contact are along axes that turn with the frame; given ones are along the velocities."""
    given = None if atoms.given is None else atoms.given @ moved.v.T
    return replace(atoms, times=atoms.times + frame.later, given=given)
