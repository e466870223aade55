r"""Energy of free bodies in contact: the work of impulses, and the known errors of time stepping.

A step with net impulses F, C on a body, at its mass center, changes its energy by

.. math:: F \cdot v^+ + C \cdot \omega^+ - \tfrac12 F \cdot (v^+ - v^-) - \tfrac12 C \cdot I^{-1} C + \text{lift} + \text{turn}

The first two, summed over bodies, are the work P · u⁺ on velocities after the impulses. It is not positive for inelastic contact
with friction, up to the work of the residual of the impulses. The next two are known from the motion. The term lift is the work
against gravity when penetration is corrected. The term turn is the error of a step in free rotation, because it uses the inertia
of its middle. Moreau, An expression of classical dynamics, (8.10).
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.given_impulses import work_until
from vinculum.audits.free_bodies.own_scales import rest_speed
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.flights import turn_quaternions
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups
from vinculum.tolerances.certificates import ENERGY_GAINED, IMPULSES_WORKED, NO_SPEED
from vinculum.tolerances.round_off import FEW_ROUND_OFFS, POSITIONS_ROUND_OFF
from vinculum.tolerances.samples import STEPS_OF_WORK


def energy_line(motion: Record, time: np.ndarray, states: np.ndarray) -> Line:
    """The largest unexplained gain of energy between two instants, relative to the energy of the motion. That of bodies at rest is what
    weights give to bodies in a step."""
    balance = tape_groups(motion, "balance", time, states)
    energy = (balance["kinetic"] + balance["potential"])[:, 0] - work_until(motion, time)
    weights = _energy_of_weights(free_bodies_of(motion.model), motion.method.step or 0.0)
    size = max(float(balance["kinetic"].max()), float(np.ptp(energy)), weights, np.finfo(float).tiny)
    worst, admitted, at = 0.0, 0.0, float(time[0])
    for k, gain in enumerate(np.diff(energy)):
        if gain > ENERGY_GAINED * size:
            known = admitted_gain(motion, time[k], time[k + 1])
            gain, admitted = gain - known, max(admitted, known / size)
        worst, at = max((worst, at), (float(gain) / size, float(time[k])))
    told = f"; up to {admitted:.1e} in known errors of steps" if admitted > 0.0 else ""
    free_bodies, detail = free_bodies_of(motion.model), ""
    if free_bodies is not None and free_bodies.e > 0.0 and free_bodies.mu > 0.0 and worst > ENERGY_GAINED:
        law = f"restitution {free_bodies.e:g} and friction {free_bodies.mu:g}"
        detail = f"gain of {worst:.1e} after t = {at:.9g} s with {law}, which the laws do not exclude"
        worst = 0.0
    return Line("no gain of energy", worst, ENERGY_GAINED, f"contact dissipates or conserves energy{told}", detail)


def admitted_gain(motion: Record, begin: float, end: float) -> float:
    """The most energy [J] that correct impulses of the steps between two instants add; zero if the steps are not known."""
    contact_solver, times = motion.contact_solver, np.asarray(motion.pieces.times)
    if contact_solver is None or not has_halved_steps(motion):
        return 0.0
    total = 0.0
    for k in np.flatnonzero((times[:-1:2] >= begin) & (times[2::2] <= end)):
        known = _step(motion, float(times[2 * k]), float(times[2 * k + 2]), float(contact_solver.moved[k]))[0]
        total += float(contact_solver.residual_work[k]) + known
    return max(total, 0.0)


def work_lines(motion: Record) -> list[Line]:
    """P · u⁺ ≤ 0 summed over the contacts of single steps, from the momenta of bodies alone, up to the work of the residual and relative
    to the energy of the impulses. No line if contact is not inelastic, or if the steps are not known."""
    free_bodies, contact_solver = free_bodies_of(motion.model), motion.contact_solver
    if free_bodies is None or free_bodies.e > 0.0 or contact_solver is None or not has_halved_steps(motion):
        return []
    times, worst, at = np.asarray(motion.pieces.times), 0.0, 0.0
    least = float(free_bodies.masses.sum()) * rest_speed(motion) ** 2
    rounded = FEW_ROUND_OFFS * least / NO_SPEED**2
    for k in np.unique(np.linspace(0, len(times) // 2 - 1, STEPS_OF_WORK).astype(int)):
        _, work, size = _step(motion, float(times[2 * k]), float(times[2 * k + 2]), float(contact_solver.moved[k]))
        size = max(size, least)
        excess = (work - float(contact_solver.residual_work[k]) - rounded) / size if size > 0.0 else 0.0
        worst, at = max((worst, at), (excess, float(contact_solver.times[k])))
    detail = f"at t = {at:.9g} s" if worst > IMPULSES_WORKED else ""
    return [
        Line("impulses P · u⁺ ≤ 0", worst, IMPULSES_WORKED, "inelastic contact and friction dissipate energy", detail)
    ]


def has_halved_steps(motion: Record) -> bool:
    """Whether the pieces of a motion are halves of the steps whose impulses are recorded."""
    times, contact_solver = np.asarray(motion.pieces.times), motion.contact_solver
    return contact_solver is not None and np.array_equal(times[1::2], contact_solver.times[: len(times) // 2])


def _step(motion: Record, begin: float, end: float, moved: float) -> tuple[float, float, float]:
    """The energy that a step adds besides the work on velocities after impulses, this work, and the energy of its impulses or weights.
    Corrections of penetration beyond the recorded ones do not count."""
    free_bodies, d = free_bodies_of(motion.model), end - begin
    n, instants = free_bodies.count, np.array([begin, end])
    states = np.concatenate(
        [motion.pieces.state(instants[:1], side="right"), motion.pieces.state(instants[1:], side="left")]
    )
    found = tape_groups(motion, "balance", instants, states)
    momentum, center = found["momentum"].reshape(2, n, 6), found["center"].reshape(2, n, 3)
    Q = states[:, : 7 * n].reshape(2, n, 7)[..., 3:]
    v, L = momentum[..., :3] / free_bodies.masses[:, None], momentum[..., 3:]
    A = _mobilities(free_bodies, Q)
    w = np.einsum("bnij,bnj->bni", A, L)
    middle = _mobilities(free_bodies, turn_quaternions(Q[0], 0.5 * d * w[0]))
    F, C = free_bodies.masses[:, None] * (v[1] - v[0] - d * free_bodies.gravity), L[1] - L[0]
    spun = np.einsum("ni,nij,nj->", C, middle, C)
    half = 0.5 * float((F * (v[1] - v[0])).sum() + spun)
    after = 2.0 * np.einsum("nij,nj->ni", middle, L[0]) - w[0] + np.einsum("nij,nj->ni", middle, C)
    missed = 0.5 * (L[1] * w[1] - L[0] * w[0]) - C * (after - 0.5 * np.einsum("nij,nj->ni", middle, C))
    push = center[1] - center[0] - 0.5 * d * (v[0] + v[1])
    real = np.linalg.norm(push, axis=1) <= moved + POSITIONS_ROUND_OFF * np.abs(center[1]).max()
    lift = -float((free_bodies.masses[:, None] * push * free_bodies.gravity)[real].sum())
    known = lift + float(missed.sum()) - (half if free_bodies.e == 0.0 else 0.0)
    work = float((F * v[1] + C * after).sum())
    weights = _energy_of_weights(free_bodies, d)
    return known, work, max(float((F * F / free_bodies.masses[:, None]).sum() + spun), weights)


def _energy_of_weights(free_bodies: FreeBodies, d: float) -> float:
    """Twice the energy [J] that weights give to bodies at rest in a step of length d."""
    return float(free_bodies.masses.sum()) * d * d * float(free_bodies.gravity @ free_bodies.gravity)


def _mobilities(free_bodies: FreeBodies, Q: np.ndarray) -> np.ndarray:
    """Inverse inertias in the world of bodies with attitudes Q."""
    R = matrices(Q)
    return np.einsum("...nij,njk,...nlk->...nil", R, np.linalg.inv(free_bodies.inertias), R)
