"""The certificate of a Lagrangian motion: stationary action, energy balance, constraints and rates."""

import numpy as np

from vinculum.audits.balances.singular_positions import singular_lines
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.lagrangian.stationary_action import stationarity
from vinculum.audits.quadrature import W_KRONROD, X
from vinculum.audits.scaling.scales import finite, relative_residual
from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.motion.pieces import horner
from vinculum.tolerances.certificates import (
    CLAIM_SAFETY,
    DENSE_OUTPUT_SAFETY,
    LAGRANGIAN_BY_DOP853,
    LAGRANGIAN_BY_TAYLOR,
    RATES_RESOLVED,
    REACTIONS_KNOWN,
)
from vinculum.tolerances.rank import LEAST_RATIO
from vinculum.tolerances.round_off import ROUND_OFF, TEN_ROUND_OFFS, TINY
from vinculum.tolerances.samples import FEWEST_STEPS_COUNTED, INSTANTS_OF_LAGRANGIANS

USUAL = {"taylor": LAGRANGIAN_BY_TAYLOR, "dop853": LAGRANGIAN_BY_DOP853}
GIVEN = "given"


def lagrangian_certificate(motion: LagrangianRecord) -> Certificate:
    """Every law of a Lagrangian system, measured on this motion."""
    steps, method = len(motion.pieces), motion.method
    allowed, tolerance = allowed_error(motion), method.tolerance or 0.0
    summed = (
        allowed
        if method.claims.name == GIVEN
        else USUAL[method.claims.name] + max(steps, FEWEST_STEPS_COUNTED) * tolerance
    )
    reason = f"{steps} steps to {method.tolerance:.1e}"
    found = stationarity(motion)
    lines = [Line("stationary action", found.residual, allowed + found.doubt, f"values of L on varied curves; {reason}",
                  found.detail, doubt=10.0 * (allowed + found.doubt))]  # fmt: skip
    balance, constraints, rates = _along(motion)
    lines.append(Line("energy balance", balance, summed, f"work by quadrature; {reason}", doubt=10.0 * summed))
    lines += [Line(f"constraint '{name}'", x, allowed, f"F = 0 between all instants; {reason}", doubt=10.0 * allowed)
              for name, x in constraints.items()]  # fmt: skip
    lines.append(Line("rates", rates, allowed, f"derivatives of the dense output; {reason}", doubt=10.0 * allowed))
    lines += _reaction_line(motion)
    lines += singular_lines(motion)
    described = f"{motion.pieces.begin:g} to {motion.pieces.end:g}, {steps} steps, {method}"
    return Certificate(motion.model.name, described, tuple(lines))


def allowed_error(motion: LagrangianRecord) -> float:
    """Tolerance of dense output. For a given motion, its claimed accuracy with a margin for difference quotients."""
    tolerance = motion.method.tolerance or 0.0
    if motion.method.claims.name == GIVEN:
        return CLAIM_SAFETY * tolerance
    return USUAL[motion.method.claims.name] + DENSE_OUTPUT_SAFETY * tolerance


def _reaction_line(motion: LagrangianRecord) -> list[Line]:
    """The power of all reactions by the left side of the Euler–Lagrange equations, compared with the rows of constraints, at some instants.

    The scale: the terms of these powers; if round-off hides them, the rate at which p·v could change.
    """
    tape = motion.model.tape("report")
    if "by rows" not in dict(tape.outputs):
        return []
    time = np.linspace(motion.pieces.begin, motion.pieces.end, INSTANTS_OF_LAGRANGIANS)
    condition = _conditions(motion, time)
    time, condition = (x[condition <= max(REACTIONS_KNOWN, condition.min())] for x in (time, condition))
    found = evaluate_groups(tape, motion.rows(time))
    apart = finite(found["by motion"] - found["by rows"])[:, 0]
    own = max(float(found["reaction size"].max()), float(np.abs(found["by rows"]).max()))
    claimed = max(allowed_error(motion), ROUND_OFF * float(condition.max()))
    residual, allowed = relative_residual(float(apart.max()), own, _pace(motion, time, found), claimed, TEN_ROUND_OFFS)
    detail = f"at t = {time[int(np.argmax(apart))]:.4g}" if residual > allowed else ""
    reason = "left side of the equations against rows of constraints"
    return [Line("work of reactions", residual, allowed, reason, detail, doubt=10.0 * allowed)]


