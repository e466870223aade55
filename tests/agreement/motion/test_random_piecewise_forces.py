"""Random forces with switches, kinks and roots on a slider, next to SciPy with steps too short to miss a switch."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from marks import needs_heyoka

UNTIL, INSTANTS, CLOSE = 4.0, 41, 1e-5
"""The other integrator knows nothing of switches: with steps of 2 ms it is right to about 1e-6."""

SLIDES = (21, 104, 128)
"""Seeds whose forces jump and push back from both sides of a switch."""


class Numbers:
    """Functions of `vc.math` for single numbers."""

    maximum, minimum, abs = max, min, abs
    sin, cos, tanh, exp, sqrt = np.sin, np.cos, np.tanh, np.exp, np.sqrt

    @staticmethod
    def where(condition, a, b):
        return a if condition else b


def formula(rng, depth: int) -> str:
    """A random formula of x, v and t; roots are taken of what a switch keeps positive."""
    if depth == 0:
        return ["x", "v", "t", f"{rng.uniform(0.1, 2.0):.3f}"][rng.integers(4)]
    a, b, c = (formula(rng, depth - 1) for _ in range(3))
    return [
        f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"m.sin({a})", f"m.tanh({a})", f"m.exp(-({a})**2)", f"m.sqrt(0.1 + ({a})**2)",
        f"m.maximum({a}, {b})", f"m.minimum({a}, {b})", f"m.abs({a})", f"m.where({a} < {b}, {b}, {c})", f"m.maximum({a}, 0)**1.5",
        f"m.where({a} > 0, m.abs({a})**2.5, {b})",
    ][rng.integers(13)]  # fmt: skip


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(k, marks=pytest.mark.slow) for k in range(10, 150))])
def test_a_slider_under_a_random_force_moves_as_another_integrator_says(seed, method):
    rng = np.random.default_rng(seed)
    text = f"-3 * x - 0.3 * v + {'2 * m.sin' if seed % 3 else 'm.tanh'}({formula(rng, 3)})"
    force = eval(f"lambda x, v, t, m: {text}")
    x, v = rng.uniform(-1.0, 1.0, 2)
    system = vc.System("slider")
    body = system.add(vc.MassPoint("body", 1.0))
    system.add(vc.Prismatic("x", "ground", body, axis=(1, 0, 0), drive=lambda q, v, t: force(q, v, t, vc.math)))
    times = np.linspace(0.0, UNTIL, INSTANTS)
    run = lambda: vc.simulate(system, UNTIL, {"x": vc.At(x, rate=v)}, method=method, grid=times, progress=False)
    if seed in SLIDES:
        with pytest.raises(vc.errors.RunError, match="slides along the switch"):
            run()
        return
    motion = run()
    other = solve_ivp(lambda t, y: [y[1], force(y[0], y[1], t, Numbers)], (0.0, UNTIL), [x, v], rtol=1e-9, atol=1e-10,
                      max_step=2e-3, t_eval=times)  # fmt: skip
    np.testing.assert_allclose(motion["x"], other.y[0], rtol=0, atol=CLOSE, err_msg=text)
    assert motion.audit().passed, f"{text}\n{motion.audit()}"
