"""The outer solar system over 10 000 years, next to heyoka's own n-body model, SciPy's DOP853, and REBOUND's symplectic methods."""

import time

import heyoka as hy
import numpy as np
from _cases import best, peer, report, sized
from scipy.integrate import solve_ivp

import vinculum as vc

YEARS = sized(10_000, 20)
UNTIL = 365.25 * YEARS
G = 2.95912208286e-4
BODIES = {  # masses of the sun, AU, AU/day: Hairer, Lubich and Wanner, Geometric Numerical Integration, I.2.4
    "sun": (1.00000597682, (0, 0, 0), (0, 0, 0)),
    "jupiter": (0.000954786104043, (-3.5023653, -3.8169847, -1.5507963), (0.00565429, -0.00412490, -0.00190589)),
    "saturn": (0.000285583733151, (9.0755314, -3.0458353, -1.6483708), (0.00168318, 0.00483525, 0.00192462)),
    "uranus": (0.0000437273164546, (8.3101420, -16.2901086, -7.2521278), (0.00354178, 0.00137102, 0.00055029)),
    "neptune": (0.0000517759138449, (11.4707666, -25.7294829, -10.8169456), (0.00288930, 0.00114527, 0.00039677)),
    "pluto": (1 / 1.3e8, (-15.5387357, -25.2225594, -3.1902382), (0.00276725, -0.00170702, -0.00136504)),
}
M, X, V = (np.array([body[k] for body in BODIES.values()], dtype=float) for k in range(3))
V = V - (M @ V) / M.sum()


def in_vinculum() -> tuple[vc.System, dict]:
    system = vc.System("outer solar system")
    bodies = [system.add(vc.MassPoint(name, mass)) for name, mass in zip(BODIES, M, strict=True)]
    system.add(vc.potentials.Gravitation("gravitation", bodies, G=G))
    return system, {name: vc.At(x, rate=v) for name, x, v in zip(BODIES, X, V, strict=True)}


def energy(x: np.ndarray, v: np.ndarray) -> np.longdouble:
    x, v, m = (np.asarray(a, dtype=np.longdouble) for a in (x, v, M))
    pairs = [(i, j) for i in range(6) for j in range(i)]
    potential = sum(-G * m[i] * m[j] / np.sqrt(((x[i] - x[j]) ** 2).sum()) for i, j in pairs)
    return 0.5 * (m * (v * v).sum(axis=1)).sum() + potential


def drift(x, v) -> float:
    first = energy(X, V)
    return float(abs(energy(x, v) - first) / abs(first))


def heyoka_run(ta, dense: bool):
    ta.time = 0.0
    ta.state[:] = np.concatenate([X, V], axis=1).ravel()
    return ta.propagate_until(UNTIL, c_output=dense)


def scipy_field(t, y):
    x, v = y.reshape(2, 6, 3)
    d = x[None] - x[:, None]
    r2 = (d * d).sum(axis=2) + np.eye(6)
    return np.concatenate([v.ravel(), ((G * M / (r2 * np.sqrt(r2)))[:, :, None] * d).sum(axis=1).ravel()])


RECORDS = sized(200, 4)
SYMPLECTIC = {
    (8, 4, 4): ("H_8_4_4", 150.0),
    (8, 6, 4): ("8_6_4", 200.0),
    (10, 6, 4): ("10_6_4", 250.0),
}
"""By order: the type of REBOUND's SABA, and a step [days]."""


def rebound_run(rebound, name: str, step: float, until: float):
    """A simulation of REBOUND as fast as it goes: positions are synchronized when they are asked for."""
    sim = rebound.Simulation()
    sim.G = G
    for m, x, v in zip(M, X, V, strict=True):
        sim.add(m=m, x=x[0], y=x[1], z=x[2], vx=v[0], vy=v[1], vz=v[2])
    setattr(sim, "integrator", "saba")  # noqa: B010 (it is then an object, with a type)
    sim.integrator.type, sim.integrator.safe_mode, sim.dt = name, 0, step
    sim.integrate(until, exact_finish_time=0)
    return sim


def rebound_error(rebound, name: str, step: float, every: int) -> float:
    """The largest energy error after each of so many steps."""
    sim, worst = rebound_run(rebound, name, step, 0.0), 0.0
    for k in range(1, RECORDS + 1):
        sim.integrate((every * k - 0.5) * step, exact_finish_time=0)  # it ends with the step that reaches this instant
        state = np.array([[[b.x, b.y, b.z], [b.vx, b.vy, b.vz]] for b in sim.particles])
        worst = max(worst, drift(state[:, 0], state[:, 1]))
    return worst


