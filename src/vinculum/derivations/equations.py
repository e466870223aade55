"""`Equations`: the equations of motion as formulas, as numbers and as code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from vinculum.derivations.code import written_code
from vinculum.derivations.loops import Loops
from vinculum.derivations.numbers import Numbers
from vinculum.derivations.printing.formulas import Formulas, formulas_of
from vinculum.derivations.printing.letters import Letter
from vinculum.derivations.state import State
from vinculum.derivations.states import numbers_of
from vinculum.equations.constraints.constrained import bordered_multipliers, least_multipliers
from vinculum.errors import MethodError, RunError, StartError, shortened
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model
from vinculum.scalars import depends_on
from vinculum.systems.pickling import check_picklable
from vinculum.tolerances.sizes import FREEDOMS_PRINTED, LONG_LINE
from vinculum.tolerances.time import SECONDS_FOR_FORMULAS

COMPILED = ("accelerations", "mass_matrix", "bias", "driven_accelerations")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Equations:
    """The equations M v̇ + h = τ of a system, made by `derive`.

    h contains gravity and minus the forces of the joints' springs, dampers and drives; τ are additional generalized
    forces.
    ``coordinates``: names, in the order of arrays. ``made_by``: function and arguments that make them again in another process.
    Methods accept one state, q (nq,), or many, q (B, nq), and ``t`` and ``parameters`` by name. Hamilton's form also
    has `momenta` p, its `hamiltonian`, `velocities` and `momenta_rates`. With closed loops the equations are M v̇ + h
    = τ + Jᵀλ and gaps = 0: see `closure` and `multipliers`. Servos with chosen directions replace Jᵀλ by Bᵀλ. With
    vakonomic constraints the multipliers μ are among the coordinates, M and h contain the terms of L + μF, and μ̇
    replaces −λ.
    """

    name: str
    form: str
    state: State
    M: np.ndarray
    h: np.ndarray
    model: Model
    canonical: dict[str, Any]
    make_blocks: Callable[[], dict] | None
    loops: Loops | None = None
    made_by: tuple[Callable, tuple] | None = None
    _numbers: Numbers = field(init=False)
    _fast: dict[str, Callable] = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "_numbers", Numbers(self.state, self.model, self._outputs))
        object.__setattr__(self, "_fast", self._numbers.fast)

    def __reduce__(self):
        assert self.made_by is not None
        make, given = self.made_by
        names = ("the system", "its form", "coordinates")
        check_picklable(f"the equations of '{self.name}'", dict(zip(names, given, strict=True)))
        return make, given

    def __copy__(self):
        return self

    def __deepcopy__(self, known):
        return self

    def __repr__(self):
        names = ", ".join(self.state.q_names[:6]) + (", …" if len(self.state.q_names) > 6 else "")
        return f"Equations of '{self.name}', form {self.form}, {len(self.state.v)} in {names}"

    def __str__(self):
        shown = self.lines(1.0) if len(self.state.v) <= FREEDOMS_PRINTED else []
        notes = [f"note: {note}" for note in self.notes]
        return "\n".join([repr(self), *(f"  {line}" for line in [*shown, *notes] if len(line) <= LONG_LINE)])

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return self.state.q_names

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of the parameters."""
        return visible(self.model.parameters)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks where the equations differ from the textbook form, and the reason."""
        tree = self.model.tree
        actions = () if tree is None else (one.action for one in tree.actions)
        return tuple(f"{action.called}: {note}" for action in actions for note in action.notes())

    def lines(self, seconds: float = SECONDS_FOR_FORMULAS) -> list[str]:
        """The equations in LaTeX, one string each, then the values that they name; see `latex`."""
        return self.formulas(seconds).lines()

    def latex(self, seconds: float = SECONDS_FOR_FORMULAS) -> str:
        """The equations in LaTeX, simplified.

        After the time limit, or if an equation is still long, values that occur more than once get names z₁, z₂, …,
        which are listed after the equations.
        """
        rows = [line.replace(" = ", " &= ", 1) for line in self.lines(seconds)]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def sympy(self, seconds: float = SECONDS_FOR_FORMULAS) -> Any:
        """The equations in SymPy: `equations`, `mass_matrix`, `bias` and the symbols of everything."""
        return self.formulas(seconds).sympy()

    def formulas(self, seconds: float = SECONDS_FOR_FORMULAS) -> Formulas:
        """The equations as exact sums, simplified for at most that time [s]."""
        if not isinstance(seconds, (int, float)) or not seconds >= 0.0:
            raise MethodError(f"seconds is {seconds!r} and must be a number of seconds, zero or more")
        return formulas_of(self, seconds)

    @property
    def is_varied(self) -> bool:
        """Whether constraints add to the Lagrangian."""
        return self.model.tree is not None and bool(self.model.tree.varied)

    def mass_matrix(self, q, v=None, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """M of shape (n, n), or (B, n, n) for many states; ``v`` is needed if constraints make M depend on
        velocities."""
        if self.is_varied and depends_on(np.append(np.ravel(self.M), 0.0), self.state.v):
            if v is None:
                raise MethodError(
                    f"the mass matrix of '{self.name}' depends on the velocities, as a constraint that is not linear in them adds to it; "
                    "give v too"
                )
            return self._evaluated("moving_mass_matrix", t, parameters, q, v)
        return self._evaluated("mass_matrix", t, parameters, q)

    def bias(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """h of shape (n,), or (B, n) for many states."""
        return self._evaluated("bias", t, parameters, q, v)

    def accelerations(self, q, v, tau=None, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """v̇ = M⁻¹ (τ − h) of shape (n,), or (B, n) for many states."""
        if self.loops is not None:
            return self._constrained(q, v, tau, t, parameters)[0]
        if tau is None:
            # the call that loops make: no layer between it and the machine code
            fast = self._fast.get("accelerations") if parameters is None else None
            result = None if fast is None else fast(t, q, v)
            return self._numbers("accelerations", (q, v), t, parameters) if result is None else result
        return self._evaluated("driven_accelerations", t, parameters, q, v, tau)

    def multipliers(self, q, v, tau=None, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """λ of every gap of the closed loops, (m,) or (B, m), of least norm if they are not unique; μ̇ of vakonomic
        rows."""
        return self._constrained(q, v, tau, t, parameters)[1]

    def closure(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> dict[str, np.ndarray]:
        """The closed loops at a state: ``gaps`` (m,), their Jacobian ``J`` (m, n), ``closing_bias`` F̈ at v̇ = 0 (m,),
        and the generalized forces ``B`` (m, n) of unit multipliers."""
        self._check_loops()
        found = self._numbers.groups("closure", (q, v), t, parameters)
        return {name: found[name] for name in ("gaps", "J", "closing_bias", "B")}

    @property
    def gaps(self) -> tuple[tuple[str, str], ...]:
        """Closing joint and label of every gap, in the order of λ."""
        return self.loops.names if self.loops is not None else ()

    def written(self) -> tuple[np.ndarray, np.ndarray]:
        """M and h as they are printed: with columns −Bᵀ for the multipliers, and one more row for each gap."""
        if self.loops is None:
            return self.M, self.h
        on_accelerations = (self.loops.levels == 2)[:, None]
        held = np.where(on_accelerations, self.loops.J, 0.0)
        below = np.concatenate([held, np.zeros((len(held), len(held)))], axis=1)
        beside = np.concatenate([self.M, self.loops.columns], axis=1)
        return np.concatenate([beside, below]), np.concatenate([self.h, self.loops.gaps])

    def unknowns(self) -> tuple[Letter, ...]:
        """Letters of what the columns of the printed M stand before: accelerations, then multipliers."""
        return self.state.a_letters + (self.loops.letters if self.loops is not None else ())

    def _check_loops(self) -> None:
        if self.loops is None:
            raise MethodError(f"'{self.name}' has no closed loops, so there are no gaps and no multipliers")

    def _constrained(self, q, v, tau, t, parameters) -> tuple[np.ndarray, np.ndarray]:
        self._check_loops()
        found = self._numbers.groups("closure", (q, v), t, parameters)
        one = found["bias"].ndim == 1
        M, h, J, bias, sizes, B = (np.asarray(found[name])[None] if one else found[name]
                                   for name in ("mass_matrix", "bias", "J", "closing_bias", "sizes", "B"))  # fmt: skip
        given = np.zeros_like(h) if tau is None else numbers_of("tau", tau, h.shape[1], self.name)
        if given.ndim == 2 and given.shape != h.shape:
            raise StartError(
                f"tau of system '{self.name}' has {len(given)} rows for {len(h)} states; give one or as many"
            )
        assert self.model.tree is not None and self.loops is not None
        named = B if self.model.tree.is_directed else None
        if self.is_varied:
            try:
                a, lam = bordered_multipliers(M, given - h, J, bias, named)
            except np.linalg.LinAlgError as error:
                raise RunError(
                    f"the equations of '{self.name}' are singular at this state: multipliers leave some motion without inertia, or "
                    "conditions depend on each other; start elsewhere, or leave one out"
                ) from error
        else:
            a, lam = least_multipliers(M, given - h, J, bias, sizes, named)
        lam = lam * self.loops.signs
        return (a[0], lam[0]) if one else (a, lam)

    def blocks(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> dict[str, np.ndarray]:
        """The block matrices of the form at a state.

        Newton–Euler: A, B, L, L_dot (6k, 6k), S (6k, nv) with V_r = S v and F (6k,), of A V̇_a + B V_a = F_a + …,
        V_a = L V_r. Lagrange: A, B (nq, nq), F (nq,) and M (6k, nq), of A q̈ + B q̇ = F, V_r = M q̇. Rows of six are
        bodies in `bodies`' order, in their own frames.
        """
        if self.make_blocks is None:
            raise MethodError(
                f"the form '{self.form}' has no block matrices here; derive(system, form=\"newton-euler\") or "
                'form="lagrange" in the joints\' own coordinates has them, for a system without prescribed bodies'
            )
        return self._numbers.groups("blocks", (q, v), t, parameters)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies in the order of the block matrices."""
        return tuple(self.model.layout.bodies)

    def momenta(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """p = ∂T/∂q̇, (n,) or (B, n). Hamilton's form only."""
        return self._hamilton("momenta", (q, v), t, parameters)

    def hamiltonian(self, q, p, *, t=0.0, parameters: Mapping | None = None) -> Any:
        """H(q, p) [J], a number or (B,). Hamilton's form only."""
        return self._hamilton("hamiltonian", (q, p), t, parameters)[..., 0][()]

    def velocities(self, q, p, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """q̇ = ∂H/∂p, (n,) or (B, n). Hamilton's form only."""
        return self._hamilton("velocities", (q, p), t, parameters)

    def momenta_rates(self, q, p, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """ṗ = −∂H/∂q + Q, (n,) or (B, n). Hamilton's form only."""
        return self._hamilton("momenta_rates", (q, p), t, parameters)

    def compile(self, what: str = "accelerations") -> "Equations":
        """These equations, compiled to machine code immediately.

        ``what``: "accelerations", "mass_matrix", "bias", or "driven_accelerations" for those with τ.
        """
        if what not in COMPILED:
            raise StartError(
                f"'{self.name}': there is no {shortened(what)} to compile; give one of {', '.join(COMPILED)}"
            )
        self._numbers.evaluator(what).compile()
        return self

    def c_code(self, path) -> tuple[Path, Path]:
        """Write a stand-alone C99 function of (q, v, tau, t, parameters) that computes M, h and v̇; returns the paths
        of .c and .h."""
        return written_code(self, path)

    def count_operations(self) -> dict[str, int]:
        """Number of operations in M and h: ``written`` out as formulas, and ``shared``, with each value computed
        once."""
        return self._numbers.operations()

    def leaves(self) -> list[tuple]:
        """Every symbol of the equations with its letter."""
        found = self.state.leaves(self.canonical.get("p", ()))
        return found if self.loops is None else [*found, *zip(self.loops.lam, self.loops.letters, strict=True)]

    def _hamilton(self, what: str, inputs: tuple, t, parameters) -> np.ndarray:
        if not self.canonical:
            raise MethodError(f"the form '{self.form}' has no momenta; use derive(system, form=\"hamilton\")")
        return self._evaluated(what, t, parameters, *inputs)

    def _evaluated(self, what: str, t, parameters, *inputs) -> np.ndarray:
        if parameters is None:
            fast = self._fast.get(what)
            if fast is not None:
                result = fast(t, *inputs)
                if result is not None:
                    return result
        return self._numbers(what, inputs, t, parameters)

    def _outputs(self, what: str) -> dict[str, Any]:
        from vinculum.derivations.outputs import outputs

        return outputs(self, what)
