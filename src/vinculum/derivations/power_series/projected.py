"""The projected equations of a system as a residual, in the selected form."""

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.series.program import SeriesProgram, series_program
from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms import boltzmann_hamel
from vinculum.equations.forms.telegin import projected_residual
from vinculum.equations.observables.accelerations import chart_feedback
from vinculum.equations.recursions.coordinate_rates import rates, with_mass_rates
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.errors import MethodError
from vinculum.models.model import Model
from vinculum.scalars import symbol, symbols
from vinculum.systems import Tree, nearest, with_bases


def newton_euler_residual(tree: Tree, t, q, v, a) -> np.ndarray:
    """Generalized forces that the motion needs less those that act, (nv,): zero along a motion with a = v̇."""
    needed, _ = inverse_dynamics(tree, q, v, a, inertias=regrouped_inertias(tree))
    return needed - applied_forces(tree, t, q, v)


def lagrange_residual(tree: Tree, t, q, v, a) -> np.ndarray:
    """What the Boltzmann–Hamel equations leave over, (nv,)."""
    return boltzmann_hamel.residual(tree, t, q, v, a)[0]


RESIDUALS: dict[str, Callable] = {
    "newton-euler": newton_euler_residual,
    "telegin": projected_residual,
    "lagrange": lagrange_residual,
}

_programs: "WeakKeyDictionary[Model, dict[tuple[str, bool], SeriesProgram]]" = WeakKeyDictionary()


def projected_program(model: Model, form: str, feedback: bool = False) -> SeriesProgram:
    """The residual (nv) and q̇ = N v (nq) over (q, v, t, a, parameters), as a program of power series.

    ``feedback`` adds to q̇ what pulls round-off back to the chart, for long motions.
    """
    if form not in RESIDUALS:
        raise MethodError(f"form {form!r} is not known{nearest(str(form), RESIDUALS)}; use one of {list(RESIDUALS)}")
    made = _programs.setdefault(model, {})
    if (form, feedback) not in made:
        tree = model.tree
        if tree is None:
            raise MethodError(f"'{model.name}' is a loaded run; power series need the System it came from")
        if tree.is_conditioned or tree.varied:
            raise MethodError(
                f"system '{model.name}' has {tree.conditioned_by}, which the projected equations of its tree leave "
                "out; use simulate with method='taylor' or 'dop853'"
            )
        tree = with_bases(tree)
        q, v, t, a = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t"), symbols("a", tree.nv)
        tree = tree.at(t, q)
        q_dot = with_mass_rates(tree, rates(tree, q, v), q, v)
        outputs = {
            "residual": RESIDUALS[form](tree, t, q, v, a),
            "q_dot": q_dot + chart_feedback(tree, q) if feedback else q_dot,
        }
        tape = trace({"q": q, "v": v, "t": np.array([t]), "a": a}, outputs, model.parameters)
        made[form, feedback] = series_program(tape, linear_in="a")
    return made[form, feedback]
