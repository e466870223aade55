"""The certificate of blocks in contact: single steps recomputed from states, impulses and wrenches on bodies."""

import numpy as np

from vinculum.audits.blocks_in_contact.answers_of_contacts import answer_lines, changes_by_contacts
from vinculum.audits.blocks_in_contact.contact_laws import law_lines
from vinculum.audits.blocks_in_contact.energy import energy_line
from vinculum.audits.blocks_in_contact.steps import BlockStep, block_step, whole_steps
from vinculum.audits.blocks_in_contact.unilaterals import cone_line_of_unilaterals, gap_line
from vinculum.audits.certificate import Line
from vinculum.audits.impacts.passages import Places, lines_of_passages
from vinculum.audits.tabled.bonds import lines_of_bonds
from vinculum.audits.tabled.conditions import gap_lines, reaction_lines
from vinculum.audits.tabled.descriptions import lines_against_description
from vinculum.audits.tabled.impulses import impulse_lines
from vinculum.integrators.blocks_in_contact.tables import BlockTables
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.integrators.free_bodies.passages import Passages
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes, Meets
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.tolerances.certificates import CONE_EXCEEDED, MOMENTA_CHANGED, NO_SPEED, PENETRATION, VELOCITIES_FOLLOWED
from vinculum.tolerances.contact import HARDEST
from vinculum.tolerances.round_off import FEW_ROUND_OFFS
from vinculum.tolerances.samples import INSTANTS_OF_FREE_BODIES, STEPS_OF_PRESSING


def block_lines(motion: Record) -> list[Line]:
    """Lines for gaps, momenta, impulses with their laws, velocities as rates of coordinates, and bonds."""
    steps = [block_step(motion, int(k)) for k in _chosen_steps(motion)]
    work = BlocksWork(motion.model, motion.values)
    lines = [_penetration_line(motion, work), *gap_line(motion), *_passage_lines(motion)]
    if not steps:
        reason = (
            "none are recorded, so that nothing tells whether contacts explain this motion; use a motion of vc.simulate"
        )
        lines.append(Line("impulses of contacts", 0.0, np.inf, reason))
    if steps:
        lines += [
            _momentum_line(motion, steps),
            energy_line(motion, steps),
            _rate_line(motion, steps),
            *_cone_lines(motion),
            *law_lines(motion, steps, work),
        ]
    if motion.contact_solver is not None and len(motion.contact_solver):
        reason = "natural map of the impulses of every step"
        worst = float(motion.contact_solver.residual.max())
        lines.append(Line("laws of contact and friction", worst, motion.method.tolerance or 0.0, reason))
    changes = changes_by_contacts(motion)
    lines += [*lines_of_bonds(motion), *lines_against_description(motion)]
    lines += [*_condition_lines(motion, steps), *impulse_lines(motion, changes)]
    return [*lines, *answer_lines(motion, work, changes)]


def _condition_lines(motion: Record, steps: list[BlockStep]) -> list[Line]:
    """Closed loops and constraints as steps left them, and their reactions between contacts."""
    if not tabled_in(motion.model).conditions:
        return []
    edges = np.asarray(motion.pieces.times)
    some = np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_FREE_BODIES).astype(int))
    time = np.union1d(edges[some], [one.begin + one.h for one in steps])
    states = motion.model.on_charts(motion.pieces.state(time))
    return [*gap_lines(motion, time, states, f"at the ends of {len(time)} steps"), *reaction_lines(motion)]


def _chosen_steps(motion: Record) -> np.ndarray:
    """The numbers of steps that are looked at: some of all, and as many with the largest impulses, which are those of hits."""
    whole, solver = whole_steps(motion), motion.contact_solver
    if not len(whole) or solver is None or solver.pressing is None:
        return whole
    evenly = whole[np.unique(np.linspace(0, len(whole) - 1, STEPS_OF_PRESSING).astype(int))]
    largest = np.zeros(len(solver))
    if len(solver.pressing):
        np.maximum.at(largest, solver.pressing.contact_solver, np.linalg.norm(solver.pressing.impulses, axis=1))
    hit = whole[np.argsort(largest[whole], kind="stable")[-STEPS_OF_PRESSING:]]
    return np.union1d(evenly, hit[largest[hit] > 0.0])


