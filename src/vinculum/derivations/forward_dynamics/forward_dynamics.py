"""Forward dynamics: accelerations for given forces."""

import weakref
from collections.abc import Mapping

import numpy as np

from vinculum.compile.evaluate import machine_code
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm.gathered import Repeated
from vinculum.derivations.batches import evaluate_blocks, instants, is_plain, parameter_blocks
from vinculum.derivations.derive import derive
from vinculum.derivations.equations.equations import Equations
from vinculum.derivations.forward_dynamics.tapes import accelerations_tape, inertias_tape
from vinculum.derivations.states import batch_length, coordinates, external_wrenches, velocities
from vinculum.errors import MethodError, StartError
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.systems import Tree
from vinculum.tolerances.rank import NO_INERTIA

_again: "weakref.WeakKeyDictionary[Tree, dict[bool, Repeated]]" = weakref.WeakKeyDictionary()
_equations: "weakref.WeakKeyDictionary[Tree, Equations]" = weakref.WeakKeyDictionary()


def forward_dynamics(system, q, v, tau=None, out=None, *, t=0.0, parameters: Mapping | None = None,
                     external: Mapping | None = None) -> np.ndarray:  # fmt: skip
    r"""The accelerations v̇ of a system at coordinates ``q`` and velocities ``v``, (nv,) or (B, nv).

    .. math:: v̇ = M^{-1}(\tau - h)

    h contains gravity and minus the forces of the system's own springs, dampers, drives and actions; ``tau`` are
    additional generalized forces, zero by default. ``q``: (nq,) or (B, nq); ``v``, ``tau``: (nv,) or (B, nv); or
    mappings from names of joints to values, for one state, where joints not named are at zero. ``t`` and each
    parameter: a number or (B,). Arrays without a batch axis apply to the whole batch. ``external`` maps bodies to
    wrenches on them as in `inverse_dynamics`, whose inverse this is. The result is written to ``out`` if given.

    A tree is solved by the articulated-body or the composite-body algorithm, whichever is shorter, in machine code on
    all cores if that saves time. With closed loops and constraints with multipliers, the accelerations satisfy J v̇ =
    −bias at the given state, also if the state violates them. If rows are dependent, the multipliers have least norm.
    Unilateral constraints and contact are not supported.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> vc.forward_dynamics(system, q=[np.pi / 2], v=[0.0]).round(6).tolist()
    [-32.7]
    """
    model = model_for(system)
    model.check_written_out("forward dynamics")
    model.check_unbounded("forward dynamics")
    tree = model.tree
    if tree is None:
        raise StartError(
            f"the model '{model.name}' of a loaded run has only tapes; give the vc.System it was made from"
        )
    usual = type(t) is float and t == 0.0 and not parameters and external is None
    again = _again.get(tree, {}).get(tau is not None) if usual else None
    if again is not None and np.ndim(q) == 2:
        done = again((q, v) if tau is None else (q, v, tau), out)
        if done is not None:
            return done
    q, v = _as_array(model, "q", q), _as_array(model, "v", v)
    tau = None if tau is None else _as_array(model, "tau", tau)
    if tree.is_conditioned or tree.varied:
        return _write_out(model, _by_multipliers(model, tree, q, v, tau, t, parameters, external), out)
    bodies, wrenches = external_wrenches(model, external) if external is not None else ((), [])
    blocks = {"q": q, "v": v} | ({} if tau is None else {"tau": tau}) | {"t": instants("t", t)}
    blocks |= {f"external[{i}]": x for i, x in zip(bodies, wrenches, strict=True)}
    if model.layout.parameters:
        blocks["parameters"] = parameter_blocks(model, parameters)
    elif parameters:
        model.parameter_values(parameters)
    count = batch_length(blocks)
    shape = (model.nv,) if count is None else (count, model.nv)
    found = _room(model, out, shape, blocks)
    rows = found[None] if count is None else found
    tape = accelerations_tape(model, bodies, tau is not None)
    thin = inertias_tape(model, bodies, tau is not None)
    if thin is not None:
        _check_inertias(model, *thin, list(blocks.values()), len(rows))
    if model.nv and not evaluate_blocks(tape, list(blocks.values()), rows):
        _check_finite(model, blocks, rows)
    if usual and again is None and thin is None and (code := machine_code(tape)) is not None:
        sizes = (model.nq, model.nv) if tau is None else (model.nq, model.nv, model.nv)
        staying = [instants("t", 0.0), model.parameter_values(None)]
        _again.setdefault(tree, {})[tau is not None] = Repeated(code, sizes, staying)
    if out is not None and found is not out:
        out[...] = found
        return out
    return found


def _as_array(model: Model, what: str, x) -> np.ndarray:
    """An array as it was given, or what was given as an array; numbers are looked at only if they are not such an array."""
    if is_plain(x, model.nq if what == "q" else model.nv):
        return x
    return np.ascontiguousarray(coordinates(model, x) if what == "q" else velocities(model, what, x))


def _room(model: Model, out, shape: tuple[int, ...], blocks: Mapping[str, np.ndarray]) -> np.ndarray:
    """Where to write: ``out``, or an array of its own where ``out`` is missing or shares memory with an input."""
    if out is None:
        return np.empty(shape)
    _check_out(model, out, shape)
    if not is_plain(out, model.nv) or any(np.may_share_memory(out, x) for x in blocks.values()):
        return np.empty(shape)
    return out


def _write_out(model: Model, found: np.ndarray, out) -> np.ndarray:
    if out is None:
        return found
    _check_out(model, out, found.shape)
    out[...] = found
    return out


def _check_out(model: Model, out, shape: tuple[int, ...]) -> None:
    if not isinstance(out, np.ndarray) or out.dtype != float or out.shape != shape or not out.flags.writeable:
        told = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise StartError(
            f"forward dynamics of system '{model.name}': out must be a writable float array of shape {shape}, got {told}"
        )


def _check_inertias(model: Model, tape: Tape, reasons: list[str], blocks: list[np.ndarray], count: int) -> None:
    """Refuse states at which a joint moves no inertia, as far as round-off tells."""
    shares = np.empty((count, len(reasons)))
    evaluate_blocks(tape, blocks, shares)
    lost = np.argwhere(~(shares > NO_INERTIA))
    if len(lost):
        row, which = lost[0]
        raise StartError(f"forward dynamics of system '{model.name}', row {row}: {reasons[which]}")


def _check_finite(model: Model, blocks: Mapping[str, np.ndarray], found: np.ndarray) -> None:
    """Name what is not a finite number: among what was given, or in the result."""
    coordinates(model, blocks["q"])
    for what in ("v", "tau"):
        if what in blocks:
            velocities(model, what, blocks[what])
    if not np.all(np.isfinite(found)):
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise StartError(
            f"forward dynamics of system '{model.name}': the accelerations of row {row} are not finite; its coordinates, velocities or "
            "forces are too large, a chart is singular there, or a drive is undefined there"
        )


def _by_multipliers(model: Model, tree: Tree, q, v, tau, t, parameters, external) -> np.ndarray:
    if external is not None:
        raise MethodError(
            f"system '{model.name}' has {tree.conditioned_by}: external wrenches are taken for trees only; add a vc.Force, or give tau"
        )
    if tree not in _equations:
        _equations[tree] = derive(model, form="newton-euler")
    checked = coordinates(model, q), velocities(model, "v", v)
    return _equations[tree].accelerations(*checked, tau, t=t, parameters=parameters)
