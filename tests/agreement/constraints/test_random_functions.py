"""Random smooth energies and constraints next to another integrator: SciPy on equations that SymPy differentiates."""

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import vinculum as vc
from marks import needs_heyoka

KINDS = (
    (sympy.sin, vc.math.sin),
    (sympy.tanh, vc.math.tanh),
    (sympy.atan, vc.math.atan),
    (lambda u: sympy.exp(-(u**2)), lambda u: vc.math.exp(-(u**2))),
    (lambda u: sympy.log(1 + u**2), lambda u: vc.math.log(1 + u**2)),
    (lambda u: sympy.sqrt(1 + u**2), lambda u: vc.math.sqrt(1 + u**2)),
    (lambda u: (1 + u**2) ** 1.5 / 5, lambda u: (1 + u**2) ** 1.5 / 5),
    (lambda u: sympy.cosh(u / 2), lambda u: vc.math.cosh(u / 2)),
    (lambda u: u / (1 + u**2), lambda u: u / (1 + u**2)),
    (lambda u: u**2, lambda u: u**2),
)
BOUNDED = KINDS[:4]
"""Energies of these kinds have a lower bound, so that no point goes to infinity in finite time."""
UNTIL = 1.0


def random_function(rng, n: int, terms: int, kinds=KINDS):
    """A sum of terms a f(b·x + c), as SymPy and as Vinculum write it."""
    drawn = [
        (kinds[rng.integers(len(kinds))], (rng.normal(size=n) * (rng.random(n) < 0.7)).tolist(), *rng.normal(size=2))
        for _ in range(terms)
    ]
    return [
        lambda x, way=way: sum(
            float(a) * kind[way](sum(k * y for k, y in zip(b, x, strict=True)) + float(c)) for kind, b, c, a in drawn
        )
        for way in (0, 1)
    ]


class Case:
    """Mass points under a random energy and random constraints on positions and velocities; and the same by SymPy and SciPy."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        self.count = int(rng.integers(1, 4))
        self.n = 3 * self.count
        self.masses = rng.uniform(0.5, 2.0, self.count)
        self.energy = random_function(rng, self.n, 4, BOUNDED)
        self.on_positions = [random_function(rng, self.n, 3) for _ in range(int(rng.integers(0, 3)))]
        rows = int(rng.integers(0, 2)) or int(not self.on_positions)
        self.on_velocities = [[random_function(rng, self.n, 2) for _ in range(self.n)] for _ in range(rows)]
        self.q, v = 0.7 * rng.normal(size=self.n), rng.normal(size=self.n)
        self._equations = self._by_sympy()
        self.m = np.repeat(self.masses, 3)
        J = np.asarray(self._equations(self.q, v)[1], dtype=float)
        self.v = v - (J.T / self.m[:, None]) @ np.linalg.solve(J / self.m @ J.T, J @ v)

    def _by_sympy(self):
        x, v = sympy.symbols(f"x0:{self.n}"), sympy.symbols(f"v0:{self.n}")
        U = self.energy[0](x)
        rows = [sympy.Matrix([one[0](x)]).jacobian(x) for one in self.on_positions]
        rows += [sympy.Matrix([[one[0](x) for one in row]]) for row in self.on_velocities]
        J = sympy.Matrix.vstack(*rows)
        rates = J * sympy.Matrix(v)
        bias = rates.jacobian(x) * sympy.Matrix(v)
        return sympy.lambdify([x, v], [sympy.Matrix([U]).jacobian(x), J, bias], cse=True)

    def rates(self, _, y):
        slope, J, bias = (np.asarray(one, dtype=float) for one in self._equations(y[: self.n], y[self.n :]))
        multipliers = np.linalg.solve(J / self.m @ J.T, J @ (slope.ravel() / self.m) - bias.ravel())
        return np.concatenate([y[self.n :], (J.T @ multipliers - slope.ravel()) / self.m])

    def end(self) -> np.ndarray:
        """Coordinates at the end, by SciPy."""
        start = np.concatenate([self.q, self.v])
        return solve_ivp(self.rates, (0, UNTIL), start, method="DOP853", rtol=1e-12, atol=1e-13).y[: self.n, -1]

    def motion(self, method: str) -> vc.Motion:
        system = vc.System("points")
        bodies = [system.add(vc.MassPoint(f"point {i}", float(m))) for i, m in enumerate(self.masses)]
        places = lambda views: [x for view in views for x in view.position]
        system.add(vc.Potential("energy", bodies, lambda *views: self.energy[1](places(views))))
        for i, one in enumerate(self.on_positions):
            level = float(one[0](self.q))
            position = lambda *views, one=one, level=level: one[1](places(views)) - level
            system.add(vc.Constraint(f"surface {i}", bodies, position=position, realization="dalembert"))
        for i, row in enumerate(self.on_velocities):
            velocity = lambda *views, row=row: sum(
                one[1](places(views)) * u
                for one, u in zip(row, [u for view in views for u in view.velocity], strict=True)
            )
            system.add(vc.Constraint(f"blade {i}", bodies, velocity=velocity, realization="dalembert"))
        q, v = self.q.reshape(-1, 3), self.v.reshape(-1, 3)
        start = {body.name: vc.At(q[i], rate=v[i]) for i, body in enumerate(bodies)}
        return vc.simulate(system, UNTIL, start, method=method, grid=3, progress=False)


def _agrees(seed: int, method: str) -> None:
    case = Case(seed)
    motion, end = case.motion(method), case.end()
    assert np.abs(motion.q[-1] - end).max() < 1e-11 * max(1.0, np.abs(end).max())
    assert motion.audit().passed


@pytest.mark.parametrize(
    "seed", [1, 7, *(pytest.param(k, marks=pytest.mark.slow) for k in range(40) if k not in (1, 7))]
)
def test_random_functions_move_points_as_another_integrator_does(seed):
    _agrees(seed, "dop853")


@needs_heyoka
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_random_functions_by_taylor_series(seed):
    _agrees(seed, "taylor")
