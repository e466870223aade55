"""The last checks before a start is used: every velocity must move some inertia, prescribed bodies must be somewhere."""

import numpy as np

from vinculum.bodies import PrescribedBody
from vinculum.equations.composite import mass_matrix
from vinculum.errors import ModelError
from vinculum.kernels.model import Model
from vinculum.kernels.trace import trace
from vinculum.kernels.vm import evaluate_one
from vinculum.scalars import symbols

SINGULAR = 1e-13


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
    if "mass_matrix" not in model.tapes:
        given = symbols("q", tree.nq)
        model.tapes["mass_matrix"] = trace({"q": given}, {"M": mass_matrix(tree, given)}, model.parameters)
    M = evaluate_one(model.tapes["mass_matrix"], np.concatenate([q, values])).reshape(tree.nv, tree.nv)
    if not np.all(np.isfinite(M)):
        moving = [name for name, row in zip(tree.v_names(), M, strict=True) if not np.all(np.isfinite(row))]
        raise ModelError(
            f"system '{tree.name}': the inertia that the velocities {moving} move is not finite, so large are the "
            "masses, lengths or pitches there; check their units"
        )
    scale = np.sqrt(np.maximum(M.diagonal(), 0.0))
    massless = [tree.v_names()[i] for i in np.flatnonzero(scale == 0.0)]
    if not massless and _is_definite(M / (scale[:, None] * scale)):
        return
    if not massless:
        shape, vectors = np.linalg.eigh(M / (scale[:, None] * scale))
        if shape[0] > SINGULAR:
            return
        massless = [tree.v_names()[i] for i in np.flatnonzero(np.abs(vectors[:, 0]) > 0.1)]
    raise ModelError(
        f"system '{tree.name}': the velocities {massless} move no mass or inertia at the start, so their "
        "accelerations are not determined (a massless leaf); give the body inertia about the joint's axis, "
        "or use a joint with fewer freedoms"
    )


def _is_definite(S: np.ndarray) -> bool:
    """Whether a matrix with ones on its diagonal is positive definite beyond doubt."""
    try:
        np.linalg.cholesky(S - 10.0 * SINGULAR * np.eye(len(S)))
    except np.linalg.LinAlgError:
        return False
    return True
