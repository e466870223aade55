"""Rates of 4000 rigid molecules with three charges and a Lennard-Jones site each, next to a C loop compiled with `gcc -O3 -march=native
-ffast-math -fopenmp`.

Both run through the same list of pairs, which is Vinculum's. The C program turns the sites of all molecules once, takes each pair once,
skips those beyond the cutoff, and sums forces and moments in arrays of each thread. Vinculum's time is that of the whole right-hand side
of the run: frames, the pairs as they were traced from the user's Python function, the walls, and the accelerations.
"""

import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _cases import report, sized

from vinculum.compile.calls import run_indexed
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.near_lists import add_near_forces
from vinculum.models.tabled.rates import Tables, make_tables, put_state, table_rates
from vinculum.models.tabled.type import tabled_in
from vinculum.systems import start_state

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from box_of_molecules import CHARGES, COULOMB, CUTOFF, DEPTH, FADE, SITES, SIZE, box

COUNT, REPEATS, TARGET = sized(4000, 250), sized(30, 1), 0.7
FLAGS = ("-O3", "-march=native", "-ffast-math", "-fopenmp")
SOURCE = r"""
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

void forces(int n, long pairs, const long *restrict first, const long *restrict second, const double *restrict q,
            const double *restrict site, const double *restrict charge, const double *restrict c, double *restrict out) {
  const double coulomb = c[0], depth = c[1], size2 = c[2] * c[2], cutoff = c[3], fade = c[4];
  double *arm = malloc(sizeof(double) * 9 * n);
  int threads = omp_get_max_threads();
  double *sums = calloc((size_t)threads * 6 * n, sizeof(double));
  #pragma omp parallel
  {
    #pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      const double *p = q + 7 * i + 3;
      double w = p[0], x = p[1], y = p[2], z = p[3];
      double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
      for (int s = 0; s < 3; s++)
        for (int k = 0; k < 3; k++)
          arm[9 * i + 3 * s + k] = R[3 * k] * site[3 * s] + R[3 * k + 1] * site[3 * s + 1] + R[3 * k + 2] * site[3 * s + 2];
    }
    double *own = sums + (size_t)omp_get_thread_num() * 6 * n;
    #pragma omp for schedule(static)
    for (long p = 0; p < pairs; p++) {
      long i = first[p], j = second[p];
      double dx = q[7 * i] - q[7 * j], dy = q[7 * i + 1] - q[7 * j + 1], dz = q[7 * i + 2] - q[7 * j + 2];
      double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= cutoff * cutoff) continue;
      double S = 1, slope = 0;
      if (r2 > fade * fade) {
        double r = sqrt(r2), y = (cutoff - r) / (cutoff - fade), y2 = y * y, y5 = y2 * y2 * y;
        S = y5 * y * (462 - y * (1980 - y * (3465 - y * (3080 - y * (1386 - 252 * y)))));
        slope = -y5 * (2772 - y * (13860 - y * (27720 - y * (27720 - y * (13860 - 2772 * y))))) / ((cutoff - fade) * r);
      }
      double ratio = size2 / r2, sixth = ratio * ratio * ratio, U = 4 * depth * (sixth * sixth - sixth);
      double f = 24 * depth * (2 * sixth * sixth - sixth) / r2;
      double fx = f * dx, fy = f * dy, fz = f * dz, a0 = 0, a1 = 0, a2 = 0, b0 = 0, b1 = 0, b2 = 0;
      for (int s = 0; s < 3; s++) {
        const double *u = arm + 9 * i + 3 * s;
        for (int t = 0; t < 3; t++) {
          const double *v = arm + 9 * j + 3 * t;
          double ex = dx + u[0] - v[0], ey = dy + u[1] - v[1], ez = dz + u[2] - v[2];
          double e2 = ex * ex + ey * ey + ez * ez, inverse = 1 / sqrt(e2), own_U = coulomb * charge[s] * charge[t] * inverse;
          double g = own_U * inverse * inverse, gx = g * ex, gy = g * ey, gz = g * ez;
          U += own_U;
          fx += gx; fy += gy; fz += gz;
          a0 += u[1] * gz - u[2] * gy; a1 += u[2] * gx - u[0] * gz; a2 += u[0] * gy - u[1] * gx;
          b0 += v[1] * gz - v[2] * gy; b1 += v[2] * gx - v[0] * gz; b2 += v[0] * gy - v[1] * gx;
        }
      }
      fx = S * fx - U * slope * dx; fy = S * fy - U * slope * dy; fz = S * fz - U * slope * dz;
      double *A = own + 6 * i, *B = own + 6 * j;
      A[0] += fx; A[1] += fy; A[2] += fz; A[3] += S * a0; A[4] += S * a1; A[5] += S * a2;
      B[0] -= fx; B[1] -= fy; B[2] -= fz; B[3] -= S * b0; B[4] -= S * b1; B[5] -= S * b2;
    }
    #pragma omp for schedule(static)
    for (int k = 0; k < 6 * n; k++) {
      double total = 0;
      for (int t = 0; t < threads; t++) total += sums[(size_t)t * 6 * n + k];
      out[k] = total;
    }
  }
  free(arm);
  free(sums);
}

void use_cores(int count) { omp_set_num_threads(count); }
"""


