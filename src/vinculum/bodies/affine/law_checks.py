"""Checks of the energy and the dissipation of an affine body."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import FunctionType
from typing import final

import numpy as np

from vinculum.bodies.affine.law import DeformationLaw
from vinculum.errors import ModelError, VinculumError, shorten
from vinculum.scalars import Scalar, gradient, replay, symbols, value
from vinculum.scalars.graph import nodes
from vinculum.scalars.math import EXTENDED

STRETCHED = np.array([[1.02, 0.03, -0.01], [0.02, 0.97, 0.015], [-0.005, 0.01, 1.01]])
"""A deformation near the identity at which laws are tried."""
LAWS_KEPT = 64
"""Most distinct laws whose checks are remembered, the last ones that were asked for."""


@final
@dataclass(frozen=True)
class _Checked:
    """A law and the shape of φ, equal to another one where the same check says the same: the ``key`` of both is equal.

    It keeps the law, so that no other object gets the identities in its key.
    """

    key: Hashable
    shape: tuple[int, int]
    law: Callable = field(compare=False)
    where: str = field(compare=False)


def check_energy(where: str, energy: Callable, shape: tuple[int, int]) -> None:
    """Refuse an energy that is not a smooth function of φ; equal laws of bodies of equal shape are tried once."""
    key = _key_of(energy)
    _try_energy(where, energy, shape) if key is None else _energy_of(_Checked(key, shape, energy, where))


def check_dissipation(where: str, dissipation: Callable, shape: tuple[int, int]) -> None:
    """Refuse a dissipation function that is not one of φ and φ̇, or gives energy; equal ones are tried once."""
    key = _key_of(dissipation)
    _try_dissipation(where, dissipation, shape) if key is None else _dissipation_of(
        _Checked(key, shape, dissipation, where)
    )


@lru_cache(maxsize=LAWS_KEPT)
def _energy_of(one: _Checked) -> None:
    _try_energy(one.where, one.law, one.shape)


@lru_cache(maxsize=LAWS_KEPT)
def _dissipation_of(one: _Checked) -> None:
    _try_dissipation(one.where, one.law, one.shape)


def _key_of(law: Callable) -> Hashable | None:
    """What two laws that say the same have in common: class and numbers of a ready-made one, and the identity of a function.

    None for other objects, which may change between two calls.
    """
    if isinstance(law, FunctionType):
        return id(law)
    if not isinstance(law, DeformationLaw):
        return None
    values = [getattr(law, one.name) for one in fields(law)]  # type: ignore[arg-type]
    if not all(isinstance(x, (float, Scalar, FunctionType)) for x in values):
        return None
    return type(law), *(x if isinstance(x, float) else id(x) for x in values)


def _try_energy(where: str, energy: Callable, shape: tuple[int, int]) -> None:
    F = _letters("F", shape)
    found = _law_value(
        f"{where}: energy", energy, "φ, such as lambda F: 0.5 * k * vc.math.dot(F.ravel(), F.ravel())", F
    )
    _check_finite(f"{where}: energy", found, [(F, STRETCHED)], F)


def _try_dissipation(where: str, dissipation: Callable, shape: tuple[int, int]) -> None:
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
