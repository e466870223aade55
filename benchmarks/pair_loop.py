"""Accelerations of 1000 gravitating points, next to a C loop compiled with `gcc -O3 -march=native -ffast-math -fopenmp`.

The C program is measured twice, as one loop over all ordered pairs and as one that takes each pair once; the quicker one on the
same number of cores counts. Vinculum's time is that of the whole right-hand side of the run: positions gathered, the loop over
pairs as it was traced from the user's Python function, and the tables of the points, which divide the sums by masses.
"""

import ctypes
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from _cases import report, sized

import vinculum as vc
from vinculum.compile.kernels import njit
from vinculum.integrators.tabled.field import TableRates
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.rates import table_rates

COUNT, ROWS, REPEATS, TARGET = sized(1000, 300), 2, sized(200, 1), 1.5
FLAGS = ("-O3", "-march=native", "-ffast-math", "-fopenmp")
SOURCE = r"""
#include <math.h>
#include <omp.h>
#define ARGUMENTS int rows, int n, const double *restrict x, const double *restrict y, const double *restrict z, \
    const double *restrict m, double *restrict ax, double *restrict ay, double *restrict az

void all_pairs(ARGUMENTS) {
  for (int row = 0; row < rows; row++) {
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
      double xi = x[i], yi = y[i], zi = z[i], sx = 0, sy = 0, sz = 0;
      for (int j = 0; j < n; j++) {
        double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi, r2 = dx * dx + dy * dy + dz * dz + 1e-90;
        double inverse = 1.0 / sqrt(r2), w = m[j] * inverse * inverse * inverse;
        sx += w * dx; sy += w * dy; sz += w * dz;
      }
      ax[i] = sx; ay[i] = sy; az[i] = sz;
    }
  }
}

void each_pair_once(ARGUMENTS) {
  for (int row = 0; row < rows; row++) {
    for (int i = 0; i < n; i++) ax[i] = ay[i] = az[i] = 0.0;
    #pragma omp parallel for schedule(dynamic, 16) reduction(+ : ax[:n], ay[:n], az[:n])
    for (int i = 0; i < n; i++) {
      double xi = x[i], yi = y[i], zi = z[i], mi = m[i], sx = 0, sy = 0, sz = 0;
      for (int j = i + 1; j < n; j++) {
        double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi, r2 = dx * dx + dy * dy + dz * dz;
        double inverse = 1.0 / sqrt(r2), w = inverse * inverse * inverse, wi = mi * w, wj = m[j] * w;
        sx += wj * dx; sy += wj * dy; sz += wj * dz;
        ax[j] -= wi * dx; ay[j] -= wi * dy; az[j] -= wi * dz;
      }
      ax[i] += sx; ay[i] += sy; az[i] += sz;
    }
  }
}

void use_cores(int count) { omp_set_num_threads(count); }
"""


def compiled(folder: Path) -> ctypes.CDLL:
    (folder / "pairs.c").write_text(SOURCE)
    subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "pairs.c", "-o", "pairs.so", "-lm"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "pairs.so"))


def cloud(count: int) -> vc.System:
    system = vc.System("cloud")
    bodies = [system.add(vc.MassPoint(f"p{i}", 1.0 + i / count)) for i in range(count)]
    system.add(
        vc.potentials.PairPotential(
            "gravity", bodies, lambda a, b: -a.mass * b.mass / vc.math.norm(a.position - b.position)
        )
    )
    return system


@njit(nogil=True)
def many_rates(tables, states, t, out):
    """Rates (B, n) of many states."""
    for r in range(len(states)):
        table_rates(tables, states[r], t, out[r])


def compare(count: int, library: ctypes.CDLL | None) -> list[dict]:
    place = np.random.default_rng(1).normal(size=(count, 3))
    state = np.concatenate([place.ravel(), np.zeros(3 * count)])
    field = TableRates(model_for(cloud(count)), np.zeros(0))
    states, out = np.tile(state, (ROWS, 1)), np.empty((ROWS, 6 * count))
    columns, mass = np.ascontiguousarray(place.T), 1.0 + np.arange(count) / count
    theirs = np.zeros((3, count))
    arrays = [ctypes.c_void_p(a.ctypes.data) for a in (*columns, mass, *theirs)]
    rows = []
    for cores in (1, 2):
        works = {"vinculum": lambda: many_rates(field.tables, states, 0.0, out)}
        if library is not None:
            library.use_cores(cores)
            works |= {"all pairs": lambda: library.all_pairs(ROWS, count, *arrays),
                      "each pair once": lambda: library.each_pair_once(ROWS, count, *arrays)}  # fmt: skip
        spent: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(REPEATS):
            for name in [name for name in works if name != "vinculum"]:
                began = time.perf_counter()
                works[name]()
                spent[name].append(time.perf_counter() - began)
            with field.thread_pool(ROWS, cores):
                works["vinculum"]()
                began = time.perf_counter()
                works["vinculum"]()
                spent["vinculum"].append(time.perf_counter() - began)
        least = {name: 1e3 * min(times) / ROWS for name, times in spent.items()}
        peer = error = None
        if library is not None:
            error = float(np.abs(out[0, 3 * count :].reshape(count, 3).T - theirs).max() / np.abs(theirs).max())
            peer = min(least["all pairs"], least["each pair once"])
        rows.append({"points": count, "cores": cores, "vinculum ms": least["vinculum"],
                     "C each pair once ms": least.get("each pair once"), "C all pairs ms": least.get("all pairs"),
                     "time over C": None if peer is None else least["vinculum"] / peer, "at most": TARGET,
                     "difference": error})  # fmt: skip
    return rows


def main() -> None:
    if sized(False, True):
        report("pair_loop", compare(COUNT, None))
        return
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        report("pair_loop", [*compare(COUNT, library), *compare(4 * COUNT, library)])


if __name__ == "__main__":
    main()