def _momentum_line(motion: Record, steps: list[BlockStep]) -> Line:
    r"""The kinetic norm of what the velocities of a block change without a cause, relative to its own √m |g| h + |Δv|.

    .. math:: v' - v - \tfrac h2 \bigl(a(q_m, v) + a(q_m, v')\bigr) = 0,\qquad a \text{ under bonds} + P/h

    Impulses are wrenches on bodies here, and no rows of contacts are used. Conditions answer them with reactions; what these leave at the
    end of a step is projected.
    """
    shapes, worst, at = block_shapes_of(motion.model), 0.0, 0.0
    fastest = float(np.abs(motion.v).max(initial=0.0))
    for step in steps:
        left = step.unexplained_change()
        missing, changed, masses = step.kinetic_norms(left), step.kinetic_norms(step.change), np.sqrt(step.masses())
        speeds = np.divide(changed, masses, out=np.zeros_like(changed), where=masses > 0.0)
        least = max(step.h * shapes.pull, NO_SPEED * fastest, HARDEST * float(speeds.max(initial=0.0)))
        rounded = FEW_ROUND_OFFS * step.kinetic_norms(np.abs(step.end[motion.model.nq :]))
        scale = np.maximum(masses * least + changed, np.finfo(float).tiny)
        off = float((np.maximum(missing - rounded, 0.0) / scale).max(initial=0.0))
        worst, at = max((worst, at), (off if np.isfinite(off) else np.inf, step.begin))
    detail = f"in the step after t = {at:.9g} s" if worst > MOMENTA_CHANGED else ""
    reason = f"of {len(steps)} steps under bonds and contacts, relative to a block's own √m |g| h + |Δv|"
    return Line("momenta of all blocks", worst, MOMENTA_CHANGED, reason, detail)


def _rate_line(motion: Record, steps: list[BlockStep]) -> Line:
    """q_m − q = h/2 N(q) v and q' − q_m = h/2 N(q') v', relative to the largest way, up to what removes penetration."""
    solver, nq, worst, at = motion.contact_solver, motion.model.nq, 0.0, 0.0
    assert solver is not None
    for step in steps:
        edges = np.array([step.begin, step.begin + step.h])
        ends = motion.model.on_charts(np.array([step.start, step.end]))
        if motion.model.layout.gaps:
            ends[1] = step.before_closing()
        rates = tape_groups(motion, "rates", edges, ends)["q_dot"]
        middle = motion.model.on_charts(step.middle[None])[0]
        ways = []
        for begin, rate, there in ((step.start, rates[0], middle), (middle, rates[1], step.end)):
            gone = begin.copy()
            gone[:nq] += 0.5 * step.h * rate
            gone = motion.model.on_charts(gone[None])
            if there is step.end and motion.model.layout.gaps:
                gone = motion.model.type.closed_states(motion.model, gone, edges[1:], motion.values)
            ways.append(np.abs(gone[0] - there)[:nq])
        size = max(0.5 * step.h * float(np.abs(rates).max()), np.finfo(float).tiny)
        rounded = FEW_ROUND_OFFS * (1.0 + np.abs(middle[:nq]))
        moved = float(solver.moved[step.number])
        # a quaternion that was moved is brought back to length one
        allowed = moved * (1.0 + moved), 0.0
        off = [float(np.maximum(way - own - rounded, 0.0).max()) / size for way, own in zip(ways, allowed, strict=True)]
        most = float(np.max(off))
        worst, at = max((worst, at), (most if np.isfinite(most) else np.inf, step.begin))
    detail = f"in the step after t = {at:.9g} s" if worst > VELOCITIES_FOLLOWED else ""
    return Line("rates q' = N v", worst, VELOCITIES_FOLLOWED, f"both halves of {len(steps)} steps", detail)


