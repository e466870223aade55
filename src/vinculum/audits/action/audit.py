"""`audit_action`: Hamilton's principle on a motion, with random carriers, as a certificate."""

import numpy as np

from vinculum.audits.action.rates import ActionRate, CarriedAction, action_source, pieces_of
from vinculum.audits.action.source import CURVE, MEASURE, ActionSource, RandomCarrier
from vinculum.audits.certificate import Certificate, Line
from vinculum.errors import MethodError, shorten
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.tolerances.certificates import DOUBT, NEGLIGIBLE_FIELD, SHARP
from vinculum.tolerances.samples import CARRIERS, CARRIERS_OF_A_BATCH
from vinculum.tolerances.sizes import MOST_FIELDS
from vinculum.tolerances.time import NARROWEST_CARRIER

Support = tuple[float, float]


def audit_action(motion: RecordedMotion, carriers: int = CARRIERS, seed: int = 0) -> Certificate:
    r"""The certificate of Hamilton's principle on a motion, impacts included, for random carriers.

    Its lines: "action rate", :math:`\tfrac{d}{d\tau}(\tfrac12\int g : dC_\tau - \int U\,d\theta_\tau) = -\langle F, \eta\rangle`,
    where the larger of two residuals counts, that of the Lagrangian differentiated along the carrier and that of the action on
    curves that were carried; "action rate, own time", the same of ∫ L dt along carried curves; and, where unilateral constraints
    push, "action rate, outward carriers", the inequality ≥ 0 without their impulses. Carriers have components along time, unless
    energies depend on time, and are cut off in time around impacts and elsewhere. This certificate is separate from
    ``motion.audit()``, because the Lagrangian is traced and differentiated for it. Moreau, (11.3), (11.9), (11.10).
    """
    for name, given, least in (("carriers", carriers, 1), ("seed", seed, 0)):
        if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < least:
            raise MethodError(f"{name} {shorten(given)} must be a whole number ≥ {least}")
    if carriers > MOST_FIELDS:
        raise MethodError(f"carriers {shorten(carriers)} are more than {MOST_FIELDS}; use fewer, with different seeds")
    source, rng = action_source(motion), np.random.default_rng(seed)
    drawn = _fitting(source, source.samples(int(carriers), rng))
    supports = [(center - half, center + half) for center, half, _ in drawn]
    (family, given), lines = source.random_family(_with_places(source, drawn), rng), []
    if source.space.is_split:
        still = family.without_time() if source.space.timed else family
        rates = _rates(CarriedAction(source, still, MEASURE), supports, given)
        lines.append(_line("action rate", rates, supports))
    rates = _rates(CarriedAction(source, family, CURVE), supports, given)
    lines.append(_line("action rate, own time" if lines else "action rate", rates, supports))
    lines += _outward_line(source, int(carriers), rng)
    record = motion.record
    described = f"{source.edges[0]:g} to {source.edges[-1]:g} s, {len(record.pieces)} steps, {record.method}"
    return Certificate(record.model.name, described, tuple(lines))


def _fitting(source: ActionSource, drawn: list) -> list[tuple[float, float, np.ndarray]]:
    """Centers and half widths with supports inside the motion, of which the clock resolves the changes."""
    begin, end = source.edges[0], source.edges[-1]
    found = []
    for center, half, size in drawn:
        half = min(max(half, NARROWEST_CARRIER * max(abs(begin), abs(end))), 0.5 * (end - begin))
        found.append((float(np.clip(center, begin + half, end - half)), float(half), size))
    return found


def _with_places(source: ActionSource, drawn) -> list[RandomCarrier]:
    """The motion at the centers of carriers."""
    edges, centers = source.edges, np.array([center for center, _, _ in drawn])
    at = source.nodes(pieces_of(edges, centers), centers)
    found = zip(drawn, at.place, at.tangent, strict=True)
    return [RandomCarrier(center, half, size, place, tangent) for (center, half, size), place, tangent in found]