def _pace(motion: LagrangianRecord, time: np.ndarray, found: dict[str, np.ndarray]) -> float:
    """The power that would change p·v in a step: the scale of round-off in powers if reactions do no work."""
    n, order = len(motion.coordinates), motion.order
    levels = motion.rows(time)[:, : (order + 1) * n].reshape(-1, order + 1, n)
    energy = np.abs(found["momenta"].reshape(-1, order, n) * levels[:, 1:]).sum(axis=(1, 2)).max()
    return float(energy) * len(motion.pieces) / (motion.pieces.end - motion.pieces.begin)


def _conditions(motion: LagrangianRecord, time: np.ndarray) -> np.ndarray:
    """Factors (T,) by which round-off grows in reactions: the square of the largest size of rows over the least singular value."""
    tape = motion.model.tape("conditions")
    B = evaluate_groups(tape, motion.rows(time))["rows"].reshape(len(time), -1, len(motion.coordinates))
    s = np.linalg.svd(np.where(np.isfinite(B), B, 0.0), compute_uv=False)
    return np.maximum(s[:, -1] / max(float(s[:, 0].max()), TINY), LEAST_RATIO) ** -2.0


def _along(motion: LagrangianRecord) -> tuple[float, dict[str, float], float]:
    """Relative defects of the energy balance, of each constraint and of the rates, over all steps."""
    n, order, tape = len(motion.coordinates), motion.order, motion.model.tape("report")
    constrained = [entry.name for entry in motion.constrained if entry.multipliers != "loose"]
    first, work, gross, size, defect = None, 0.0, 0.0, 0.0, 0.0
    worst, sizes = dict.fromkeys(constrained, 0.0), dict.fromkeys(constrained, 0.0)
    off, speeds = np.zeros((order, n)), np.zeros((order, n))
    span = motion.pieces.end - motion.pieces.begin
    for edges, pieces in motion.pieces.blocks():
        h, count = np.diff(edges), len(X)
        local = np.concatenate([np.outer(h, X), h[:, None]], axis=1)
        times = (edges[:-1, None] + local).ravel()
        which = np.repeat(np.arange(len(h)), count + 1)
        states = horner(pieces, local.ravel(), which)
        given = np.broadcast_to(motion.values, (len(times), len(motion.values)))
        at = evaluate_groups(tape, np.concatenate([states, times[:, None], given], axis=1))
        energy, power = (at[name][:, 0].reshape(len(h), count + 1) for name in ("total", "power"))
        begin = evaluate_groups(tape, motion.rows(edges[:1]))["total"][0, 0]
        first = begin if first is None else first
        done = work + np.cumsum(h * (power[:, :-1] @ W_KRONROD))
        defect = max(defect, float(np.abs(energy[:, -1] - first - done).max()))
        work, gross = float(done[-1]), gross + float((h * (np.abs(power[:, :-1]) @ W_KRONROD)).sum())
        levels = states[:, : (order + 1) * n].reshape(-1, order + 1, n)
        spread = np.abs(at["momenta"].reshape(-1, order, n) * levels[:, 1:]).sum(axis=(1, 2))
        size = max(size, float(np.abs(energy).max()), float(spread.max()))
        for name in constrained:
            worst[name] = max(worst[name], float(np.abs(at[f"constraint {name}"]).max()))
            sizes[name] = max(sizes[name], float(at[f"size {name}"].max()))
        jacobians = horner(_jacobians(pieces), local.ravel(), which)[:, : order * n].reshape(-1, order, n)
        off = np.maximum(off, np.abs(jacobians - levels[:, 1:]).max(axis=0))
        slowest = RATES_RESOLVED * np.abs(levels[:, :-1]).max(axis=0) / span
        speeds = np.maximum(speeds, np.maximum(np.abs(levels[:, 1:]).max(axis=0), slowest))
    scale = np.maximum(speeds.max(axis=1, keepdims=True), TINY)
    found = {name: worst[name] / (sizes[name] or 1.0) for name in constrained}
    return defect / max(size, gross, TINY), found, float((off / scale).max())


def _jacobians(pieces: np.ndarray) -> np.ndarray:
    """Coefficients of the derivatives of polynomials (S, n, order + 1)."""
    powers = np.arange(1, pieces.shape[2])
    return pieces[:, :, 1:] * powers if len(powers) else np.zeros_like(pieces)
