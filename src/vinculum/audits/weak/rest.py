"""Motions at rest: scales of quantities that vanish with the velocities or displacements."""

import numpy as np

from vinculum.audits.weak.fields import split_blocks
from vinculum.compile.evaluate import evaluate, evaluate_groups
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import AT_REST
from vinculum.tolerances.samples import INSTANTS_OF_REST


def sizing_states(motion: Record, states: np.ndarray) -> np.ndarray:
    """States (B, n) at which terms have a size: the same, or with unit velocities where all velocities are round-off."""
    nq = motion.model.nq
    if np.abs(states[:, nq:]).max(initial=0.0) > AT_REST or not np.any(states[:, nq:]):
        return states
    return np.concatenate([states[:, :nq], np.ones_like(states[:, nq:])], axis=1)


def speeds_and_turns(balance: dict[str, np.ndarray], span: float) -> np.ndarray:
    """The largest speed [m/s] and angular velocity [rad/s] of bodies, or those that single forces and moments would make in a time [s]
    if nothing balanced them, (2,): what round-off of velocities is measured against. ``balance``: rows of that tape."""
    wrench = balance["wrench_size"].reshape(*balance["mass"].shape, 6)
    made = []
    for inertia, loads in ((balance["mass"], wrench[..., 0]), (balance["inertia"], wrench[..., 3])):
        rates = np.divide(loads, inertia, out=np.zeros_like(loads), where=inertia > 0.0)
        made.append(span * float(rates.max(initial=0.0)))
    return np.maximum(balance["speeds"].max(axis=0), made)


def way_of_forces(motion: Record, virtual: dict[str, np.ndarray], span: float) -> float:
    """How far [m] the largest acceleration by weights or efforts would take a body in a time [s]; ``virtual``: rows of that tape."""
    blocks, joints = split_blocks(motion, virtual["blocks"]), motion.model.layout.joints
    largest = 0.0
    for force in (virtual["weights"], virtual["efforts"]):
        for name, M in blocks.items():
            a = np.linalg.solve(M, force[:, slice(*joints[name].v), None])
            largest = max(largest, float(np.abs(a).max(initial=0.0)))
    return largest * span**2


def way_in_a_step(motion: Record) -> float:
    """How far [m] forces would take a body in the longest step, if nothing held it; zero where they are not known."""
    if not motion.model.layout.virtual or motion.model.nv == 0:
        return 0.0
    edges = np.asarray(motion.pieces.times)
    lengths = np.diff(edges)
    instant = edges[[int(np.argmax(lengths))]]
    rows = tape_rows(motion, instant, states_at(motion, instant))
    return way_of_forces(motion, evaluate_groups(motion.model.tape("virtual"), rows), float(lengths.max()))


def resting_speed(motion: Record) -> float:
    """The velocity that weights and forces would make in a step where unilateral constraints hold bodies against them: what balances of
    it is rounded in all directions alike."""
    if not any(phase.closed for phase in motion.phases):
        return 0.0
    edges = np.asarray(motion.pieces.times)
    instants = edges[np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_REST).astype(int))]
    rates = evaluate(motion.model.tape("motion"), tape_rows(motion, instants, motion.pieces.state(instants)))
    largest = float(np.abs(rates[:, motion.model.nq :]).max(initial=0.0))
    return largest * (edges[-1] - edges[0]) / max(len(motion.pieces), 1)
