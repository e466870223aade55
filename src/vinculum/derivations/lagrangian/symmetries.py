"""First integrals of a Lagrangian: its energy, and momenta along symmetries that are affine in the coordinates."""

from collections.abc import Mapping

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.derivations.first_integrals import FirstIntegral, FirstIntegrals
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.equations.lagrangian.ostrogradsky import ostrogradsky_energy, ostrogradsky_momenta
from vinculum.equations.sampling.null_spaces import null_space, tidy_basis
from vinculum.errors import MethodError
from vinculum.scalars import depends_on, gradient
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.samples import FEWEST_SAMPLES_OF_INTEGRALS, METRIC_BOX


def integrals_of_lagrangian(system: LagrangianSystem, parameters: Mapping[str, float] | None) -> FirstIntegrals:
    r"""Energy, and momenta along fields ξ = c + C q + b t, less functions F(q, t) of second degree, whose rates vanish.

    .. math:: \frac{d}{dt}(p_i\,\xi^i - F) = \Big(\frac{\partial L}{\partial q^i} + D_i\Big)\xi^i + p_i\,(C^i{}_j\,v^j + b^i) - \dot F

    The rates hold no accelerations, so that the equations for the coefficients are linear and are collected at random states. Noether's
    theorem, up to a gauge F, with translations, rotations and other affine maps of the coordinates, and with motions of the frame;
    symmetries of other forms are not found.
    """
    principle, where = system.principle, f"Lagrangian system '{system.name}'"
    if principle.order > 1 or principle.stationary or principle.ideal:
        what = f"is of order {principle.order}" if principle.order > 1 else "has constraints"
        raise MethodError(
            f"{where} {what}; first integrals are found for Lagrangians of first order without constraints: restrict it to a surface"
        )
    q, v, t = principle.jet.levels[0], principle.jet.levels[1], principle.jet.t
    values = system.numbers.values(parameters)
    inputs, known = {"q": q, "v": v, "t": np.array([t])}, system.numbers.parameters
    given = tuple(values.tolist())
    found = []
    if not depends_on(np.array([principle.L, 0.0], dtype=object), [t]) and not _acts(principle.D):
        energy = ostrogradsky_energy(principle.jet, principle.L, 1)
        why = "L does not depend on time, and no other forces act"
        found.append(FirstIntegral("energy", "E", "", why, trace(inputs, {"value": [energy]}, known), given))
    p = ostrogradsky_momenta(principle.jet, principle.L, 1)[0]
    force = np.asarray(gradient(principle.L, q), dtype=object) + principle.D
    names, integrals, rates = _candidates(system.coordinates, q, v, t, p, force)
    count = 3 * len(rates) + FEWEST_SAMPLES_OF_INTEGRALS
    draw = np.random.default_rng(11).uniform(-METRIC_BOX, METRIC_BOX, (2 * count, 2 * len(q) + 1))
    rows = np.concatenate([draw, np.broadcast_to(values, (len(draw), len(values)))], axis=1)
    with np.errstate(all="ignore"):
        sampled = evaluate(trace(inputs, {"rates": rates, "p": p, "force": force}, known), rows)
    sampled = sampled[np.isfinite(sampled).all(axis=1)]
    if len(sampled) < count:
        raise MethodError(
            f"{where}: L is finite at {len(sampled)} of {len(draw)} random states; first integrals are not sought"
        )
    size = np.maximum(np.abs(sampled).max(axis=1, keepdims=True), NEXT_TO_ZERO)
    for row in tidy_basis(null_space(sampled[:, : len(rates)] / size)):
        value = sum((x * one for x, one in zip(row, integrals, strict=True) if x), 0.0)
        found.append(
            FirstIntegral(_name(names, row), r"p_{i} \xi^{i} - F", "", "its rate vanishes identically: L changes by a total derivative",
                          trace(inputs, {"value": [value]}, known), given)
        )  # fmt: skip
    return FirstIntegrals(system.name, tuple(found))


def _acts(D: np.ndarray) -> bool:
    return any(not (isinstance(x, float) and x == 0.0) for x in D)


def _candidates(coordinates, q, v, t, p, force) -> tuple[list[str], list, list]:
    """Names, values and rates of the terms of which integrals are made."""
    names, values, rates = [], [], []
    for i, a in enumerate(coordinates):
        names, values, rates = [*names, f"p_{a}"], [*values, p[i]], [*rates, force[i]]
    for i, a in enumerate(coordinates):
        for j, b in enumerate(coordinates):
            names, values = [*names, f"{b} p_{a}"], [*values, p[i] * q[j]]
            rates.append(force[i] * q[j] + p[i] * v[j])
    for i, a in enumerate(coordinates):
        names, values, rates = [*names, f"t p_{a}"], [*values, t * p[i]], [*rates, t * force[i] + p[i]]
    names, values, rates = [*names, "t"], [*values, t], [*rates, 1.0]
    names, values, rates = [*names, "t²"], [*values, t * t], [*rates, 2.0 * t]
    for i, a in enumerate(coordinates):
        names, values, rates = [*names, a], [*values, q[i]], [*rates, v[i]]
        for j in range(i + 1):
            names.append(f"{coordinates[j]} {a}" if j < i else f"{a}²")
            values.append(q[i] * q[j])
            rates.append(q[i] * v[j] + v[i] * q[j])
    return names, values, rates


def _name(names: list[str], row: np.ndarray) -> str:
    """An integral in words: the sum of its terms."""
    text = ""
    for x, what in zip(row, names, strict=True):
        if x:
            sign = "−" if x < 0 else "+" if text else ""
            text += f"{' ' if text else ''}{sign}{' ' if text else ''}{'' if abs(x) == 1.0 else f'{abs(x):.6g} '}{what}"
    return f"momentum {text}"
