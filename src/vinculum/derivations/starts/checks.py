"""Final checks of a start: every velocity must move some inertia, and prescribed bodies must have finite poses."""

from dataclasses import replace

import numpy as np

from vinculum.bodies import PrescribedBody
from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.errors import ModelError
from vinculum.models.model import Model
from vinculum.scalars import symbols
from vinculum.systems import with_masses
from vinculum.systems.state_names import v_names
from vinculum.tolerances.rank import SINGULAR_START


def check_paths(model: Model, t: float, values: np.ndarray) -> None:
    """Refuse an instant at which a prescribed body has no finite position, velocity or acceleration."""
    tree = model.tree
    if tree is None or not tree.prescribed:
        return
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    for link in tree.prescribed:
        if isinstance(link.body, PrescribedBody):
            link.body.path.check_at(f"body '{link.body.name}'", t, named)


def check_regular(model: Model, q: np.ndarray, values: np.ndarray) -> None:
    """Refuse a mass matrix that is singular at the start: a massless leaf, or a point that turns about itself."""
    tree = model.tree
    if tree is None or tree.nv == 0:
        return
    M = mass_matrix_at(model, q, values)
    if not np.all(np.isfinite(M)):
        moving = [name for name, row in zip(v_names(tree), M, strict=True) if not np.all(np.isfinite(row))]
        raise ModelError(
            f"system '{tree.name}': the inertia that the velocities {moving} move is not finite, so large are the "
            "masses, lengths or pitches there; check their units"
        )
    scale = np.sqrt(np.maximum(M.diagonal(), 0.0))
    massless = [v_names(tree)[i] for i in np.flatnonzero(scale == 0.0)]
    if not massless and _is_definite(M / (scale[:, None] * scale)):
        return
    if not massless:
        shape, vectors = np.linalg.eigh(M / (scale[:, None] * scale))
        if shape[0] > SINGULAR_START:
            return
        massless = [v_names(tree)[i] for i in np.flatnonzero(np.abs(vectors[:, 0]) > 0.1)]
    raise ModelError(
        f"system '{tree.name}': the velocities {massless} move no mass or inertia at the start, so their "
        "accelerations are not determined (a massless leaf); give the body inertia about the joint's axis, "
        "or use a joint with fewer degrees of freedom"
    )


def mass_matrix_at(model: Model, q: np.ndarray, values: np.ndarray) -> np.ndarray:
    """M(q) in numbers, column by column: the forces that the acceleration of one velocity at a time needs, without weight.

    Its graph grows with the number of joints, where that of M as a formula grows with the square. Prescribed bodies accelerate by
    themselves, so trees with any have M written out.
    """
    tree = model.tree
    assert tree is not None
    n, given = tree.nv, symbols("q", tree.nq)
    tree = with_masses(tree, given)
    if tree.prescribed:
        if "mass_matrix" not in model.tapes:
            model.tapes["mass_matrix"] = trace({"q": given}, {"M": mass_matrix(tree, given)}, model.parameters)
        return evaluate(model.tapes["mass_matrix"], np.concatenate([q, values])[None]).reshape(n, n)
    if "inertia_forces" not in model.tapes:
        a = symbols("a", n)
        forces, _ = inverse_dynamics(replace(tree, gravity=np.zeros(3)), given, np.zeros(n), a)
        model.tapes["inertia_forces"] = trace({"q": given, "a": a}, {"forces": forces}, model.parameters)
    rows = np.concatenate([np.tile(q, (n, 1)), np.eye(n), np.tile(values, (n, 1))], axis=1)
    return evaluate(model.tapes["inertia_forces"], rows)


def _is_definite(S: np.ndarray) -> bool:
    """Whether a matrix with ones on its diagonal is positive definite beyond doubt."""
    try:
        np.linalg.cholesky(S - 10.0 * SINGULAR_START * np.eye(len(S)))
    except np.linalg.LinAlgError:
        return False
    return True
