"""Contacts of free bodies that answer applied impulses: their wrenches on bodies, and their law."""

from dataclasses import replace

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.description import describe
from vinculum.audits.free_bodies.law_at_instants import answer_line, at_atom, impulses_of, missing_speeds
from vinculum.audits.free_bodies.steps import Step
from vinculum.audits.free_bodies.windows import positions_and_momenta
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.answered_contacts import closed_within
from vinculum.integrators.free_bodies.contacts import closed_contacts
from vinculum.integrators.free_bodies.given_impulses import in_world
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.contact import HARDEST


def contact_wrenches(motion: Record) -> np.ndarray:
    """Impulses and moments (K, n, 6) of contacts about mass centers, in world axes, at the instants of applied impulses."""
    atoms, n = motion.atoms, free_bodies_of(motion.model).count
    found = np.zeros((0 if atoms is None else len(atoms), n, 6))
    if atoms is None or atoms.meetings is None or not len(atoms.meetings):
        return found
    met = atoms.meetings
    states = motion.pieces.state(atoms.times, side="right")
    x = positions_and_momenta(motion, np.arange(n), states)[..., :3]
    P = np.einsum("ca,cak->ck", met.impulses, met.axes)
    for side, sign in ((0, 1.0), (1, -1.0)):
        own = np.flatnonzero(met.shapes[:, side] < n)
        k, b = met.atoms[own], met.shapes[own, side]
        wrench = np.concatenate([P[own], np.cross(met.places[own] - x[k, b], P[own])], axis=1)
        np.add.at(found, (k, b), sign * wrench)
    return found


def along_velocities(motion: Record, wrenches: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Wrenches (K, n, 6) about mass centers in world axes as impulses (K, 6 n) along the velocities of states."""
    R = matrices(states[:, : motion.model.nq].reshape(len(states), -1, 7)[..., 3:])
    force, moment = (np.einsum("knji,knj->kni", R, x) for x in (wrenches[..., :3], wrenches[..., 3:]))
    moment = moment + np.cross(free_bodies_of(motion.model).centers, force)
    return np.concatenate([force, moment], axis=2).reshape(len(states), -1)


def answer_lines(motion: Record) -> list[Line]:
    """The law of contacts at the instants of applied impulses, with contacts that are found again; no line without any."""
    atoms, told = motion.atoms, describe(motion.model)
    if atoms is None or atoms.given is None or atoms.meetings is None:
        return []
    nq, g, worst, at, count = motion.model.nq, float(np.linalg.norm(told.gravity)), 0.0, 0.0, 0
    within, n = closed_within(g, motion.method.step or 0.0), len(told.masses)
    for k in np.flatnonzero(atoms.times > motion.pieces.begin):  # the state before the beginning is not known
        t = atoms.times[k : k + 1]
        left, right = (motion.pieces.state(t, side=side)[0] for side in ("left", "right"))
        contacts = closed_contacts(motion.model, left, within)
        if not len(contacts):
            continue
        R = matrices(left[:nq].reshape(-1, 7)[:, 3:])
        before, after = (in_world(free_bodies_of(motion.model), R, one[nq:]) for one in (left, right))
        mobility = np.einsum("nij,njk,nlk->nil", R, np.linalg.inv(told.inertias), R)
        x = positions_and_momenta(motion, np.arange(n), left[None])[0, :, :3]
        step = Step(0.0, x, R, mobility, before, before, np.zeros((n, 6)), told)
        world = impulses_of(at_atom(atoms.meetings, int(k)), contacts.who, contacts.place)
        contacts = replace(contacts, impulses=np.einsum("cak,ck->ca", contacts.frame, world))
        pushed = np.linalg.norm((after - before)[:, :3] - step.answer(step.net_impulses(contacts))[:, :3], axis=1)
        u, begun = step.relative(contacts, after), step.relative(contacts, before)[:, 0]
        targets, cones = -told.e * np.minimum(begun, 0.0), np.full(len(contacts), told.mu)
        missing = missing_speeds(contacts.impulses, u, targets, step.weights(contacts), cones)
        change = np.append(np.linalg.norm((after - before)[:, :3], axis=1), np.inf)
        slower = change[np.minimum(contacts.who, n)].min(axis=1)
        least = max(HARDEST * float(pushed.max()), np.finfo(float).tiny)
        count += len(contacts)
        worst, at = max((worst, at), (float((missing / (least + slower)).max()), float(t[0])))
    return [answer_line(motion, worst, at, count)] if count else []
