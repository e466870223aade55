"""The lowest 50 states of a particle on a torus by finite elements with 10⁵ unknowns, and by an expansion."""

import time

import numpy as np
from _cases import report, sized

import vinculum as vc

sin, cos = vc.math.sin, vc.math.cos


def operator() -> "vc.geometry.Quantization":
    torus = vc.geometry.Embedding(
        "torus", ["u", "w"], lambda u, w: ((2 + cos(u)) * cos(w), (2 + cos(u)) * sin(w), sin(u))
    )
    around = (0.0, 2.0 * np.pi, "periodic")
    return vc.geometry.Quantization(torus, {"u": around, "w": around})


def main() -> None:
    made, count, rows = operator(), sized(50, 5), []
    made.states(2, method="finite elements", resolution=8)
    for method, resolution in (("finite elements", (sized(120, 12), sized(210, 12))), ("spectral", None)):
        began = time.perf_counter()
        states = made.states(count, method=method, resolution=resolution, tolerance=1e-8)
        rows.append({"what": f"{count} states, {method}, {states.unknowns} unknowns", "seconds": time.perf_counter() - began,
                     "largest error": float(states.errors.max() / states.levels.max())})  # fmt: skip
    report("quantum_states", rows)


if __name__ == "__main__":
    main()
