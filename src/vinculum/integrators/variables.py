"""The variables of a method: symplectic methods use (q, p) if the model has canonical momenta.

Velocity Verlet and the midpoint rule are symplectic in canonical variables only. Quasi-velocities, such as a body twist with a
quaternion, have no canonical momenta. There the methods are reversible in time but not symplectic.
"""

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.tape import Tape
from vinculum.models.model import Model
from vinculum.motion.method import METHODS


def is_canonical(method: str, model: Model) -> bool:
    """Whether the method takes its steps in (q, p)."""
    return METHODS[method].symplectic and model.layout.flat


def field(method: str, model: Model) -> Tape:
    """The rates of the method's own variables."""
    return model.tape("canonical" if is_canonical(method, model) else "motion")


def stepping_field(method: str, model: Model) -> Tape:
    """The rates of the method's own variables, without feedback if the model has conditions, since steps end on these."""
    return model.tape("plain") if model.layout.kept else field(method, model)


def inward(method: str, model: Model, rows: np.ndarray) -> np.ndarray:
    """States (B, n) in the method's own variables, from rows (q, v, t, parameters)."""
    n, nq = model.nq + model.nv, model.nq
    if not is_canonical(method, model):
        return rows[:, :n].copy()
    return np.concatenate([rows[:, :nq], evaluate(model.tape("momenta"), rows)], axis=1)


def outward(method: str, model: Model, rows: np.ndarray) -> np.ndarray:
    """States (q, v), (B, n), from rows (the method's own variables, t, parameters)."""
    n, nq = model.nq + model.nv, model.nq
    if not is_canonical(method, model):
        return rows[:, :n].copy()
    return np.concatenate([rows[:, :nq], evaluate(model.tape("velocities"), rows)], axis=1)