def _cone_lines(motion: Record) -> list[Line]:
    """Every recorded impulse pushes, and lies in the cone of its pair's friction."""
    solver, shapes = motion.contact_solver, block_shapes_of(motion.model)
    if solver is None or solver.pressing is None or not len(solver.pressing):
        return []
    rows, bounded = solver.pressing.split(len(shapes.kinds))
    lines = cone_line_of_unilaterals(motion, bounded)
    if not len(rows):
        return lines
    n, P = rows.normals, rows.impulses
    laws = shapes.law_of(*rows.bodies.T)
    mu = np.where(laws >= 0, np.maximum(shapes.laws[laws, 1], 0.0), -np.inf)
    normal = np.einsum("ck,ck->c", P, n)
    excess = np.maximum(np.linalg.norm(P - normal[:, None] * n, axis=1) - mu * normal, -normal)
    size = np.maximum(np.linalg.norm(P, axis=1), np.finfo(float).tiny)
    reason = f"{len(P)} contacts that press"
    lines.append(Line("impulses in the cone of friction", float((excess / size).max()), CONE_EXCEEDED, reason))
    if np.any(shapes.laws[:, 2:] > 0.0):
        spinning, rolling = (shapes.laws[:, 2:][laws] * (laws >= 0)[:, None]).T
        about = np.einsum("ck,ck->c", rows.moments, n)
        rolled = np.linalg.norm(rows.moments - about[:, None] * n, axis=1)
        excess = np.maximum(np.abs(about) - spinning * normal, rolled - rolling * normal)
        arm = float(shapes.laws[:, 2:].max())
        reason = "|M_T| ≤ δ P_N and |M_N| ≤ σ P_N, relative to impulses times the largest length"
        lines.append(
            Line("moments against rolling and spinning", float((excess / (arm * size)).max()), CONE_EXCEEDED, reason)
        )
    return lines


def _passage_lines(motion: Record) -> list[Line]:
    """No center of a shape goes through a thin wall or a whole shape between two steps."""
    shapes = block_shapes_of(motion.model)
    bodies = [list(motion.model.layout.bodies)[i] for i in shapes.bodies]

    def places(times: np.ndarray) -> Places:
        found = tape_groups(motion, "bodies", times, states_at(motion, times))
        x = np.stack([found[f"{name}/position"] for name in bodies], axis=1)
        carried = [found.get(f"{name}/deformation", found[f"{name}/rotation"]) for name in bodies]
        K = np.stack(carried, axis=1).reshape(len(times), -1, 3, 3)
        return x + np.einsum("tsij,sj->tsi", K, shapes.offsets), lambda: np.einsum("tsij,sjk->tsik", K, shapes.tilts)

    return lines_of_passages(
        motion, Passages(shapes, Meets(shapes)), list(motion.model.layout.shapes)[: shapes.moving], places
    )


def _penetration_line(motion: Record, work: BlocksWork) -> Line:
    """Gaps recomputed at instants, in radii of the smallest shape, up to the way of both shapes in two steps."""
    shapes, nq, h = block_shapes_of(motion.model), motion.model.nq, motion.method.step or 0.0
    radius = float(shapes.reaches[: shapes.moving].min())
    time = motion.time[np.unique(np.linspace(0, len(motion.time) - 1, INSTANTS_OF_FREE_BODIES).astype(int))]
    worst, at, deepest = 0.0, float(time[0]), 0.0
    for t, state in zip(time, states_at(motion, time), strict=True):
        found = work.penetrations(state[:nq], float(t))
        if not found:
            continue
        work.tables.write_blocks(state[:nq], state[nq:], float(t))
        speeds = _largest_speeds(work.tables, shapes)
        for pair, depth in found.items():
            way = 2.0 * h * float(speeds[[i for i in pair if i < shapes.moving]].sum())
            deepest = max(deepest, depth)
            over = (depth - way) / radius
            worst, at = max((worst, at), (over if np.isfinite(over) else np.inf, float(t)))
    reason = f"gaps recomputed at {len(time)} instants, in radii of the smallest shape; deepest {deepest / radius:.1e}"
    return Line("no penetration", worst, PENETRATION, reason, f"at t = {at:.9g} s" if worst > PENETRATION else "")


def _largest_speeds(tables: BlockTables, shapes: BlockShapes) -> np.ndarray:
    """Upper bounds (s,) [m/s] of the speeds of all points of the moving shapes, for the blocks that were written last."""
    frames = tables.Z[tables.mounting.frames[:, None] + np.arange(FRAME)]
    spread, rate = np.linalg.norm(frames[:, 15:], axis=1), tables.carriers.rate
    own = rate >= 0
    deforming = tables.Z[rate[own, None] + np.arange(9)].reshape(-1, 3, 3)
    spread[own] = np.linalg.norm(deforming, ord=2, axis=(1, 2))
    reach = shapes.reaches[: shapes.moving] + np.linalg.norm(shapes.offsets, axis=1)
    return np.linalg.norm(frames[:, 12:15], axis=1) + reach * spread