def symplectic() -> list[dict]:
    """Methods of the same order with the same step, about the same Kepler motions."""
    rebound = peer("rebound")
    planets = vc.hamiltonian.Planets("outer solar system", dict(zip(BODIES, M.tolist(), strict=True)), G)
    q, p = planets.state(X, V)
    rows = []
    for order, (name, step) in SYMPLECTIC.items():

        def run(until: float, every: int, order=order, step=step):
            return vc.hamiltonian.integrate_perturbed(
                planets.hamiltonian, planets.solved, until, q, p, step=step, order=order, every=every
            )

        every = max(1, int(UNTIL / step / RECORDS))
        began = time.perf_counter()
        orbits = run(RECORDS * every * step, every)
        first = time.perf_counter() - began
        x, v = planets.bodies(orbits.q, orbits.p)
        error = max(drift(*one) for one in zip(x[1:], v[1:], strict=True))
        theirs, their_error = None, None
        if rebound is not None:
            their_error = rebound_error(rebound, name, step, every)
            rebound_run(rebound, name, step, UNTIL)
        count = len(orbits.time)
        ours = best(lambda: run(UNTIL, int(UNTIL / step) + 1), 9)  # noqa: B023
        if rebound is not None:
            theirs = best(lambda: rebound_run(rebound, name, step, UNTIL), 9)  # noqa: B023
        rows.append({"method": str(order), "step days": step, "records": count, "vinculum s": ours, "peer": f"REBOUND SABA {name}",
                     "peer s": theirs, "ours / theirs": None if theirs is None else ours / theirs, "target": "≤ 1.5",
                     "energy error": error, "peer's energy error": their_error, "first call s": first})  # fmt: skip
    return rows


def main() -> None:
    report("symplectic_solar_system", symplectic())
    system, start = in_vinculum()
    began = time.perf_counter()
    motion = vc.simulate(system, UNTIL, start, thorough=True, progress=False)
    first = time.perf_counter() - began
    if sized(False, True):
        report("outer_solar_system", [{"peer": "none", "first call s": first, "steps": len(motion.record.pieces)}])
        return
    ours = best(lambda: vc.simulate(system, UNTIL, start, thorough=True, progress=False), 9)
    quick = best(lambda: vc.simulate(system, UNTIL, start, thorough=False, progress=False), 5)
    x, v = (motion.at([UNTIL]).q[0].reshape(6, 3), motion.at([UNTIL]).v[0].reshape(6, 3))
    error = drift(x, v)
    rows = []
    began = time.perf_counter()
    ta = hy.taylor_adaptive(hy.model.nbody(6, masses=M.tolist(), Gconst=G), np.zeros(36), high_accuracy=True)
    compiling = time.perf_counter() - began
    for dense in (True, False):
        theirs = best(lambda dense=dense: heyoka_run(ta, dense), 9)
        x, v = np.swapaxes(ta.state.reshape(6, 2, 3), 0, 1)
        rows.append({"peer": f"heyoka's nbody, {'with' if dense else 'no'} dense output", "vinculum s": ours, "quickly compiled s": quick,
                     "peer s": theirs, "ours / theirs": ours / theirs, "target": "≤ 1.2", "energy error": error,
                     "peer's energy error": drift(x, v), "first call s": first, "peer's compile s": compiling})  # fmt: skip
    span = UNTIL / 100
    state = np.concatenate([X.ravel(), V.ravel()])
    began = time.perf_counter()
    found = solve_ivp(scipy_field, (0, span), state, method="DOP853", rtol=2.3e-14, atol=1e-18)
    theirs = 100 * (time.perf_counter() - began)
    x, v = found.y[:, -1].reshape(2, 6, 3)
    rows.append({"peer": "SciPy DOP853 2.3e-14 (100 years × 100)", "vinculum s": ours, "quickly compiled s": quick, "peer s": theirs,
                 "ours / theirs": ours / theirs, "target": "≤ 0.01", "energy error": error, "peer's energy error": drift(x, v),
                 "first call s": first, "peer's compile s": 0.0})  # fmt: skip
    report("outer_solar_system", rows)


if __name__ == "__main__":
    main()