def _rates(action: CarriedAction, supports: list[Support], given: np.ndarray) -> list[ActionRate]:
    """The rates of all carriers, some at a time, so that long motions take little memory."""
    parts = range(0, len(supports), CARRIERS_OF_A_BATCH)
    return [
        one
        for k in parts
        for one in action.rates(supports[k : k + CARRIERS_OF_A_BATCH], given[k : k + CARRIERS_OF_A_BATCH])
    ]


def _line(law: str, rates: list[ActionRate], supports: list[Support]) -> Line:
    """The carrier with the largest ratio of residual to tolerance."""
    largest = max(one.size for one in rates)
    found = [_residual(one, NEGLIGIBLE_FIELD * largest) for one in rates]
    residuals, tolerances = np.array(found).T
    chosen = _sharp(residuals, tolerances)
    k = int(chosen[int(np.argmax(residuals[chosen] / tolerances[chosen]))])
    apart = max(
        abs(one.by_transport - one.by_lie_derivative) / max(one.size, NEGLIGIBLE_FIELD * largest) for one in rates
    )
    reason = f"{len(rates)} random carriers; two ways differ by {apart:.1e}"
    low, high = supports[k]
    detail = f"about t = {0.5 * (low + high):.6g} s" if residuals[k] > tolerances[k] else ""
    return Line(law, float(residuals[k]), float(tolerances[k]), reason, detail, DOUBT * float(tolerances[k]))


def _sharp(residuals: np.ndarray, tolerances: np.ndarray) -> np.ndarray:
    """Numbers of the carriers that count: those with a coarse tolerance do if one is broken or few are sharp."""
    sharp = np.flatnonzero(tolerances <= SHARP)
    if len(sharp) < len(residuals) // 4 or not len(sharp) or not np.all(residuals <= DOUBT * tolerances):
        return np.arange(len(residuals))
    return sharp


def _residual(rate: ActionRate, least: float) -> tuple[float, float]:
    """Residual and tolerance relative to the terms of a carrier, or to ``least`` where nothing acts on what it moves."""
    scale = rate.size / max(rate.size, least)
    residual = rate.residual * scale
    return residual if np.isfinite(residual) else np.inf, rate.tolerance * scale


def _outward_line(source: ActionSource, count: int, rng: np.random.Generator) -> list[Line]:
    """d/dτ ∫ (T − U) dt + ⟨E, η⟩ ≥ 0 for carriers that point outward, without the impulses of constraints. Moreau, (11.10)."""
    drawn = [one for one in source.outward(count, rng) if one is not None]
    begin, end = source.edges[0], source.edges[-1]
    drawn = [one for one in drawn if begin < one[0] - one[1] and one[0] + one[1] < end]
    if not drawn:
        return []
    supports = [(center - half, center + half) for center, half, _ in drawn]
    family, given = source.constant_family(drawn)
    action = CarriedAction(source, family, MEASURE)
    below = []
    for one, (low, high), values in zip(_rates(action, supports, given), supports, given, strict=True):
        wrong = source.inward_powers(low, high, action.fields_at(source.impulses(low, high).place, values)[1])
        without = min(one.by_lie_derivative, one.by_transport) - (one.by_forces - one.by_impulses)
        admitted = one.tolerance + wrong.sum() / one.size
        below.append((max(-without / one.size, 0.0), admitted))
    residuals, tolerances = np.array(below).T
    chosen = _sharp(residuals, tolerances)
    k = int(chosen[int(np.argmax(residuals[chosen] - tolerances[chosen]))])
    reason = f"d(action) ≥ 0 under {len(below)} outward carriers, independent of the impulses"
    detail = f"about t = {0.5 * sum(supports[k]):.6g} s" if residuals[k] > tolerances[k] else ""
    return [
        Line(
            "action rate, outward carriers",
            float(residuals[k]),
            float(tolerances[k]),
            reason,
            detail,
            DOUBT * float(tolerances[k]),
        )
    ]
