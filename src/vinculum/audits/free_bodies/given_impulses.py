"""Applied impulses on free bodies in contact: the jumps of momenta, and their work."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.answers_of_contacts import along_velocities, answer_lines, contact_wrenches
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.given_impulses import impulses_on_free_bodies
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups
from vinculum.tolerances.certificates import GIVEN_TO_FREE_BODIES
from vinculum.tolerances.time import SAME_INSTANT


def free_bodies_impulse_lines(motion: Record) -> list[Line]:
    """p⁺ − p⁻ = f and s⁺ − s⁻ = m at the mass center of every body for the given impulses (f, m) and those of contacts that answer them.
    Given ones are also compared with their description, and the others with the laws of contact.
    No line without given impulses. Moreau, An expression of classical dynamics, (4.3)."""
    free_bodies, atoms = free_bodies_of(motion.model), motion.atoms
    if free_bodies is None or atoms is None or atoms.given is None or not len(atoms):
        return []
    left, right = (motion.pieces.state(atoms.times, side=side) for side in ("left", "right"))
    inside = atoms.times > motion.pieces.begin  # the state before the beginning is not known
    jump = (
        tape_groups(motion, "balance", atoms.times, right)["momentum"]
        - tape_groups(motion, "balance", atoms.times, left)["momentum"]
    )
    given = atoms.given.reshape(len(atoms), -1, 6)
    R = matrices(left[:, : motion.model.nq].reshape(len(atoms), -1, 7)[..., 3:])
    moment = given[..., 3:] - np.cross(free_bodies.centers, given[..., :3])
    pushed = np.concatenate([np.einsum("knij,knj->kni", R, part) for part in (given[..., :3], moment)], axis=-1)
    size, pushed = np.abs(pushed).max(axis=(1, 2)), pushed + contact_wrenches(motion)
    off = np.abs(jump.reshape(pushed.shape) - pushed).max(axis=(1, 2)) / size
    worst = float(off[inside].max(initial=0.0))
    reason = f"{len(atoms)} instants with given impulses, and the contacts that answer them"
    lines = [Line("impulses M [v] = Q", worst, GIVEN_TO_FREE_BODIES, reason), *answer_lines(motion)]
    return lines + ([_as_given(motion, left)] if motion.model.tree is not None else [])


def work_until(motion: Record, time: np.ndarray) -> np.ndarray:
    """Work Q · (v⁺ + v⁻)/2 (T,) [J] that given impulses, and contacts that answered them, did after the first of these instants, up to
    each."""
    atoms, nq = motion.atoms, motion.model.nq
    if atoms is None or atoms.given is None:
        return np.zeros(len(time))
    mean = 0.5 * sum(motion.pieces.state(atoms.times, side=side)[:, nq:] for side in ("left", "right"))
    answered = along_velocities(motion, contact_wrenches(motion), motion.pieces.state(atoms.times, side="right"))
    work = np.einsum("kn,kn->k", atoms.given + answered, mean) * (atoms.times > time[0])
    return np.array([work[atoms.times <= t].sum() for t in time])


def _as_given(motion: Record, left: np.ndarray) -> Line:
    """The recorded impulses of a motion, compared with their description at the states before them, and whether any is missing."""
    model, atoms, entries = motion.model, motion.atoms, motion.model.layout.impulses
    assert atoms is not None and atoms.given is not None
    near = SAME_INSTANT * max(abs(motion.pieces.begin), abs(motion.pieces.end))
    worst = 0.0
    for t, state, own in zip(atoms.times, left, atoms.given, strict=True):
        names = [name for name, entry in entries.items() if any(abs(at - t) <= near for at in entry.at)]
        said = impulses_on_free_bodies(model, names, float(t), state)
        worst = max(worst, float(np.abs(own - said).max() / max(np.abs(own).max(), np.abs(said).max())))
    ahead = {at for entry in entries.values() for at in entry.at if motion.pieces.begin <= at < motion.pieces.end}
    missing = [at for at in ahead if not np.any(np.abs(atoms.times - at) <= near) and _acts(motion, at)]
    detail = f"none at t = {missing[0]:.9g} s" if missing else ""
    return Line(
        "impulses as given",
        max(worst, float(bool(missing))),
        GIVEN_TO_FREE_BODIES,
        f"{len(ahead)} instants described",
        detail,
    )


def _acts(motion: Record, at: float) -> bool:
    """Whether a nonzero impulse is described at an instant."""
    names = [name for name, entry in motion.model.layout.impulses.items() if at in entry.at]
    state = motion.pieces.state(np.array([at]), side="left")[0]
    return bool(np.any(impulses_on_free_bodies(motion.model, names, at, state)))
