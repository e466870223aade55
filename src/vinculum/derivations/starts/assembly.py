"""Assembly: coordinates and velocities that close all loops, from a guess."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.starts.checks import check_regular
from vinculum.derivations.starts.closed_positions import closed_position, is_closed, least_gaps
from vinculum.derivations.starts.constraint_starts import check_defined, check_jacobians
from vinculum.derivations.starts.repairs import Change, changes
from vinculum.errors import StartError
from vinculum.models.branches import with_rank
from vinculum.models.conditions.closed_loops import mix_parameters, move, visible
from vinculum.models.conditions.gaps import Gaps, gaps_at
from vinculum.models.model import Model
from vinculum.systems import Tree
from vinculum.tolerances.constraints import DEAD_POINT, GAP_NOISE, GAPS_NAMED, RATES_TORN, UPSIDE_DOWN, VELOCITIES_FIT
from vinculum.tolerances.functions import FLAT_ROW, NEARBY_FOR_RANK
from vinculum.tolerances.iterations import NEWTON_DONE, START_NEWTON_STEPS
from vinculum.tolerances.rank import DEPENDENT_COLUMNS


@final
@dataclass(frozen=True, eq=False)
class Assembly:
    """A closed state, and what is known about the loops there.

    ``model`` watches the gaps that matter on this branch, ``values`` are its parameters in order. ``changes``:
    positions and rates that differ from the start, given or not. ``singular``: the gaps depend on each other here but
    not nearby.
    """

    model: Model
    q: np.ndarray
    v: np.ndarray
    values: np.ndarray
    changes: list[Change]
    singular: bool

    @property
    def log(self) -> list[str]:
        """Remarks about what was given and had to be changed."""
        return self.remarks([change for change in self.changes if change.given])

    def remarks(self, changes: list[Change]) -> list[str]:
        """Remarks for the motion's log."""
        what = "meet the constraints" if self.model.layout.constraints else "close the loops"
        return [f"assembly changed {change}, to {what}" for change in changes]


def assemble(model: Model, q: np.ndarray, v: np.ndarray, values: np.ndarray, named: Iterable[str] = (),
              rated: Iterable[str] = (), *, t: float = 0.0, met: bool = False) -> Assembly:  # fmt: skip
    """A closed state near (q, v) at the instant ``t`` [s]; joints ``named`` keep their coordinates and joints ``rated`` their
    velocities if that is possible, otherwise everything moves as little as it can. ``met``: the state is known to meet all."""
    tree = model.tree
    assert tree is not None
    rated = set(rated)
    if met and all(link.joint.name in rated for link in tree.links if link.joint.nv):
        count = len(model.layout.gaps)
        branch = with_rank(model, tuple(range(count)), count)
        return Assembly(branch, q, v, _values_on(branch, model, values), [], False)
    fixed, kept_rates, state = (
        velocities_of_joints(tree, named),
        velocities_of_joints(tree, rated),
        np.concatenate([q, v]),
    )
    check_defined(model, state, t, values)
    placed, shut = closed_position(model, state, t, values, fixed)
    if not shut and fixed.any():
        placed, shut = closed_position(model, state, t, values, np.zeros_like(fixed), placed)
    if not shut:
        raise _refusal_of_open(model, placed, t, values)
    check_regular(model, placed[: model.nq], values)
    kept, rank, singular = _independence(model, placed, t, values)
    found = _consistent_velocities(model, placed, v, kept_rates, rank, t, values)
    check_jacobians(model, np.concatenate([placed[: model.nq], found]), t, values)
    _refuse_torn(model, placed, found, t, values)
    shifted = changes(tree, state, np.concatenate([placed[: model.nq], found]), fixed, kept_rates)
    branch = with_rank(model, kept, rank)
    ready = mix_parameters(branch, placed[None], t, _values_on(branch, model, values))[0]
    return Assembly(branch, placed[: model.nq], found, ready, shifted, singular)


