"""Motions too fast for a Taylor series in seconds: its coefficients overflow."""

import math

import numpy as np

from vinculum.compile.targets import arrays
from vinculum.integrators.taylor.tolerance import series_tolerance
from vinculum.models.model import Model
from vinculum.tolerances.functions import STIFFNESS_STEP
from vinculum.tolerances.steps import BRIEF_RUN, LARGEST_POWER, USUAL_ORDER


def overflows(model: Model, row: np.ndarray, tolerance: float, span: float) -> bool:
    r"""Whether the last coefficients of a Taylor series would overflow.

    .. math:: c_p \approx |y|\,\omega^p,\qquad \omega = \max\big(\sqrt{|\partial\dot v/\partial q|},\ |\dot q|/|q|\big)

    A series to the tolerance ε has the order p = 1 − ½ ln ε. Atoms in SI units vibrate 10¹³ times a second, and their positions of 10⁻¹⁰
    m next to velocities of 10² m/s require a small ε. ``row``: (q, v, t, parameters) at the start; ``span`` [s] of the run.
    """
    order = 1.0 - 0.5 * math.log(series_tolerance(model, row, tolerance))
    if order < USUAL_ORDER and span > BRIEF_RUN:
        return False
    nq = model.nq
    groups = np.asarray(model.layout.groups, dtype=int)[:nq]
    sizes = np.array([np.abs(row[:nq][groups == g]).max() for g in groups])
    if not np.any(sizes):
        sizes = np.full(nq, span * np.abs(row[nq : nq + model.nv]).max(initial=0.0))
    if not np.any(sizes):
        return False
    sizes = np.where(sizes > 0.0, sizes, sizes[sizes > 0.0].min())
    rows = np.tile(row, (nq + 1, 1))
    rows[np.arange(1, nq + 1), np.arange(nq)] += STIFFNESS_STEP * sizes
    with np.errstate(all="ignore"):
        rates = arrays.evaluate(model.tape("motion"), rows)
        stiffness = (
            (np.abs(rates[1:, nq:] - rates[0, nq:]) / (STIFFNESS_STEP * sizes[:, None])).sum(axis=0).max(initial=0.0)
        )
        fastest = max(float(np.sqrt(stiffness)), float((np.abs(rates[0, :nq]) / sizes).max()), 1.0)
    return bool(order * math.log10(fastest) + np.log10(np.abs(row[: nq + model.nv]).max()) > LARGEST_POWER)
