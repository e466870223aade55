"""Applied impulses on a motion: whether it contains the described ones at their instants, and their work."""

from dataclasses import replace

import numpy as np

from vinculum.audits.by_type import BALANCES
from vinculum.audits.certificate import Line
from vinculum.audits.impacts.lines import kinetic_norms
from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.audits.scaling.scales import instant_limit
from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import StartError
from vinculum.motion.impulses.contact_impulses import GivenImpulse
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.systems import nearest
from vinculum.tolerances.certificates import GIVEN_AS_SAID
from vinculum.tolerances.time import SAME_INSTANT


def impulse_lines(motion: Record, found: Impacts) -> list[Line]:
    """The atoms of given efforts, compared with their description at the states before them, in the kinetic metric; no line without any.

    The work of an impulse Q is Q · (v⁺ + v⁻)/2. Moreau, An expression of classical dynamics, (4.3).
    """
    entries = motion.model.layout.impulses
    if not entries:
        return []
    described, missing = _impulses_by_description(motion, found, entries)
    nq, here = motion.model.nq, found.here
    sizes = np.maximum(kinetic_norms(here, described), kinetic_norms(here, found.given))
    apart = kinetic_norms(here, found.given - described) / np.maximum(sizes, np.finfo(float).tiny)
    worst = max(float(apart.max(initial=0.0)), float(bool(missing)))
    work = 0.5 * np.einsum("ki,ki->", found.given, found.left[:, nq:] + found.right[:, nq:])
    detail = ""
    if missing:
        detail = missing[0]
    elif worst > instant_limit(motion, GIVEN_AS_SAID):
        detail = f"at t = {found.times[int(np.argmax(apart))]:.9g} s"
    reason = f"{sum(len(entry.at) for entry in entries.values())} described; they do {work:.6g} J of work"
    return [Line("impulses as given", worst, instant_limit(motion, GIVEN_AS_SAID), reason, detail)]


def _impulses_by_description(motion: Record, found: Impacts, entries: dict) -> tuple[np.ndarray, list[str]]:
    """The described impulses (K, nv) at each impact of a motion, and those described impulses that the motion does not contain."""
    model, pieces = motion.model, motion.pieces
    total, missing, near = np.zeros_like(found.given), [], _near(motion)
    said = evaluate_groups(model.tape("impulses"), tape_rows(motion, found.times, found.left)) if len(found) else {}
    for name, entry in entries.items():
        for at in entry.at:
            k = int(np.argmax(np.abs(found.times - at) <= near)) if len(found) else 0
            if len(found) and abs(found.times[k] - at) <= near:
                total[k] += said[f"{name}/along"][k]
            elif pieces.begin <= at < pieces.end - near:
                row = tape_rows(motion, np.array([at]), pieces.state(np.array([at]), side="left"))
                if np.any(evaluate_groups(model.tape("impulses"), row)[f"{name}/along"]):
                    missing.append(f"'{name}' at t = {at:.9g} s is missing")
    return total, missing


def impulse_at(motion: Record, impulse) -> GivenImpulse:
    """The instants, wrenches and work of a given impulse."""
    if motion.carried is not None:
        frame, own = motion.carried.frame, impulse_at(motion.carried.relative(motion), impulse)
        if own.wrench.shape[1:] != (6,):
            return replace(own, times=own.times + frame.later)
        wrench = (own.wrench.reshape(-1, 2, 3) @ frame.rotation.T).reshape(-1, 6)
        return replace(
            own, times=own.times + frame.later, wrench=wrench, work=own.work + wrench[:, :3] @ frame.velocity
        )
    model = motion.model
    found = BALANCES.of(model).sides(motion) if BALANCES.answers_for(model) else None
    name, known = (
        impulse if isinstance(impulse, str) else getattr(impulse, "name", impulse),
        model.layout.impulses,
    )
    if not isinstance(name, str) or name not in known:
        raise StartError(f"there is no impulse '{name}' in system '{model.name}'{nearest(name, known)}")
    if found is None:
        raise StartError(
            f"impulse '{name}' is not known on this motion; use motion.record.atoms.given if all bodies are free, and "
            "simulate a given motion"
        )
    near = [bool(np.any(np.abs(np.array(known[name].at) - t) <= _near(motion))) for t in found.times]
    own = np.flatnonzero(np.array(near, dtype=bool) & found.given.any(axis=1))
    said = evaluate_groups(model.tape("impulses"), tape_rows(motion, found.times[own], found.left[own]))
    mean = 0.5 * (found.left + found.right)[own, model.nq :]
    work = np.einsum("kn,kn->k", said[f"{name}/along"], mean)
    return GivenImpulse(name, found.times[own], said[f"{name}/wrench"], work)


def _near(motion: Record) -> float:
    """Instants this near to each other are the same [s]."""
    return SAME_INSTANT * max(abs(motion.pieces.begin), abs(motion.pieces.end))
