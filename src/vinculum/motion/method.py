"""Claims of integrators as data; one test measures every claim."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Claims:
    """``order`` in the step size (0 where the order adapts), ``symplectic`` (where velocities are rates of coordinates),
    ``adaptive``, and where it is described."""

    name: str
    order: int
    symplectic: bool
    adaptive: bool
    reference: str


TAYLOR = Claims(
    "taylor", 0, False, True, "Jorba and Zou, Experiment. Math. 14 (2005) 99; heyoka, MNRAS 504 (2021) 2614"
)
SERIES = Claims("series", 0, False, True, "Telegin 2014, conclusion; Jorba and Zou, Experiment. Math. 14 (2005) 99")
DOP853 = Claims("dop853", 8, False, True, "Hairer, Nørsett and Wanner, Solving ODEs I, II.10")
RK4 = Claims("rk4", 4, False, False, "Kutta, Z. Math. Phys. 46 (1901) 435")
VERLET = Claims("verlet", 2, True, False, "Störmer and Verlet; Hairer, Lubich and Wanner, Acta Numerica 12 (2003) 399")
MIDPOINT = Claims(
    "midpoint", 2, True, False, "implicit midpoint; Hairer, Lubich and Wanner, Geometric Numerical Integration, IV"
)
MOREAU = Claims("moreau", 1, False, False, "Moreau 1988; Jean, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235")
IDAS = Claims("idas", 0, False, True, "Hindmarsh et al., SUNDIALS, ACM Trans. Math. Softw. 31 (2005) 363")
GIVEN = Claims("given", 0, False, False, "computed elsewhere, interpolated by splines of degree 7")
METHODS = {claims.name: claims for claims in (TAYLOR, SERIES, DOP853, RK4, VERLET, MIDPOINT, MOREAU, IDAS, GIVEN)}
"""Claims by name; the table of integrators adds those of other integrators."""


def register_claims(claims: Claims) -> None:
    """Register the claims of an integrator, so that its stored runs can be read."""
    METHODS[claims.name] = claims


LOCATED, STEPPED = "located", "stepped"
"""How time stepping treats an impact: it cuts the step where the gap closes, or assigns the impulse to the whole
step."""

MIDDLE = 0.5
"""Where in a step time stepping evaluates forces by default, as a fraction of the step."""


@final
@dataclass(frozen=True)
class Method:
    """An integrator with its settings: relative ``tolerance`` and longest step ``max_step`` [s] of an adaptive one, ``step`` [s] of a
    fixed one; for time stepping ``impacts``, ``theta``, and ``tolerance``, the residual of impulses."""

    claims: Claims
    tolerance: float | None = None
    step: float | None = None
    max_step: float | None = None
    impacts: str | None = None
    theta: float | None = None

    @property
    def claimed(self) -> float | None:
        """The claimed relative accuracy of states; None if ``tolerance`` is the residual of impulses, as in time
        stepping."""
        return None if self.claims is MOREAU else self.tolerance

    def __str__(self):
        step = f"step {self.step:g} s" if self.step else ""
        tolerance = f"tolerance {self.tolerance:.1e}" if self.tolerance else ""
        setting = ", ".join(filter(None, (step, tolerance)))
        impacts = f", impacts {self.impacts}" if self.impacts else ""
        theta = f", theta {self.theta:g}" if self.theta not in (None, MIDDLE) else ""
        return f"{self.claims.name} {setting}{impacts}{theta}".strip()


def time_stepping(step: float) -> Method:
    """Time stepping with its usual settings."""
    return Method(MOREAU, step=step, impacts=LOCATED)
