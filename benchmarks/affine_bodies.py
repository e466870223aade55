"""Ten thousand free affine bodies with a neo-Hookean energy, next to C written by hand over structures of arrays.

The C program is compiled with `gcc -O3 -march=native -ffast-math -fopenmp` and runs on one core, as tables do. Two things are measured:
the rates of a state, and steps of Störmer and Verlet. Vinculum's rates are the whole right-hand side of the run: states gathered by
index, the equations as they were traced from the energy, which differentiate it, and rates put back. Its steps keep every state and
its rates, for the dense output of a motion. C steps twice: once it keeps the same, and once nothing but the last state.
"""

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from _cases import best, report, sized

import vinculum as vc
from vinculum.compile.kernels import njit
from vinculum.integrators.tabled import loops
from vinculum.integrators.tabled.field import TableRates
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.rates import table_rates

COUNT, STEPS, TIMES, TARGET = sized(10_000, 240), sized(20, 2), 20, 1.5
VOLUME, SHEAR, LAME, MOMENT, STEP = 1.0, 20.0, 10.0, (0.1, 0.2, 0.3), 1e-3
FLAGS = ("-O3", "-march=native", "-ffast-math", "-fopenmp")
SOURCE = r"""
#include <math.h>
#define N 9

/* a = -(mu F + (lambda ln det F - mu) F^-T) J^-1, nine arrays of n numbers each */
void accelerations(int n, const double *restrict F, double *restrict a, double mu, double lambda, const double *J) {
  double x = 1.0 / J[0], y = 1.0 / J[1], z = 1.0 / J[2];
  #pragma omp simd
  for (int i = 0; i < n; i++) {
    double f0 = F[i], f1 = F[n + i], f2 = F[2 * n + i], f3 = F[3 * n + i], f4 = F[4 * n + i], f5 = F[5 * n + i];
    double f6 = F[6 * n + i], f7 = F[7 * n + i], f8 = F[8 * n + i];
    double c0 = f4 * f8 - f5 * f7, c1 = f5 * f6 - f3 * f8, c2 = f3 * f7 - f4 * f6;
    double c3 = f2 * f7 - f1 * f8, c4 = f0 * f8 - f2 * f6, c5 = f1 * f6 - f0 * f7;
    double c6 = f1 * f5 - f2 * f4, c7 = f2 * f3 - f0 * f5, c8 = f0 * f4 - f1 * f3;
    double det = f0 * c0 + f1 * c1 + f2 * c2, k = (lambda * log(det) - mu) / det;
    a[i] = -x * (mu * f0 + k * c0); a[n + i] = -y * (mu * f1 + k * c1); a[2 * n + i] = -z * (mu * f2 + k * c2);
    a[3 * n + i] = -x * (mu * f3 + k * c3); a[4 * n + i] = -y * (mu * f4 + k * c4); a[5 * n + i] = -z * (mu * f5 + k * c5);
    a[6 * n + i] = -x * (mu * f6 + k * c6); a[7 * n + i] = -y * (mu * f7 + k * c7); a[8 * n + i] = -z * (mu * f8 + k * c8);
  }
}

/* rates of positions (3), deformations (9), velocities and rates of deformations, twelve arrays of n numbers each */
void rates(int n, const double *restrict q, const double *restrict v, double *restrict dq, double *restrict dv, double mu,
           double lambda, const double *J) {
  for (int i = 0; i < 12 * n; i++) dq[i] = v[i];
  for (int i = 0; i < 3 * n; i++) dv[i] = 0.0;
  accelerations(n, q + 3 * n, dv + 3 * n, mu, lambda, J);
}

void verlet(int n, int steps, double h, double *restrict q, double *restrict v, double *restrict a, double mu, double lambda,
            const double *J) {
  accelerations(n, q + 3 * n, a + 3 * n, mu, lambda, J);
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < 12 * n; i++) { v[i] += 0.5 * h * a[i]; q[i] += h * v[i]; }
    accelerations(n, q + 3 * n, a + 3 * n, mu, lambda, J);
    for (int i = 0; i < 12 * n; i++) v[i] += 0.5 * h * a[i];
  }
}

/* the same from the first state on, with every state and its rates; those of the first are given */
void verlet_kept(int n, int steps, double h, double *restrict states, double *restrict slopes, double mu, double lambda, const double *J) {
  int half = 12 * n;
  for (int s = 0; s < steps; s++) {
    const double *old = states + 2L * half * s, *last = slopes + 2L * half * s;
    double *new = states + 2L * half * (s + 1), *here = slopes + 2L * half * (s + 1);
    for (int i = 0; i < half; i++) {
      double v = old[half + i] + 0.5 * h * last[half + i];
      new[half + i] = v; new[i] = old[i] + h * v;
    }
    for (int i = 0; i < 3 * n; i++) here[half + i] = 0.0;
    accelerations(n, new + 3 * n, here + half + 3 * n, mu, lambda, J);
    for (int i = 0; i < half; i++) here[i] = new[half + i] += 0.5 * h * here[half + i];
  }
}
"""


