"""Ready-made energies of a deformation: V(φ) that depend on the Green tensor G = φᵀφ alone, and self-gravity."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.affine.algebra import determinant, invariants
from vinculum.bodies.affine.law import DeformationLaw
from vinculum.errors import ModelError
from vinculum.scalars import Value
from vinculum.scalars.math import log, sqrt
from vinculum.tolerances.sizes import SELF_GRAVITY_NODES


@final
@dataclass(frozen=True, eq=False)
class SaintVenantKirchhoff(DeformationLaw):
    r"""Saint Venant–Kirchhoff's energy, quadratic in the strain E = ½ (G − 1).

    .. math:: V = \mathcal V_0\big(\tfrac12\lambda(\operatorname{tr}E)^2 + \mu\operatorname{tr}E^2\big)

    ``volume`` 𝒱₀ [m³] of the undeformed body; Lamé's ``shear`` μ and ``lame`` λ [Pa]. It does not keep the body from being crushed.
    """

    volume: Value
    shear: Value
    lame: Value = 0.0

    may_be_zero = ("lame",)

    def __call__(self, F) -> Any:
        E = 0.5 * (F.T @ F - np.eye(F.shape[1]))
        trace = sum(E[i, i] for i in range(len(E)))
        return self.volume * (0.5 * self.lame * trace * trace + self.shear * np.sum(E * E))


@final
@dataclass(frozen=True, eq=False)
class NeoHookean(DeformationLaw):
    r"""The compressible neo-Hookean energy.

    .. math:: V = \mathcal V_0\big(\tfrac12\mu\,(\operatorname{tr}G - d - 2\ln J) + \tfrac12\lambda(\ln J)^2\big),\qquad J = \sqrt{\det G}

    ``volume`` 𝒱₀ [m³] of the undeformed body (area or length of a body of lower dimension d); Lamé's ``shear`` μ and ``lame`` λ [Pa].
    """

    volume: Value
    shear: Value
    lame: Value = 0.0

    may_be_zero = ("lame",)

    def __call__(self, F) -> Any:
        log_size = _log_size(F)
        trace = np.sum(F * F)
        return self.volume * (
            0.5 * self.shear * (trace - F.shape[1] - 2.0 * log_size) + 0.5 * self.lame * log_size * log_size
        )


@final
@dataclass(frozen=True, eq=False)
class FluidLike(DeformationLaw):
    r"""An energy of the volume alone, as of a drop of a compressible fluid.

    .. math:: V = \tfrac12 K\mathcal V_0\,(\ln J)^2,\qquad J = \sqrt{\det G}

    ``volume`` 𝒱₀ [m³]; ``bulk`` modulus K [Pa].
    """

    volume: Value
    bulk: Value

    def __call__(self, F) -> Any:
        log_size = _log_size(F)
        return 0.5 * self.bulk * self.volume * log_size * log_size


@final
@dataclass(frozen=True, eq=False)
class Isotropic(DeformationLaw):
    r"""Any isotropic energy: a ``function`` [J] of the principal invariants (I₁, I₂, I₃) of the Green tensor G.

    .. math:: I_1 = \operatorname{tr}G,\qquad I_2 = \tfrac12\big(I_1^2 - \operatorname{tr}G^2\big),\qquad I_3 = \det G

    A flat or planar body has I₁ and det G, a rod-like one I₁.
    """

    function: Callable

    def __call__(self, F) -> Any:
        return self.function(*invariants(F))


@final
@dataclass(frozen=True, eq=False)
class RigidLimit(DeformationLaw):
    r"""The penalty that makes a body nearly rigid: as the stiffness grows, its motion tends to that of a rigid body.

    .. math:: V = \tfrac14 k\operatorname{tr}(G - 1)^2

    ``stiffness`` k [J].
    """

    stiffness: Value

    def __call__(self, F) -> Any:
        E = F.T @ F - np.eye(F.shape[1])
        return 0.25 * self.stiffness * np.sum(E * E)


@final
@dataclass(frozen=True, eq=False)
class SelfGravity(DeformationLaw):
    r"""Gravitational energy of a homogeneous ball that has been deformed to an ellipsoid.

    .. math:: V = -\tfrac{3}{10}G m^2\int_0^\infty\frac{ds}{\sqrt{\det(R^2\varphi\varphi^T + s\,1)}}

    ``mass`` m [kg], ``radius`` R [m] of the undeformed ball, ``G`` [N m²/kg²]. Chandrasekhar, Ellipsoidal Figures of Equilibrium, § 17–22.
    The integral is a Gauss sum over u with s = R² (1/u² − 1), where the integrand of a ball is constant. It is exact to round-off if
    the half axes are between R/2 and 2 R, and to 1e-10 if they are between R/4 and 4 R.
    """

    mass: Value
    radius: Value
    G: Value

    def __call__(self, F) -> Any:
        if F.shape != (3, 3):
            raise ModelError(
                f"SelfGravity: the deformation is {F.shape[0]}×{F.shape[1]}, but an ellipsoid has three dimensions"
            )
        one, two, three = invariants(F)
        nodes, weights = np.polynomial.legendre.leggauss(SELF_GRAVITY_NODES)
        total = 0.0
        for u, weight in zip(0.5 * (nodes + 1.0), 0.5 * weights, strict=True):
            s = 1.0 / (u * u) - 1.0
            # (ds/du) / √det over R, both with the factor u³ that keeps them finite
            total = total + weight * 2.0 / sqrt(u**6 * (s**3 + one * s * s + two * s + three))
        return -0.3 * self.G * self.mass * self.mass / self.radius * total


def _log_size(F):
    """ln √det G: the logarithm of the change of volume, area or length."""
    return log(determinant(F)) if F.shape[0] == F.shape[1] else 0.5 * log(determinant(F.T @ F))
