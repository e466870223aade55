"""A principle as tapes for numerical values: Legendre transform, rates and observables."""

from collections.abc import Mapping
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.derivations.regularity import NOT_A_SQUARE, check_determined, keeps_sign
from vinculum.equations.lagrangian.first_order_form import DECAY, FirstOrder, first_order_form
from vinculum.equations.lagrangian.ostrogradsky import ostrogradsky_energy, ostrogradsky_momenta
from vinculum.equations.lagrangian.principle import Principle
from vinculum.equations.lagrangian.reactions import reaction_groups
from vinculum.errors import MethodError, StartError, shorten
from vinculum.models.conditions.closed_loops import visible
from vinculum.scalars import directional, gradient, jacobian
from vinculum.scalars.math import norm
from vinculum.screws.entries import entries
from vinculum.systems import nearest
from vinculum.tolerances.functions import FLAT_ROW, NEARBY
from vinculum.tolerances.rank import INDEFINITE
from vinculum.tolerances.samples import NEARBY_SAMPLES


@final
class LagrangianNumbers:
    """Tapes of a principle, made on first use."""

    def __init__(self, name: str, coordinates: tuple[str, ...], principle: Principle):
        self.name, self.coordinates, self.principle = name, coordinates, principle
        self.parameters = principle.parameters() | {DECAY: 0.0}
        self._motions: dict[bool, Tape] = {}
        self._reports: dict[bool, Tape] = {}

    @cached_property
    def form(self) -> FirstOrder:
        return first_order_form(self.principle)

    def values(self, given: Mapping[str, float] | None) -> np.ndarray:
        """Values of all parameters in order; unknown names are refused."""
        found = dict(self.parameters)
        if given is not None and not isinstance(given, Mapping):
            raise StartError(f"parameters is {shorten(given)} and must map names to values, as parameters={{'m': 1.5}}")
        for name, x in (given or {}).items():
            if name not in found or name == DECAY:
                raise StartError(
                    f"there is no parameter '{name}' in system '{self.name}'{nearest(name, visible(found))}"
                )
            found[name] = float(entries(f"parameter '{name}'", x, (), refusal=StartError))
        for rows in self.principle.loose:
            rows.realization.check_values(f"system '{self.name}': constraint '{rows.name}'", found)
        return np.array([found[name] for name in sorted(found)])

    def motion(self, augmented: bool) -> Tape:
        """The rates of the state."""
        if augmented not in self._motions:
            self._motions[augmented] = self.tape({"state_dot": self.form.rates(augmented)})
        return self._motions[augmented]

    def report(self, augmented: bool) -> Tape:
        """Multipliers of ideal constraints, energies and power, constraints and their sizes, momenta."""
        if augmented not in self._reports:
            form, principle = self.form, self.principle
            jet, order = principle.jet, principle.order
            reactions = form.reactions(augmented)
            constrained = (*principle.stationary, *principle.ideal)
            last = gradient(principle.whole(), principle.highest)
            groups = {"reactions": reactions, "total": [form.energy()], "power": [form.power(reactions)],
                      "momenta": np.concatenate([*form.chain, last]),
                      "own": [ostrogradsky_energy(jet, principle.L, 1)] if order == 1 else []}  # fmt: skip
            groups |= {f"constraint {rows.name}": rows.F for rows in constrained}
            for rows in principle.loose:
                groups |= {f"constraint {rows.name}": rows.F, f"multiplier {rows.name}": rows.own_multipliers()}
            for rows in constrained:
                jacobians = [
                    [norm(row) * norm(jet.levels[k]) for row in jacobian(rows.F, jet.levels[k])]
                    for k in range(rows.level + 1)
                ]
                groups[f"size {rows.name}"] = sum(map(np.array, jacobians))
            if order == 1 and constrained and all(rows.level <= 1 for rows in constrained):
                groups |= reaction_groups(form, augmented)
            self._reports[augmented] = self.tape(groups)
        return self._reports[augmented]

    def tape(self, groups: Mapping[str, object]) -> Tape:
        """Functions of the state, the time and the parameters."""
        state, n = self.form.state, len(self.coordinates)
        return trace({"q": state[:n], "v": state[n:], "t": np.array([self.principle.jet.t])}, groups, self.parameters)

    @cached_property
    def system_matrices(self) -> Tape:
        """The Hessian A and the rows B whose bordered matrix gives the highest derivatives."""
        return self.tape({"A": self.form.matrix, "B": self.form.rows})

    @cached_property
    def conditions(self) -> Tape:
        """The rows B (m, n) of constraints by the highest derivatives, what vanishes of a state, and its gradients by q, …, q^{(N)}."""
        principle = self.principle
        jet, order = principle.jet, principle.order
        below, above = (
            np.concatenate([*jet.levels[:order], [jet.t]]),
            np.concatenate([*jet.levels[1 : order + 1], [1.0]]),
        )
        found = [rows.F for rows in (*principle.stationary, *principle.ideal)]
        found += [directional(rows.F, below, above) for rows in principle.ideal if rows.level == 0]
        residuals = np.concatenate(found)
        gradients = jacobian(residuals, np.concatenate(jet.levels[: order + 1]))
        return self.tape({"rows": self.form.rows, "residuals": residuals, "gradients": gradients})

    @cached_property
    def values_on_curves(self) -> Tape:
        """L, D, and the rows of constraints, over the derivatives up to order N and the time: nothing is differentiated."""
        principle = self.principle
        jet = principle.jet
        inputs = {f"level{k}": jet.levels[k] for k in range(principle.order + 1)} | {"t": np.array([jet.t])}
        rows = np.concatenate(
            [np.zeros(0), *(constrained.F for constrained in (*principle.stationary, *principle.ideal))]
        )
        return trace(inputs, {"L": [principle.L], "D": principle.D, "F": rows}, self.parameters)

    @cached_property
    def start_momenta(self) -> Tape:
        """π₀ … π_{N−2} over derivatives up to order 2N − 1 and multipliers up to order N − 1."""
        principle = self.principle
        jet, order = principle.jet, principle.order
        momenta = ostrogradsky_momenta(jet, principle.whole(), order)[:-1]
        return self._jet_tape({"pi": np.concatenate([np.zeros(0), *momenta])})

    @cached_property
    def start_rows(self) -> Tape:
        """Every constraint with its time derivatives that a start must keep, and their derivatives by all derivatives."""
        principle = self.principle
        jet, order = principle.jet, principle.order
        found = []
        for rows, more in [*((r, order) for r in principle.stationary), *((r, 2 - r.level) for r in principle.ideal)]:
            F = rows.F
            for _ in range(more):
                found.append(F)
                F = jet.rate(F)
        F = np.concatenate([np.zeros(0), *found])
        return self._jet_tape({"F": F, "jacobians": jacobian(F, np.concatenate(jet.levels[: 2 * order]))})

    def _jet_tape(self, groups: Mapping[str, object]) -> Tape:
        jet, order = self.principle.jet, self.principle.order
        inputs = {f"level{k}": jet.levels[k] for k in range(2 * order)}
        inputs |= {f"multiplier{k}": jet.multipliers[k] for k in range(order)} | {"t": np.array([jet.t])}
        return trace(inputs, groups, self.parameters)

    @cached_property
    def legendre(self) -> Tape:
        """Momenta, Hessian and energy over (q, v, t), of a Lagrangian of first order."""
        principle = self.principle
        q, v, t = principle.jet.levels[0], principle.jet.levels[1], principle.jet.t
        p = ostrogradsky_momenta(principle.jet, principle.L, 1)[0]
        groups = {"p": p, "hessian": jacobian(p, v), "E": [ostrogradsky_energy(principle.jet, principle.L, 1)]}
        return trace({"q": q, "v": v, "t": np.array([t])}, groups, self.parameters)

    def vector(self, what: str, x) -> np.ndarray:
        """``x`` as one finite number for every coordinate."""
        n = len(self.coordinates)
        given = np.atleast_1d(entries(f"system '{self.name}': {what}", x, refusal=StartError))
        if given.shape != (n,) or given.dtype == object:
            raise StartError(
                f"system '{self.name}': {what} has shape {given.shape}; give {n} numbers, for {', '.join(self.coordinates)}"
            )
        return np.array(given, dtype=float)

    def accelerations(self, q, v, t, multipliers, parameters) -> np.ndarray:
        """v̇ at a state of a system of first order."""
        if self.principle.order != 1:
            raise MethodError(
                f"system '{self.name}' is of order {self.principle.order}; accelerations are a part of its state"
            )
        count = len(self.principle.jet.multipliers[0])
        given = np.atleast_1d(np.asarray(multipliers, dtype=float))
        if given.shape != (count,):
            raise StartError(f"system '{self.name}': {count} vakonomic multipliers are needed, got {given.tolist()}")
        state = np.concatenate([self.vector("q", q), self.vector("v", v), given])
        values = self.values(parameters)
        augmented = self.needs_augmenting(state, float(t), values)
        n = len(self.coordinates)
        return evaluate_groups(self.motion(augmented), np.concatenate([state, [float(t)], values])[None])["state_dot"][
            0, n : 2 * n
        ]

    def bordered_matrices(self, rows: np.ndarray) -> np.ndarray:
        """Matrices (B, n + m, n + m) that give the next derivatives, at rows (state, t, parameters)."""
        found, n = evaluate_groups(self.system_matrices, rows), len(self.coordinates)
        A, B = found["A"].reshape(-1, n, n), found["B"].reshape(len(rows), -1, n)
        corner = np.zeros((len(rows), B.shape[1], B.shape[1]))
        return np.block([[A, np.swapaxes(B, 1, 2)], [B, corner]])

    def needs_augmenting(self, state: np.ndarray, t: float, values: np.ndarray) -> bool:
        """Whether A is not positive definite at a state; where nothing determines the motion the state is refused."""
        K, n = self.bordered_matrices(np.concatenate([state, [t], values])[None])[0], len(self.coordinates)
        idle = self._idle(state, t, values, K[n:, :n])
        check_determined(self.name, K, n, state[:n], state[n : 2 * n], self.principle.order, idle)
        A = K[:n, :n]
        return bool(np.linalg.eigvalsh(0.5 * (A + A.T))[0] <= INDEFINITE * np.abs(A).max(initial=0.0))

    def _idle(self, state: np.ndarray, t: float, values: np.ndarray, B: np.ndarray) -> str:
        """What is to be said of the first row of constraints that vanishes at a state; nothing if none does."""
        flat = np.flatnonzero(~np.any(np.abs(B) > FLAT_ROW * max(1.0, float(np.abs(B).max(initial=0.0))), axis=1))
        if not len(flat):
            return ""
        n, order = len(self.coordinates), self.principle.order
        near = np.repeat(state[None], 1 + NEARBY_SAMPLES, axis=0)
        near[1:, : (order + 1) * n] += NEARBY * np.random.default_rng(3).normal(size=(NEARBY_SAMPLES, (order + 1) * n))
        rows = np.concatenate([near, np.broadcast_to([t, *values], (len(near), 1 + len(values)))], axis=1)
        F = evaluate_groups(self.conditions, rows)["residuals"][:, flat[0]]
        names = [rows.name for rows in (*self.principle.stationary, *self.principle.ideal) for _ in rows.F]
        told = f"constraint '{names[flat[0]]}' has no gradient there and constrains nothing: "
        return told + (
            NOT_A_SQUARE
            if keeps_sign(F[0], F[1:])
            else "how the motion leaves this state is not determined; start at another"
        )
