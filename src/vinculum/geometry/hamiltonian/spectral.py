"""Frequency analysis of quasi-periodic signals, after Laskar."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import StartError, shorten
from vinculum.geometry.hamiltonian.arguments import positive_number, whole_number
from vinculum.tolerances.iterations import FREQUENCY_FOUND, FREQUENCY_ROUNDS, FREQUENCY_STEPS
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS


@final
@dataclass(frozen=True, eq=False)
class Frequencies:
    """Terms of a signal, Σ a_k exp(i ω_k t), largest first: angular ``frequencies`` (K,) and complex ``amplitudes`` (K,) at the first
    instant; ``remainder``: the largest part of the signal that they leave."""

    frequencies: np.ndarray
    amplitudes: np.ndarray
    remainder: float

    def __repr__(self):
        return f"Frequencies({np.array2string(self.frequencies, precision=9, threshold=6)})"


def frequencies(signal, step: float, count: int = 1, *, window: int = 3) -> Frequencies:
    r"""The leading terms of a quasi-periodic signal (T,), real or complex, as q + i p, sampled with a time step.

    .. math:: f(t) \approx \sum_k a_k\,e^{i\omega_k t},\qquad \omega_k = \arg\max_\omega|\langle f, e^{i\omega t}\rangle|

    The inner product has the weight (1 + cos π s)^w, s from −1 to 1, with the power ``window``. Each frequency is refined while all
    other terms are taken away. Laskar, Physica D 67 (1993) 257; Šidlichovský and Nesvorný, Celest. Mech. 65 (1997) 137.
    """
    try:
        f = np.asarray(signal, dtype=complex)
    except (TypeError, ValueError, OverflowError) as error:
        raise StartError(f"the signal is {shorten(signal)}; give a row of numbers") from error
    if f.ndim != 1 or len(f) < 8 or not np.isfinite(f).all():
        raise StartError(f"the signal has shape {f.shape}; give a row of at least 8 finite numbers")
    step = positive_number("frequencies", "step", step)
    count = whole_number("frequencies", "count", count, 1, len(f) // 4)
    window = whole_number("frequencies", "window", window, 1, 8)
    s = 2.0 * (np.arange(len(f)) + 0.5) / len(f) - 1.0
    weight = (1.0 + np.cos(np.pi * s)) ** window
    weight /= weight.sum()
    n = np.arange(len(f)) - 0.5 * (len(f) - 1)
    found: list[float] = []
    left = f
    size = float(np.abs(f).max())
    for _ in range(count):
        if np.abs(left).max() <= HUNDRED_ROUND_OFFS * size:
            break
        found.append(_peak(left, weight, n))
        a = _amplitudes(f, weight, n, found)
        for _ in range(FREQUENCY_ROUNDS if len(found) > 1 else 0):
            for k in range(len(found)):
                own = f - sum((a[j] * np.exp(1j * w * n) for j, w in enumerate(found) if j != k), 0.0)
                found[k] = _refine(own, weight, n, found[k], 1.0 / len(n))
            a = _amplitudes(f, weight, n, found)
        left = f - np.exp(1j * np.outer(n, found)) @ a
    a = _amplitudes(f, weight, n, found) if found else np.zeros(0, dtype=complex)
    order = np.argsort(-np.abs(a), kind="stable")
    w = np.array(found)
    return Frequencies(w[order] / step, (a * np.exp(1j * w * n[0]))[order], float(np.abs(left).max()))


def _peak(f: np.ndarray, weight: np.ndarray, n: np.ndarray) -> float:
    """The frequency, per sample, at which the weighted transform is largest."""
    padded = 2 * len(f)
    spectrum = np.abs(np.fft.fft(weight * f, padded))
    k = int(np.argmax(spectrum))
    return _refine(f, weight, n, 2.0 * np.pi * np.fft.fftfreq(padded)[k], 2.0 * np.pi / padded)


def _refine(f: np.ndarray, weight: np.ndarray, n: np.ndarray, omega: float, reach: float) -> float:
    """The maximum of |φ(ω)|² next to a guess, by Newton's method."""
    for _ in range(FREQUENCY_STEPS):
        rows = weight * f * np.exp(-1j * omega * n)
        phi, d1, d2 = rows.sum(), (-1j * n * rows).sum(), (-(n**2) * rows).sum()
        slope = (phi.conjugate() * d1).real
        curve = (phi.conjugate() * d2).real + abs(d1) ** 2
        if not curve < 0.0:
            break
        change = float(np.clip(-slope / curve, -reach, reach))
        omega += change
        if abs(change) <= FREQUENCY_FOUND * max(1.0, abs(omega)):
            break
    return omega


def _amplitudes(f: np.ndarray, weight: np.ndarray, n: np.ndarray, found: list[float]) -> np.ndarray:
    """Amplitudes at the middle instant, by least squares with the weight."""
    E = np.exp(1j * np.outer(n, found))
    G = E.conj().T @ (weight[:, None] * E)
    return np.linalg.solve(G, E.conj().T @ (weight * f))