def _values_on(branch: Model, model: Model, values: np.ndarray) -> np.ndarray:
    """Parameters of a branch, in order, from those of the model it belongs to: its own and the bases of its charts."""
    given, found = dict(zip(model.parameter_names, values.tolist(), strict=True)), branch.parameter_values(None)
    known = visible(given) | {name: given[name] for entry in model.layout.charts for name in entry.base}
    for i, name in enumerate(branch.parameter_names):
        found[i] = known.get(name, found[i])
    return found


def velocities_of_joints(tree: Tree, joints: Iterable[str]) -> np.ndarray:
    """Which velocities (nv,) belong to the named joints."""
    mask = np.zeros(tree.nv, dtype=bool)
    for name in joints:
        mask[tree.links[tree.joints[name]].v] = True
    return mask


def _refusal_of_open(model: Model, state, t: float, values) -> StartError:
    at = gaps_at(model, state[None], t, values)
    worst = int(np.argmax(np.abs(at.values[0]) > 0.999 * np.abs(at.values[0]).max()))
    joint, label = model.layout.gaps[worst]
    if joint in model.layout.constraints:
        sizes = np.abs(at.values[0])
        others = {
            name for (name, _), x in zip(model.layout.gaps, sizes, strict=True) if x > GAPS_NAMED * sizes[worst]
        } - {joint}
        along = f" together with {', '.join(repr(name) for name in sorted(others))}" if others else ""
        return StartError(
            f"constraint '{joint}' cannot be met{along} from this start: its row {label} stays at {at.values[0, worst]:.3g}; check its "
            "function, or give start values nearer to a position that meets it"
        )
    loop = loop_names(model.tree, joint) if model.tree is not None else []
    if np.abs(at.values[0, worst]) <= UPSIDE_DOWN:
        return StartError(
            f"the loop {loop} was found closed only with joint '{joint}' put on upside down; give start values nearer to the "
            "position you mean, or turn the joint's frames (at=, to=)"
        )
    unit = "m" if label in "xyz" else "rad"
    return StartError(
        f"the loop {loop} cannot be closed from this start: the gap '{label}' of joint '{joint}' stays at "
        f"{(at.values * at.sizes)[0, worst]:.3g} {unit}; check lengths and joint frames, or give start values nearer to a closed position"
    )


def _refuse_torn(model: Model, state, v, t: float, values) -> None:
    """Prescribed bodies may move in a way that no velocities of the others can follow."""
    at = gaps_at(model, np.concatenate([state[: model.nq], v])[None], t, values)
    if not np.any(at.drifts):
        return
    worst = int(np.argmax(np.abs(at.rates[0])))
    if np.abs(at.rates[0, worst]) <= RATES_TORN * max(1.0, np.abs(at.drifts).max()):
        return
    joint, label = model.layout.gaps[worst]
    if joint in model.layout.constraints:
        raise StartError(
            f"constraint '{joint}' cannot be met at t = {t:g} s: its row {label} stays at the rate {at.rates[0, worst]:.3g} "
            "for all velocities; check its function and the other constraints"
        )
    loop, speed = loop_names(model.tree, joint), (at.rates * at.sizes)[0, worst]
    raise StartError(
        f"the prescribed bodies open the loop {loop} at t = {t:g} s: the gap '{label}' of joint '{joint}' would open at the rate "
        f"{speed:.3g} for any motion of the others; change their motion, begin elsewhere, or use a joint with more degrees of freedom"
    )


def loop_names(tree: Tree | None, joint: str) -> list[str]:
    """Joints of the loop that a joint closes."""
    assert tree is not None
    closure = next(c for c in tree.closures if c.joint.name == joint)
    one, other = tree.path(closure.parent), tree.path(closure.child)
    names = [
        tree.links[i].joint.name for i in (*[i for i in one if i not in other], *[i for i in other if i not in one])
    ]
    return [*names, joint]


