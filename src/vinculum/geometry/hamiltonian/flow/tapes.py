"""Tapes of a flow: rates of states with deviations, watched functions, and impacts with their saltation."""

from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace, UnilateralGraph
from vinculum.scalars import depends_on, gradient, jacobian, substitute, symbols
from vinculum.scalars import math as m


def deviations(space: PhaseSpace, k: int) -> np.ndarray:
    """Symbols (2n, k) of deviations."""
    return symbols("Y", 2 * space.n * k).reshape(k, 2 * space.n).T


def flow_tape(space: PhaseSpace, Y: np.ndarray, known: Mapping[str, float]) -> Tape:
    r"""Rates of a state and of its deviations, :math:`\dot x = f(x, t)`, :math:`\dot Y = \partial_x f\,Y`."""
    f = space.rates
    if not Y.shape[1]:
        return _tape(space, Y, space.explicit(f), known)
    slopes = space.derivatives(f)
    both = space.explicit(np.concatenate([f, slopes.ravel()]))
    n = len(f)
    return _tape(space, Y, np.concatenate([both[:n], (both[n:].reshape(n, n) @ Y).T.ravel()]), known)


def watch_tape(space: PhaseSpace, Y: np.ndarray, functions: Sequence, known: Mapping[str, float]) -> Tape:
    """Functions of the state whose signs are watched, and then their rates along the motion."""
    graphs = np.array([*functions, None], dtype=object)[:-1]
    rates = space.derivatives(graphs) @ space.rates + space.time_derivatives(graphs)
    return _tape(space, Y, space.explicit(np.concatenate([graphs, rates])), known)


def impact_tape(space: PhaseSpace, Y: np.ndarray, wall: UnilateralGraph, known: Mapping[str, float]) -> Tape:
    r"""State and deviations after the impact at a wall.

    .. math:: p^+ = p - (1 + e)\,\frac{\min(\dot g, 0)}{\partial_q g\,M^{-1}\,\partial_q g^T}\,\partial_q g,\qquad
              Y^+ = \partial_x R\,Y + (f^+ - \partial_x R\,f^- - \partial_t R)\,\frac{\partial_x g\,Y}{\dot g}

    R(x, t) is the map of the impact, which leaves a motion alone that does not approach the wall; ġ = ∂g/∂q q̇ + ∂g/∂t. The second is
    the saltation: neighbors meet the wall at other instants. Aizerman and Gantmacher, Quart. J. Mech. Appl. Math. 11 (1958) 225.
    """
    n = space.n
    f = space.explicit(space.rates)
    inverse_mass = np.asarray(jacobian(f[:n], space.p), dtype=object)
    if depends_on(np.append(inverse_mass, 0.0), space.p):
        raise MethodError(f"{space.where}: impacts need momenta that are linear in the velocities")
    slope = np.asarray(gradient(wall.gap, space.q), dtype=object)
    rate = slope @ f[:n] + jacobian([wall.gap], [space.t])[0, 0]
    p = space.p - (1.0 + wall.restitution) * m.minimum(rate, 0.0) / (slope @ (inverse_mass @ slope)) * slope
    after = np.concatenate([space.q, p])
    if not Y.shape[1]:
        return _tape(space, Y, after, known)
    J = np.asarray(jacobian(after, space.x), dtype=object)
    f_after = substitute(f, space.x, after)
    moved = np.asarray(jacobian(after, [space.t]), dtype=object)[:, 0]
    shift = (f_after - J @ f - moved) * m.where(rate < 0.0, 1.0 / rate, 0.0)
    gaps = slope @ Y[:n]
    made = J @ Y + np.outer(shift, gaps)
    return _tape(space, Y, np.concatenate([after, made.T.ravel()]), known)


def normal_products(space: PhaseSpace, walls: Sequence[UnilateralGraph]) -> np.ndarray:
    """Products n_k M⁻¹ n_l of the gradients of all gaps (walls, walls), over q and t: where one vanishes, either impact leaves the other
    alone."""
    slopes = np.array([gradient(one.gap, space.q) for one in walls], dtype=object)
    inverse_mass = np.asarray(jacobian(space.explicit(space.rates)[: space.n], space.p), dtype=object)
    return slopes @ inverse_mass @ slopes.T


def _tape(space: PhaseSpace, Y: np.ndarray, outputs: np.ndarray, known: Mapping[str, float]) -> Tape:
    inputs = {"state": np.concatenate([space.x, Y.T.ravel()]), "t": np.array([space.t])}
    return trace(inputs, {"value": outputs}, known)
