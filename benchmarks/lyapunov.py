"""Lyapunov spectra of many double pendulums in one ensemble."""

import time

import numpy as np
from _cases import peer, report, sized

import vinculum as vc

RUNS, UNTIL, TOLERANCE = sized(10_000, 16), sized(100.0, 2.0), 1e-9


def double_pendulum() -> vc.hamiltonian.Hamiltonian:
    system = vc.System("double pendulum", gravity=(0, -9.81, 0))
    first, second = system.add(vc.MassPoint("first", 1.0)), system.add(vc.MassPoint("second", 1.0))
    system.add(vc.Revolute("alpha", "ground", first, to=(0, 1, 0)))
    system.add(vc.Revolute("beta", first, second, to=(0, 1, 0)))
    return vc.hamiltonian.Hamiltonian.of(system)


def main() -> None:
    H, rng = double_pendulum(), np.random.default_rng(0)
    q = rng.uniform(-2.5, 2.5, (RUNS, 2))
    p = H.momentum(q, rng.normal(size=(RUNS, 2)))
    vc.hamiltonian.lyapunov_spectrum(H, 0.1, q[:8], p[:8], tolerance=TOLERANCE)
    began = time.perf_counter()
    found = vc.hamiltonian.lyapunov_spectrum(H, UNTIL, q, p, tolerance=TOLERANCE)
    ours = time.perf_counter() - began
    worst = float(np.abs(found.exponents + found.exponents[:, ::-1]).max())
    integrate = peer("scipy.integrate")
    theirs = None if integrate is None else scipy_time(integrate, H, q, p)
    rows = [
        {
            "what": f"{RUNS} spectra over {UNTIL:g} s [s]",
            "vinculum": ours,
            "SciPy": theirs,
            "ratio": None if theirs is None else theirs / ours,
        },
        {"what": "largest error of a pair", "vinculum": worst, "SciPy": None, "ratio": None},
    ]
    report("lyapunov", rows)


def scipy_time(integrate, H, q, p, sample: int = 2) -> float:
    """The time of SciPy for all runs, from a few of them."""
    rates, slopes = H.rates, H.function(lambda q, p: 0.0)
    slopes = type(slopes)(H.space, ("J",), H.space.derivatives(H.space.rates))

    def f(t, s):
        row = np.concatenate([s[:4], [0.0]])[None]
        J = slopes.at_rows(row).reshape(4, 4)
        return np.concatenate([rates.at_rows(row)[0], (J @ s[4:].reshape(4, 4)).ravel()])

    began = time.perf_counter()
    for k in range(sample):
        start = np.concatenate([q[k], p[k], np.eye(4).ravel()])
        integrate.solve_ivp(f, (0.0, UNTIL / 10), start, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE)
    return (time.perf_counter() - began) * 10 * len(q) / sample


if __name__ == "__main__":
    main()