def _independence(model: Model, state, t: float, values) -> tuple[tuple[int, ...], int, bool]:
    """Which gaps can open at all, how many of them are independent around here, and whether fewer are right here."""
    all_here = gaps_at(model, state[None], t, values).jacobians[0]
    if independent_rows(all_here) == len(all_here):
        return tuple(range(len(all_here))), len(all_here), False
    rng = np.random.default_rng(1)
    changes = rng.normal(size=(6, model.nv))
    anywhere = gaps_at(model, move(model, np.repeat(state[None], 6, axis=0), changes, values), t, values, watching=True)
    jacobians = np.abs(anywhere.jacobians).max(axis=(0, 2), initial=0.0)
    kept = tuple(np.flatnonzero(jacobians > max(GAP_NOISE, FLAT_ROW * jacobians.max(initial=0.0))).tolist())
    here = all_here[list(kept)]
    ranks = [independent_rows(here)]
    for _ in range(3):
        near = least_gaps(
            model, _nearby_state(model, state, here, values, rng), t, values, np.zeros(model.nv, dtype=bool)
        )
        if is_closed(model, near, t, values):
            ranks.append(independent_rows(gaps_at(model, near[None], t, values).jacobians[0][list(kept)]))
    flat = np.abs(here).max(axis=1, initial=0.0) <= GAP_NOISE * jacobians[list(kept)]
    named = np.array([model.layout.gaps[i][0] in model.layout.constraints for i in kept], dtype=bool)
    return kept, max(ranks), ranks[0] < max(ranks) or bool(np.any(flat & named))


def _nearby_state(model: Model, state, J, values, rng) -> np.ndarray:
    free = np.linalg.svd(J)[2][independent_rows(J) :] if len(J) else np.eye(model.nv)
    if not len(free):
        return state
    change = NEARBY_FOR_RANK * rng.normal(size=len(free)) @ free
    return move(model, state[None], change[None], values)[0]


def independent_rows(J: np.ndarray) -> int:
    """How many rows of derivatives are independent."""
    s = np.linalg.svd(J, compute_uv=False) if len(J) > 1 else np.linalg.norm(J, axis=1)
    return int(np.sum(s > max(GAP_NOISE, DEPENDENT_COLUMNS * s[0]))) if len(s) else 0


def _consistent_velocities(model: Model, placed, v, fixed, rank: int, t: float, values) -> np.ndarray:
    """Velocities that meet all conditions; of conditions that are not linear in them by Newton's steps."""
    found, on_speeds = v, np.array(model.layout.levels) < 2
    for _ in range(START_NEWTON_STEPS if any(model.layout.levels) else 1):
        at = gaps_at(model, np.concatenate([placed[: model.nq], found])[None], t, values)
        before, found = found, _velocities(at, found, fixed, rank, on_speeds)
        if np.abs(found - before).max(initial=0.0) <= NEWTON_DONE * max(1.0, np.abs(found).max(initial=0.0)):
            break
    return found


def _velocities(at: Gaps, v: np.ndarray, fixed: np.ndarray, rank: int, on_speeds: np.ndarray) -> np.ndarray:
    """Velocities that keep the loops closed: with the given ones fixed if possible, otherwise the nearest in kinetic
    energy."""
    J, M, drift = at.jacobians[0][on_speeds], at.mass[0], at.drifts[0][on_speeds]
    for keep in (fixed, np.zeros_like(fixed)):
        free = ~keep
        if not free.any():
            found, rest = v, J @ v + drift
        else:
            root = np.linalg.cholesky(M[np.ix_(free, free)])
            A = np.linalg.solve(root, J[:, free].T).T
            change = np.linalg.solve(root.T, np.linalg.pinv(A, rcond=DEPENDENT_COLUMNS) @ (J @ v + drift))
            found = v.copy()
            found[free] -= change
            rest = J @ found + drift
        fits = np.abs(rest).max(initial=0.0) <= VELOCITIES_FIT * max(1.0, np.abs(found).max(initial=0.0))
        if fits and np.abs(found).max(initial=0.0) <= DEAD_POINT * max(1.0, np.abs(v).max(initial=0.0)):
            return found
    C = np.linalg.cholesky(M)
    outer, s, inner = (x[..., :rank, :] if k == 2 else x[..., :rank]
                       for k, x in enumerate(np.linalg.svd(np.linalg.solve(C, J.T).T, full_matrices=False)))  # fmt: skip
    asked = outer.T @ drift / np.where(s > DEPENDENT_COLUMNS * s.max(initial=0.0), s, np.inf)
    return np.linalg.solve(C.T, C.T @ v - inner.T @ (inner @ (C.T @ v) + asked))
