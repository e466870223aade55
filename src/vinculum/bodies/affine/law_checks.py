"""Checks of the energy and the dissipation of an affine body."""

from collections.abc import Callable

import numpy as np

from vinculum.errors import ModelError, VinculumError, shorten
from vinculum.scalars import Scalar, gradient, replay, symbols, value
from vinculum.scalars.graph import nodes
from vinculum.scalars.math import EXTENDED

STRETCHED = np.array([[1.02, 0.03, -0.01], [0.02, 0.97, 0.015], [-0.005, 0.01, 1.01]])
"""A deformation near the identity at which laws are tried."""


def check_energy(where: str, energy: Callable, shape: tuple[int, int]) -> None:
    """Refuse an energy that is not a smooth function of φ."""
    F = _letters("F", shape)
    found = _law_value(
        f"{where}: energy", energy, "φ, such as lambda F: 0.5 * k * vc.math.dot(F.ravel(), F.ravel())", F
    )
    _check_finite(f"{where}: energy", found, [(F, STRETCHED)], F)


def check_dissipation(where: str, dissipation: Callable, shape: tuple[int, int]) -> None:
    """Refuse a dissipation function that is not one of φ and φ̇, or gives energy."""
    F, F_dot = _letters("F", shape), _letters("F_dot", shape)
    found = _law_value(f"{where}: dissipation", dissipation, "φ and φ̇, such as lambda F, F_dot: …", F, F_dot)
    rng = np.random.default_rng(5)
    for _ in range(4):
        at = [(F, STRETCHED), (F_dot, rng.normal(size=(3, 3)))]
        numbers = _check_finite(f"{where}: dissipation", found, at, F_dot)
        rate = at[1][1][: shape[0], : shape[1]].ravel()
        if numbers @ rate < 0.0:
            raise ModelError(
                f"{where}: dissipation supplies energy: φ̇·∂Ψ/∂φ̇ is {numbers @ rate:.6g} W at φ̇ = {rate.round(3).tolist()}; check its sign"
            )


def _letters(name: str, shape: tuple[int, int]) -> np.ndarray:
    found = symbols(name, shape[0] * shape[1]).reshape(shape)
    found.flags.writeable = False
    return found


def _law_value(where: str, law: Callable, form: str, *letters: np.ndarray):
    if not callable(law):
        raise ModelError(f"{where} is {shorten(law)}: give one of vc.energies, or a function of {form}")
    try:
        found = law(*letters)
    except VinculumError as error:
        raise ModelError(f"{where}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"{where} failed on symbols: {type(error).__name__}: {error}; it is a function of {form}, written with vc.math and without `if`"
        ) from error
    if np.shape(found) != ():
        raise ModelError(f"{where} has shape {np.shape(found)}; return one number")
    if isinstance(found, float) and np.isnan(found):
        raise ModelError(f"{where} is NaN; check its numbers")
    if not isinstance(found, Scalar):
        raise ModelError(f"{where} is always {shorten(found)}, which is not a function of {form}")
    known = {id(x) for one in letters for x in one.ravel()}
    stray = [node.args[0] for node in nodes([found]) if node.op == "symbol" and id(node) not in known]
    if stray:
        raise ModelError(f"{where} contains the free symbol '{stray[0]}'; it may contain vc.parameter(name, value)")
    return found


def _check_finite(where: str, law, at, by: np.ndarray) -> np.ndarray:
    """Slopes by some letters near the identity; what is not finite there, or does not depend on them, is refused."""
    slopes = gradient(law, by.ravel())
    if not any(isinstance(x, Scalar) or x != 0.0 for x in slopes):
        raise ModelError(
            f"{where} does not depend on {'φ' if by is at[0][0] else 'φ̇'}, so it has no forces; leave it out"
        )
    numbers = {id(x): y for letters, values in at for (i, j), x in np.ndenumerate(letters) for y in [values[i, j]]}

    def leaf(node: Scalar):
        return value(node) if node.op == "parameter" else numbers[id(node)]

    with np.errstate(all="ignore"):
        found = replay(np.array([law, *slopes], dtype=object), leaf, EXTENDED).astype(float)
    if not np.all(np.isfinite(found)):
        raise ModelError(
            f"{where} is {found[0]:g} J near φ = 1, or its slopes are not finite there: {found[1:].tolist()}; a body "
            "needs a finite energy in "
            "its undeformed state"
        )
    return found[1:]
