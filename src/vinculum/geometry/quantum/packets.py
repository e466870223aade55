"""`Packet`: a wave packet in time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import RunError, StartError, shorten
from vinculum.geometry.chart import places_of
from vinculum.geometry.quantum.bases import first_sizes
from vinculum.geometry.quantum.ranges import wrap
from vinculum.geometry.quantum.states import Functions
from vinculum.geometry.quantum.stationary import TensorFunctions, dense_problem, finer_sizes, tensor_form, unknowns_of
from vinculum.geometry.quantum.weak_form import TensorForm
from vinculum.tolerances.quantum import PACKET_STATES
from vinculum.tolerances.sizes import MOST_DENSE_UNKNOWNS


@final
@dataclass(frozen=True, eq=False)
class Packet:
    """Ψ(t) of a `Quantization` at ``times`` (T,). ``coefficients`` (T, N) are complex. ``error``: the largest norm of the difference from
    the packet of a smaller expansion, at all times."""

    operator: Any
    times: np.ndarray
    coefficients: np.ndarray
    functions: Functions
    norms: np.ndarray
    energy: float
    error: float

    def __repr__(self):
        return f"Packet(on '{self.operator.chart.name}', {len(self.times)} instants, energy {self.energy:.6g}, error {self.error:.1e})"

    def values(self, q) -> np.ndarray:
        """Ψ at all times, at coordinates (n,) or (B, n), of shape (T,) or (T, B)."""
        one, places = places_of(self.operator.chart, q)
        found = self.functions.values(wrap(self.operator.spans, places), self.coefficients.T).T
        return found[:, 0] if one else found


def evolve_packet(
    operator: Any, psi: Callable, times: np.ndarray, sizes: tuple[int, ...] | None, tolerance: float
) -> Packet:
    r"""The packet :math:`\Psi(t) = \sum_k e^{-iE_k t/\hbar}\langle\phi_k|\psi\rangle\phi_k` over all states of an expansion, which is
    refined until two packets agree."""
    given = sizes is not None
    sizes = sizes or first_sizes(operator.spans, PACKET_STATES)
    if given:
        coarse = None
    else:
        coarse = _packet(operator, psi, times, sizes)
        sizes = finer_sizes(coarse[0], sizes, coarse[1].T)
    while True:
        form, c, norms, energy = _packet(operator, psi, times, sizes)
        at_nodes = np.stack([form.at_all_nodes(row) for row in c])
        weights = form.nodes[1] * form.at_nodes.volume
        if coarse is None:
            wanted = _values(operator, psi, form)
            error = float(np.sqrt(weights @ np.abs(at_nodes[0] - wanted / np.sqrt(weights @ np.abs(wanted) ** 2)) ** 2))
        else:
            before = (coarse[0].functions(form.nodes[0]) @ coarse[1].T).T
            error = float(np.sqrt((np.abs(at_nodes - before) ** 2 @ weights).max()))
        if given or error <= tolerance:
            return Packet(operator, times, c, TensorFunctions(form), norms, energy, error)
        larger = finer_sizes(form, sizes, c.T)
        if unknowns_of(operator, larger) > MOST_DENSE_UNKNOWNS:
            raise RunError(
                f"{operator.where}: with {form.unknowns} functions the packet is known to {error:.1e} only, and {tolerance:.1e} was asked "
                "for; take a wider or slower packet, or a larger tolerance"
            )
        coarse, sizes = (form, c, norms, energy), larger


def _packet(operator: Any, psi: Callable, times: np.ndarray, sizes: tuple[int, ...]):
    from scipy.linalg import eigh

    form = tensor_form(operator, sizes)
    H, M = dense_problem(operator, form)
    levels, c = eigh(H, M)
    amplitudes = c.T @ form.project(_values(operator, psi, form))
    size = float(np.linalg.norm(amplitudes))
    if not size > 0.0:
        raise StartError(f"{operator.where}: psi is zero; give a packet that can be normalized")
    amplitudes = amplitudes / size
    turned = np.exp(-1j * np.outer(times - times[0], levels) / operator.hbar) * amplitudes
    found = turned @ c.T
    norms = np.sqrt(np.einsum("ti,ij,tj->t", found.conj(), M, found, optimize=True).real)
    return form, found, norms, float(levels @ np.abs(amplitudes) ** 2)


def _values(operator: Any, psi: Callable, form: TensorForm) -> np.ndarray:
    places = form.nodes[0]
    found = np.asarray(psi(places))
    if found.shape != (len(places),) or found.dtype.kind not in "iufc" or not np.isfinite(found).all():
        raise StartError(
            f"{operator.where}: psi returned {shorten(found)} for places of shape {places.shape}; return a finite number for each row"
        )
    return found.astype(complex)
