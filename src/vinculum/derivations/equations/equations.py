"""`Equations`: the equations of motion as formulas, as numbers and as code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.derivations.equations.canonical import CanonicalEquations
from vinculum.derivations.equations.closure import Closure
from vinculum.derivations.equations.code import Code
from vinculum.derivations.equations.graphs import Graphs
from vinculum.derivations.equations.numbers import Numbers
from vinculum.derivations.equations.outputs import outputs
from vinculum.derivations.printing.formulas import formulas_of
from vinculum.errors import MethodError
from vinculum.scalars import depends_on
from vinculum.systems.pickling import check_picklable
from vinculum.tolerances.sizes import FREEDOMS_PRINTED, LONG_LINE
from vinculum.tolerances.time import SECONDS_FOR_FORMULAS
from vinculum.upward import ShownInNotebooks


@final
@dataclass(frozen=True, eq=False, repr=False)
class Equations(ShownInNotebooks):
    """The equations M v̇ + h = τ of a system, made by `derive`.

    h contains gravity and minus the forces of the joints' springs, dampers and drives; τ are additional generalized
    forces.
    ``coordinates``: names, in the order of arrays. ``graphs``: what they are made of.
    Methods accept one state, q (nq,), or many, q (B, nq), and ``t`` and ``parameters`` by name. `canonical` has the momenta p and the
    Hamiltonian of Hamilton's form, `code` machine code and C.
    With closed loops the equations are M v̇ + h = τ + Jᵀλ and gaps = 0: see `closure`. Servos with chosen directions replace
    Jᵀλ by Bᵀλ. With vakonomic constraints the multipliers μ are among the coordinates, M and h contain the terms of
    L + μF, and μ̇ replaces −λ.
    """

    graphs: Graphs
    _numbers: Numbers = field(init=False)
    _fast: dict[str, Callable] = field(init=False)

    def __post_init__(self):
        made = Numbers(self.graphs.state, self.graphs.model, lambda what: outputs(self.graphs, what))
        object.__setattr__(self, "_numbers", made)
        object.__setattr__(self, "_fast", made.fast)

    def __reduce__(self):
        make, given = self.graphs.made_by
        names = ("the system", "its form", "coordinates")
        check_picklable(f"the equations of '{self.name}'", dict(zip(names, given, strict=True)))
        return make, given

    def __copy__(self):
        return self

    def __deepcopy__(self, known):
        return self

    def __repr__(self):
        return self.graphs.title

    def __str__(self):
        shown = self.lines(1.0) if len(self.graphs.state.v) <= FREEDOMS_PRINTED else []
        notes = [f"note: {note}" for note in self.graphs.notes]
        return "\n".join([repr(self), *(f"  {line}" for line in [*shown, *notes] if len(line) <= LONG_LINE)])

    @property
    def name(self) -> str:
        """Name of the system."""
        return self.graphs.name

    @property
    def form(self) -> str:
        """The form that `derive` was asked for."""
        return self.graphs.form

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return self.graphs.state.q_names

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of the parameters."""
        return self.graphs.parameters

    @property
    def closure(self) -> Closure:
        """Closed loops and constraints: gaps, their derivatives, and multipliers."""
        return Closure(self.graphs, self._numbers)

    @property
    def canonical(self) -> CanonicalEquations:
        """Momenta, the Hamiltonian and Hamilton's equations, of Hamilton's form."""
        return CanonicalEquations(self.graphs, self._numbers)

    @property
    def code(self) -> Code:
        """Machine code, C99 and the number of operations."""
        return Code(self.graphs, self._numbers)

    def lines(self, seconds: float = SECONDS_FOR_FORMULAS) -> list[str]:
        """The equations in LaTeX, one string each, then the values that they name; see `latex`."""
        return self._formulas(seconds).lines()

    def latex(self, seconds: float = SECONDS_FOR_FORMULAS) -> str:
        """The equations in LaTeX, simplified.

        After the time limit, or if an equation is still long, values that occur more than once get names z₁, z₂, …,
        which are listed after the equations.
        """
        rows = [line.replace(" = ", " &= ", 1) for line in self.lines(seconds)]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def sympy(self, seconds: float = SECONDS_FOR_FORMULAS) -> Any:
        """The equations in SymPy: `equations`, `mass_matrix`, `bias` and the symbols of everything."""
        return self._formulas(seconds).sympy()

    def mass_matrix(self, q, v=None, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """M of shape (n, n), or (B, n, n) for many states; ``v`` is needed if constraints make M depend on
        velocities."""
        if self.graphs.is_varied and depends_on(np.append(np.ravel(self.graphs.M), 0.0), self.graphs.state.v):
            if v is None:
                raise MethodError(
                    f"the mass matrix of '{self.name}' depends on the velocities, as a constraint that is not linear in them adds to it; "
                    "give v too"
                )
            return self._numbers.one("moving_mass_matrix", (q, v), t, parameters)
        return self._numbers.one("mass_matrix", (q,), t, parameters)

    def bias(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """h of shape (n,), or (B, n) for many states."""
        return self._numbers.one("bias", (q, v), t, parameters)

    def accelerations(self, q, v, tau=None, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """v̇ = M⁻¹ (τ − h) of shape (n,), or (B, n) for many states."""
        if self.graphs.loops is not None:
            return self.closure.solve(q, v, tau, t=t, parameters=parameters)[0]
        if tau is None:
            # the call that loops make: no layer between it and the machine code
            fast = self._fast.get("accelerations") if parameters is None else None
            result = None if fast is None else fast(t, q, v)
            return self._numbers("accelerations", (q, v), t, parameters) if result is None else result
        return self._numbers.one("driven_accelerations", (q, v, tau), t, parameters)

    def blocks(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> dict[str, np.ndarray]:
        """The block matrices of the form at a state.

        Newton–Euler: A, B, L, L_dot (6k, 6k), S (6k, nv) with V_r = S v and F (6k,), of A V̇_a + B V_a = F_a + …,
        V_a = L V_r. Lagrange: A, B (nq, nq), F (nq,) and M (6k, nq), of A q̈ + B q̇ = F, V_r = M q̇. Rows of six are
        bodies in the order of ``graphs.bodies``, in their own frames.
        """
        if self.graphs.make_blocks is None:
            raise MethodError(
                f"the form '{self.form}' has no block matrices here; derive(system, form=\"newton-euler\") or "
                'form="lagrange" in the joints\' own coordinates has them, for a system without prescribed bodies and masses that vary'
            )
        return self._numbers.groups("blocks", (q, v), t, parameters)

    def _formulas(self, seconds: float) -> Any:
        """The equations as exact sums, simplified for at most that time [s]."""
        if not isinstance(seconds, (int, float)) or not seconds >= 0.0:
            raise MethodError(f"seconds is {seconds!r} and must be a number of seconds, zero or more")
        return formulas_of(self.graphs, seconds)