@njit(nogil=True)
def repeat(tables, y, out, times):
    """The rates of a state, again and again, as loops over time call them."""
    for _ in range(times):
        table_rates(tables, y, 0.0, out)


def compiled(folder: Path) -> ctypes.CDLL:
    (folder / "affine.c").write_text(SOURCE)
    subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "affine.c", "-o", "affine.so", "-lm"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "affine.so"))


def soft_bodies(count: int) -> vc.System:
    """Free bodies of one material."""
    system = vc.System("soft bodies")
    energy = vc.energies.NeoHookean(VOLUME, SHEAR, LAME)
    system.add_many(vc.AffineBody("soft", 1.0, MOMENT, energy=energy), count)
    return system


class Peer:
    """The C program on its own arrays, beginning at the same states."""

    def __init__(self, library: ctypes.CDLL, q: np.ndarray, v: np.ndarray):
        self.library, self.count = library, len(q)
        self.q, self.v = (np.ascontiguousarray(x.T) for x in (q, v))
        self.dq, self.dv, self.moment = np.zeros_like(self.q), np.zeros_like(self.q), np.array(MOMENT)
        self.states, self.slopes = (np.zeros((STEPS + 1, 2 * self.q.size)) for _ in range(2))

    def _addresses(self, *arrays: np.ndarray) -> list:
        return [ctypes.c_void_p(array.ctypes.data) for array in arrays]

    def _material(self) -> list:
        return [ctypes.c_double(VOLUME * SHEAR), ctypes.c_double(VOLUME * LAME), *self._addresses(self.moment)]

    def rates(self) -> np.ndarray:
        self.library.rates(self.count, *self._addresses(self.q, self.v, self.dq, self.dv), *self._material())
        return self.dv

    def steps_kept(self) -> np.ndarray:
        half = self.q.size
        self.rates()
        self.states[0, :half], self.states[0, half:] = self.q.ravel(), self.v.ravel()
        self.slopes[0, :half], self.slopes[0, half:] = self.dq.ravel(), self.dv.ravel()
        self.library.verlet_kept(
            self.count, STEPS, ctypes.c_double(STEP), *self._addresses(self.states, self.slopes), *self._material()
        )
        return self.states[-1, :half].reshape(self.q.shape)

    def steps(self) -> np.ndarray:
        q, v = self.q.copy(), self.v.copy()
        self.library.verlet(
            self.count, STEPS, ctypes.c_double(STEP), *self._addresses(q, v, self.dv), *self._material()
        )
        return q


def compare(count: int, library: ctypes.CDLL | None) -> list[dict]:
    rng = np.random.default_rng(1)
    model = model_for(soft_bodies(count))
    field = TableRates(model, np.zeros(0))
    q = np.concatenate([rng.normal(size=(count, 3)), np.eye(3).ravel() + 0.1 * rng.normal(size=(count, 9))], axis=1)
    v = rng.normal(size=(count, 12))
    state, out = np.concatenate([q.ravel(), v.ravel()]), np.empty(24 * count)
    states, slopes = np.zeros((STEPS, 24 * count)), np.zeros((STEPS + 1, 24 * count))
    end = state.copy()

    def step() -> None:
        end[:] = state
        loops.verlet(field.tables, end, 0.0, STEP, states, slopes)

    peer = None if library is None else Peer(library, q, v)
    works = [
        ("rates", "", lambda: repeat(field.tables, state, out, TIMES), TIMES, peer and peer.rates, 1),
        ("a step of Verlet", "all states and rates", step, STEPS, peer and peer.steps_kept, STEPS),
        ("a step of Verlet", "the last state", step, STEPS, peer and peer.steps, STEPS),
    ]
    rows = []
    for what, kept, work, times, other, theirs_times in works:
        work()
        ours, theirs, error = 1e3 * best(work, 30) / times, None, None
        if other is not None:
            known = other().T
            theirs = 1e3 * best(other, 30) / theirs_times
            own = (out[12 * count :] if not kept else end[: 12 * count]).reshape(count, 12)
            error = float(np.abs(own - known).max() / np.abs(known).max())
        rows.append({"bodies": count, "what": what, "C keeps": kept or "–", "vinculum ms": ours, "C ms": theirs,
                     "time over C": None if theirs is None else ours / theirs, "at most": TARGET, "difference": error})  # fmt: skip
    return rows


def main() -> None:
    if sized(False, True):
        report("affine_bodies", compare(COUNT, None))
        return
    with tempfile.TemporaryDirectory() as folder:
        report("affine_bodies", compare(COUNT, compiled(Path(folder))))


if __name__ == "__main__":
    main()