def compiled(folder: Path) -> ctypes.CDLL:
    (folder / "molecules.c").write_text(SOURCE)
    subprocess.run(
        ["gcc", *FLAGS, "-shared", "-fPIC", "molecules.c", "-o", "molecules.so", "-lm"], cwd=folder, check=True
    )
    return ctypes.CDLL(str(folder / "molecules.so"))


def least(work) -> float:
    """The least time of a call [ms]."""
    spent = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return 1e3 * min(spent)


def pair_wrenches(tables: Tables, y: np.ndarray) -> np.ndarray:
    """Forces and moments of pairs alone, without the walls."""
    put_state(tables, y, 0.0)
    run_indexed(tables.frames, tables.board, tables.board)
    add_near_forces(tables.near, tables.board)
    begin, end = tables.sections[0], tables.sections[1]
    return tables.board[begin:end].reshape(-1, 6).copy()


def compare(count: int, library: ctypes.CDLL | None) -> list[dict]:
    system, start = box(count)
    tabled = tabled_in(model_for(system))
    tables, _kept = make_tables(tabled, np.zeros(0))
    q, v = start_state(system.tree(), start)
    y, out = np.concatenate([q, v]), np.empty(len(q) + len(v))
    table_rates(tables, y, 0.0, out)
    ours = least(lambda: table_rates(tables, y, 0.0, out))
    near = tables.near
    pairs = int(near.counts[0])
    row = {"molecules": count, "listed pairs": pairs, "vinculum ms": ours}
    if library is None:
        return [row]
    found = pair_wrenches(tables, y)
    first, second = (np.ascontiguousarray(x[:pairs]) for x in (near.pairs.first, near.pairs.second))
    constants, theirs = np.array([COULOMB, DEPTH, SIZE, CUTOFF, FADE]), np.zeros((count, 6))
    arrays = [ctypes.c_void_p(x.ctypes.data) for x in (first, second, q, SITES, np.array(CHARGES), constants, theirs)]
    call = lambda: library.forces(ctypes.c_int(count), ctypes.c_long(pairs), *arrays)
    rows = []
    for cores in (1, 2):
        library.use_cores(cores)
        peer = least(call)
        rows.append({**row, "cores of C": cores, "C ms": peer, "speed over C": peer / ours, "at least": TARGET,
                     "difference": float(np.abs(found - theirs).max() / np.abs(theirs).max())})  # fmt: skip
    return rows


def main() -> None:
    if sized(False, True):
        report("rigid_molecules", compare(COUNT, None))
        return
    with tempfile.TemporaryDirectory() as folder:
        report("rigid_molecules", compare(COUNT, compiled(Path(folder))))


if __name__ == "__main__":
    main()
