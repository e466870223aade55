"""`linearize`: the linear equations of a system about an equilibrium or a steady motion."""

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from vinculum.derivations.linearization.arguments import SETTLED, UNSETTLED, check_arguments, tidy_rows
from vinculum.derivations.linearization.independent_coordinates import chosen_rows
from vinculum.derivations.linearization.linearization import Linearization, LinearizedState, StateNames
from vinculum.derivations.linearization.perturbations import Allowed, allowed_perturbations
from vinculum.derivations.linearization.settling import settle_state
from vinculum.derivations.linearization.steady_motions import steady_motion
from vinculum.derivations.starts.assembly import assemble
from vinculum.derivations.starts.checks import check_paths, check_regular, mass_matrix_at
from vinculum.derivations.starts.constraint_starts import SETTLE, check_constraints, check_multipliers, check_numbers
from vinculum.errors import MethodError, StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.systems import named_in_start, nearest, start_state


def linearize(
    system,
    at: Mapping[str, object] | None = None,
    *,
    coordinates: Sequence[str] = (),
    inputs: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    settle: bool = False,
) -> Linearization:
    r"""Linear equations of small perturbations of ``system`` about an equilibrium or a steady motion.

    .. math:: \dot x = A\,x + B\,f,\qquad x = (\delta q, \delta u)

    ``at``: the state, written like the start of a run. A state that is neither an equilibrium nor steady is refused,
    unless ``settle`` is True, which searches for one nearby. In a steady motion velocities are constant, and the
    coordinates that change do not enter the equations: a wheel that rolls straight, a coin on a circle, a top that
    precesses. Every perturbation satisfies closed loops and constraints, holonomic or not, so x contains only
    independent coordinates and speeds: those named in ``coordinates`` first, the others are chosen. ``inputs``:
    velocities along which generalized forces act (N, N m), or parameters. The derivatives are exact derivatives of the
    equations that `simulate` integrates. A `LagrangianSystem` has the same; of order N its coordinates are q, …, q^{(N−1)}, and
    Ostrogradsky's momenta stand among the multipliers.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> linear = vc.linearize(system, {"hinge": 0.0})
    >>> np.abs(linear.eigenvalues.imag).round(4).tolist()
    [5.7184, 5.7184]
    """
    return linear_equations(system, at, coordinates, inputs, parameters, t, settle)


@singledispatch
def linear_equations(
    system: Any,
    at: Mapping[str, object] | None,
    coordinates: Sequence[str],
    inputs: Sequence[str],
    parameters: Mapping[str, float] | None,
    t: float,
    settle: bool,
) -> Linearization:
    """Linear equations of what is described: bodies, where nothing else is registered for its class."""
    model = model_for(system)
    model.check_written_out("linear equations")
    model.check_unbounded("linear equations")
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run; linearize needs the System it came from")
    if not tree.nv:
        raise MethodError(
            f"system '{model.name}' has no velocities, so nothing in it can be perturbed; give a body a joint that moves"
        )
    if tree.varying:
        raise MethodError(
            f"system '{model.name}': the mass of '{tree.varying[0].body.name}' varies, so no motion of it is steady; linearize the "
            "same body without sources"
        )
    check_arguments(t, settle, inputs)
    check_numbers(model, "linear equations")
    values = model.parameter_values(parameters)
    q, v = start_state(tree, at, dict(zip(model.parameter_names, values.tolist(), strict=True)))
    check_paths(model, t, values)
    log: list[str] = []
    if tree.is_conditioned:
        if not settle:
            check_constraints(model, q, v, t, values, SETTLE)
        made = assemble(model, q, v, values, *named_in_start(at), t=t)
        if made.singular:
            raise StartError(
                f"system '{model.name}': {(np.round(made.q, 6) + 0.0).tolist()} is a singular position, where the bonds leave more "
                "degrees of freedom than nearby and perturbations do not satisfy linear equations; choose a state nearby"
            )
        model, q, v, values, log = made.model, made.q, made.v, made.values, made.log
        check_multipliers(model, q, v, t, values)
    check_regular(model, q, values)
    state = np.concatenate([q, v])
    if settle:
        state = settle_state(model, state, t, values)
    free = allowed_perturbations(model, state, t, values)
    found = steady_motion(model, state, t, values, free, SETTLED if settle else UNSETTLED)
    names = model.layout.v_names
    places = chosen_rows(model.name, names, free.P, coordinates, "coordinates")
    speeds = chosen_rows(model.name, names, free.D, [x for x in coordinates if x in names], "velocities", strict=False)
    count, nv = len(found.A) - 2 * model.nv, model.nv
    T = free.of(places, speeds).columns(count)
    rows = [*places, *range(nv, nv + count), *(nv + count + i for i in speeds)]
    inverse, B = _input_rates(
        model, state[: model.nq], values, free.of(places, speeds), found.by_parameters[rows], inputs
    )
    return Linearization(
        system=model.name,
        states=StateNames(
            tuple(names[i] for i in places),
            tuple(model.layout.q_names[model.nq - count :]),
            tuple(names[i] for i in speeds),
        ),
        A=tidy_rows((found.A @ T)[rows]),
        inputs=tuple(inputs),
        B=B,
        inverse_mass=inverse,
        about=LinearizedState(state[: model.nq], state[model.nq :], float(t), found.moves),
        log=tuple(log),
    )


def _input_rates(model: Model, q, values, free: Allowed, by_parameters, inputs) -> tuple[np.ndarray | None, np.ndarray]:
    """The inverse of the mass matrix of the speeds, and the rates of all states by the inputs."""
    tree = model.tree
    assert tree is not None
    known, names = model.parameter_names, model.layout.v_names
    B = np.zeros((len(by_parameters), len(inputs)))
    M = mass_matrix_at(model, q, values)
    inverse = np.linalg.inv(free.D.T @ M @ free.D) if _ideal(model) and model.nv else None
    for k, name in enumerate(inputs):
        if name in names:
            if inverse is None:
                raise MethodError(
                    f"system '{model.name}': how a force along '{name}' acts is not known where constraints add inertia or multipliers to "
                    "the state; leave it out of inputs="
                )
            B[len(B) - len(inverse) :, k] = inverse @ free.D[names.index(name)]
        elif name in visible(model.parameters):
            B[:, k] = by_parameters[:, known.index(name)]
        else:
            everything = [*names, *visible(model.parameters)]
            raise StartError(
                f"inputs: there is no velocity or parameter '{name}' in system '{model.name}'{nearest(name, everything)}"
            )
    return inverse, B


def _ideal(model: Model) -> bool:
    """Whether all reactions act along the conditions that they keep."""
    assert model.tree is not None
    kept = [one for one in model.tree.constraints if one.holds]
    realizations = [one.constraint.realization for one in kept]
    return not model.tree.varied and all(one is not None and one.claims.ideal for one in realizations)
