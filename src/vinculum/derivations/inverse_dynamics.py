"""Inverse dynamics: the forces that a given motion needs, and all that the joints carry meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.derivations.inverse_tapes import FORCES, applied_tape, forces_tape, wrenches_tape
from vinculum.derivations.states import batch_length, coordinates, external_wrenches, is_finite, velocities
from vinculum.errors import MethodError, StartError
from vinculum.kernels.evaluate import evaluate_again
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class InverseDynamics:
    """What the joints exert in a given motion; arrays of one state, or with the batch first.

    ``forces`` (nv,) or (B, nv): generalized forces along the freedoms of the joints in total, by whatever they are exerted.
    ``missing``: what is left of them after the joints' springs, dampers and drives have done their part; zero in a motion
    that the system makes by itself. ``names`` (nv) are those of the velocities. `wrench` and `drive` pick a joint.
    """

    model: Model
    form: str
    forces: np.ndarray
    _bodies: tuple[int, ...]
    _inputs: np.ndarray
    _time: np.ndarray

    def __repr__(self):
        rows = "" if self.forces.ndim == 1 else f", {len(self.forces)} states"
        return f"InverseDynamics of '{self.model.name}', {self.form}{rows}"

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each generalized force: that of the velocity it works on."""
        return tuple(self.model.layout["v_names"])

    @cached_property
    def missing(self) -> np.ndarray:
        """``forces`` less those of the joints' springs, dampers and drives."""
        given = self._inputs[:, self._inputs.shape[1] - len(self.model.parameters) :]
        state = self._inputs[:, : self.model.nq + self.model.nv]
        applied = evaluate_again(applied_tape(self.model), np.hstack([state, self._time, given]))
        return self.forces - _finite(self.model, applied).reshape(self.forces.shape)

    def drive(self, joint) -> np.ndarray:
        """What a further drive of one joint must exert: its part of ``missing``, a number (or (B,)) if it has one velocity."""
        first, last = self.model.index("joints", joint)["v"]
        return self.missing[..., first] if last - first == 1 else self.missing[..., first:last]

    def wrench(self, joint) -> np.ndarray:
        """Wrench (force, moment) of the parent on the child at the child's joint origin, world axes, (6,) or (B, 6)."""
        self.model.index("joints", joint)
        found = self._wrenches[joint if isinstance(joint, str) else joint.name]
        return found[0] if self.forces.ndim == 1 else found

    @cached_property
    def _wrenches(self) -> dict[str, np.ndarray]:
        tape = wrenches_tape(self.model, self.form, self._bodies)
        found = _finite(self.model, evaluate_again(tape, self._inputs))
        return {joint: found[:, place] for joint, place in tape.slices(tape.outputs).items()}


def inverse_dynamics(
    system, q, v, a, *, t=0.0, parameters: Mapping | None = None, external: Mapping | None = None, form: str = "telegin"
) -> InverseDynamics:
    """The forces of the joints that give the system accelerations ``a`` at coordinates ``q`` and velocities ``v``.

    ``q``: (nq,) or (B, nq); ``v``, ``a``: (nv,) or (B, nv); or mappings from names of joints to values, for one state, where
    joints not named are at zero. ``t`` and each parameter: a number or (B,). Arrays without a batch hold for all of it.
    ``external`` maps bodies to wrenches on them besides gravity and the system's own actions: (6,) or (B, 6) at the body's
    origin in world axes, or a `Wrench`. ``form``: "telegin" (Telegin 2014, eqs. (22), (23)) or "newton-euler" (the recursion);
    they agree to round-off.
    """
    model = model_for(system)
    model.check_written_out("inverse dynamics")
    model.check_unbounded("inverse dynamics")
    if model.tree is None:
        raise StartError(
            f"the model '{model.name}' of a loaded run holds tapes only; give the vc.System it was made from"
        )
    if model.tree.is_conditioned or model.tree.varied:
        raise MethodError(
            f"system '{model.name}' has {model.tree.conditioned_by}: the motion alone does not determine how "
            "the joints of a loop share the forces; run it and ask motion.reaction(joint), or open the loops"
        )
    if form not in FORCES:
        raise MethodError(f"form {form!r} is not known{nearest(form, FORCES)}")
    state = {"q": coordinates(model, q), "v": velocities(model, "v", v), "a": velocities(model, "a", a)}
    bodies, wrenches = external_wrenches(model, external)
    time, values = _column("t", t), _values(model, parameters)
    blocks = state | {"t": time} | {f"external[{i}]": x for i, x in zip(bodies, wrenches, strict=True)}
    blocks |= {"parameters": values}
    count = batch_length(blocks)
    rows = 1 if count is None else count
    inputs = np.empty((rows, sum(x.shape[-1] for x in blocks.values())))
    start = 0
    for block in blocks.values():
        inputs[:, start : start + block.shape[-1]] = block
        start += block.shape[-1]
    forces = _finite(model, evaluate_again(forces_tape(model, form, bodies), inputs))
    return InverseDynamics(
        model, form, forces[0] if count is None else forces, bodies, inputs, np.broadcast_to(time, (rows, 1))
    )


def _column(what: str, given) -> np.ndarray:
    """A number as (1,), a row of them as (B, 1)."""
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"{what}: {given!r} is not a number or a row of numbers") from error
    if array.ndim > 1:
        raise StartError(f"{what} must be a number or a row of numbers, got shape {array.shape}")
    if not np.all(np.isfinite(array)):
        raise StartError(f"{what} holds NaN or infinity; give finite numbers")
    return array.reshape(-1, 1) if array.ndim else array.reshape(1)


def _values(model: Model, parameters: Mapping | None) -> np.ndarray:
    """Values of all parameters in order, (p,) or (B, p), each checked as for a run."""
    if not parameters:
        return np.array(list(model.layout["parameters"].values()), dtype=float)
    given = {name: _column(f"parameter '{name}'", x) for name, x in parameters.items()}
    count = batch_length({f"parameter '{name}'": x for name, x in given.items()})
    if count is None:
        return model.parameter_values({name: x[0] for name, x in given.items()})
    rows = [
        model.parameter_values({n: x[k, 0] if x.ndim == 2 else x[0] for n, x in given.items()}) for k in range(count)
    ]
    return np.stack(rows) if rows else np.empty((0, len(model.parameters)))


def _finite(model: Model, found: np.ndarray) -> np.ndarray:
    if not is_finite(found):
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise StartError(
            f"inverse dynamics of system '{model.name}': the forces of row {row} are not finite; "
            "its coordinates, velocities or accelerations are too large, or a drive is undefined there"
        )
    return found
