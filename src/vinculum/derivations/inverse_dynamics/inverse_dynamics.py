"""Inverse dynamics: generalized forces of a given motion, and the wrenches in the joints."""

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_again, machine_code
from vinculum.compile.targets.llvm.gathered import Repeated, empty_blocks, in_rows
from vinculum.derivations.batches import evaluate_blocks, instants, is_plain, parameter_blocks
from vinculum.derivations.inverse_dynamics.tapes import FORCES, applied_tape, forces_tape, wrenches_tape
from vinculum.derivations.states import batch_length, coordinates, external_wrenches, is_finite, velocities
from vinculum.errors import MethodError, StartError
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.systems import Tree, nearest

_again: "weakref.WeakKeyDictionary[Tree, dict[str, Repeated]]" = weakref.WeakKeyDictionary()


@final
@dataclass(frozen=True, eq=False)
class InverseDynamics:
    """Generalized forces and joint wrenches of a given motion; arrays for one state, or with the batch axis first.

    ``forces`` (nv,) or (B, nv): total generalized forces along the velocities of the joints. ``missing``: their part
    that is not exerted by the joints' springs, dampers and drives; zero in a free motion of the system. ``names`` (nv)
    are those of the velocities. `wrench` and `drive` refer to one joint.
    """

    model: Model
    form: str
    forces: np.ndarray
    _bodies: tuple[int, ...]
    _blocks: np.ndarray

    def __repr__(self):
        rows = "" if self.forces.ndim == 1 else f", {len(self.forces)} states"
        return f"InverseDynamics of '{self.model.name}', {self.form}{rows}"

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each generalized force: that of the velocity it works on."""
        return tuple(self.model.layout.v_names)

    @cached_property
    def missing(self) -> np.ndarray:
        """``forces`` minus those of the joints' springs, dampers and drives."""
        state, last = self.model.nq + self.model.nv, self._inputs.shape[1] - len(self.model.parameters)
        time = state + self.model.nv
        chosen = [*range(state), time, *range(last, self._inputs.shape[1])]
        applied = evaluate_again(applied_tape(self.model), self._inputs[:, chosen])
        return self.forces - _finite(self.model, applied).reshape(self.forces.shape)

    def drive(self, joint) -> np.ndarray:
        """The force that an additional drive of one joint must exert: its part of ``missing``, a number (or (B,)) if
        it has one velocity."""
        first, last = self.model.index("joints", joint).v
        return self.missing[..., first] if last - first == 1 else self.missing[..., first:last]

    def wrench(self, joint) -> np.ndarray:
        """Wrench (force, moment) of the parent on the child at the child's joint origin, world axes, (6,) or (B, 6)."""
        self.model.index("joints", joint)
        found = self._wrenches[joint if isinstance(joint, str) else joint.name]
        return found[0] if self.forces.ndim == 1 else found

    @cached_property
    def _inputs(self) -> np.ndarray:
        return in_rows(self._blocks, 1 if self.forces.ndim == 1 else len(self.forces))

    @cached_property
    def _wrenches(self) -> dict[str, np.ndarray]:
        tape = wrenches_tape(self.model, self.form, self._bodies)
        found = _finite(self.model, evaluate_again(tape, self._inputs))
        return {joint: found[:, place] for joint, place in tape.slices(tape.outputs).items()}


def inverse_dynamics(
    system, q, v, a, *, t=0.0, parameters: Mapping | None = None, external: Mapping | None = None, form: str = "telegin"
) -> InverseDynamics:
    """Generalized forces of the joints for accelerations ``a`` at coordinates ``q`` and velocities ``v``.

    ``q``: (nq,) or (B, nq); ``v``, ``a``: (nv,) or (B, nv); or mappings from names of joints to values, for one state, where
    joints not named are at zero. ``t`` and each parameter: a number or (B,). Arrays without a batch axis apply to the
    whole batch. ``external`` maps bodies to wrenches on them, in addition to gravity and the system's own actions:
    (6,) or (B, 6) at the body's origin in world axes, or a `Wrench`. ``form``: "telegin" (Telegin 2014, eqs. (22),
    (23)) or "newton-euler" (the recursion); they agree to round-off.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> vc.inverse_dynamics(system, q=[np.pi / 2], v=[0.0], a=[0.0]).forces.round(6).tolist()
    [1.4715]
    """
    model = model_for(system)
    model.check_written_out("inverse dynamics")
    model.check_unbounded("inverse dynamics")
    if model.tree is None:
        raise StartError(
            f"the model '{model.name}' of a loaded run has only tapes; give the vc.System it was made from"
        )
    if model.tree.is_conditioned or model.tree.varied:
        raise MethodError(
            f"system '{model.name}' has {model.tree.conditioned_by}: the motion alone does not determine how "
            "the joints of a loop share the forces; run it and ask motion.joint(joint).reaction, or open the loops"
        )
    if form not in FORCES:
        raise MethodError(f"form {form!r} is not known{nearest(form, FORCES)}")
    quick = not model.layout.quaternions
    usual = quick and type(t) is float and t == 0.0 and not parameters and not external
    again = _again.get(model.tree, {}).get(form) if usual else None
    if again is not None and np.ndim(q) == 2:
        kept = empty_blocks(len(q), forces_tape(model, form, ()).n_in)
        done = again((q, v, a), None, kept)
        if done is not None:
            return InverseDynamics(model, form, done, (), kept)
    state = {"q": q if quick and is_plain(q, model.nq) else np.ascontiguousarray(coordinates(model, q))}
    for what, given in (("v", v), ("a", a)):
        state[what] = given if is_plain(given, model.nv) else np.ascontiguousarray(velocities(model, what, given))
    bodies, wrenches = external_wrenches(model, external)
    blocks = state | {"t": instants("t", t)} | {f"external[{i}]": x for i, x in zip(bodies, wrenches, strict=True)}
    blocks |= {"parameters": parameter_blocks(model, parameters)}
    count = batch_length(blocks)
    rows = 1 if count is None else count
    tape = forces_tape(model, form, bodies)
    forces, kept = np.empty((rows, model.nv)), empty_blocks(rows, tape.n_in)
    if not evaluate_blocks(tape, list(blocks.values()), forces, kept):
        coordinates(model, state["q"])
        velocities(model, "v", state["v"])
        velocities(model, "a", state["a"])
        _finite(model, forces)
    if usual and again is None and (code := machine_code(tape)) is not None:
        sizes, staying = (model.nq, model.nv, model.nv), [instants("t", 0.0), model.parameter_values(None)]
        _again.setdefault(model.tree, {})[form] = Repeated(code, sizes, staying)
    return InverseDynamics(model, form, forces[0] if count is None else forces, bodies, kept)


def _finite(model: Model, found: np.ndarray) -> np.ndarray:
    if not is_finite(found):
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise StartError(
            f"inverse dynamics of system '{model.name}': the forces of row {row} are not finite; "
            "its coordinates, velocities or accelerations are too large, or a drive is undefined there"
        )
    return found
