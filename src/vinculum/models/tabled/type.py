"""`TabledType`: many blocks and bonds that are alike, evaluated over tables."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bonds import PairAction, PairsWithin
from vinculum.compile.memory import check_room
from vinculum.errors import FileError, MethodError
from vinculum.models.layout import Layout
from vinculum.models.looped import LoopedType
from vinculum.models.model import Model
from vinculum.models.stored.checked_layout import checked_layout
from vinculum.models.tabled.observables import NAMES, TabledTape
from vinculum.models.tabled.projection import closed_states, growth_of_round_off, leave_out_dependent
from vinculum.models.tabled.rates import make_tables
from vinculum.models.tabled.tabled import Tabled, bonded_deforming, bonds_of, looped_actions, tabled_of
from vinculum.models.tree_layout import layout_of
from vinculum.systems import Acting, ActingRows, Tree, turning_links
from vinculum.tolerances.sizes import BYTES_OF_A_TABLED_ROW, FEWEST_TABLED, ROWS_WITHIN


class OverTables(LoopedType):
    """Types of models whose blocks and bonds are evaluated over tables: ``tabled``."""

    tabled: Tabled

    @abstractmethod
    def with_tables(self, tabled: Tabled) -> "OverTables":
        """The same type with other tables."""

    def is_timed(self, model: Model) -> bool:
        return self.tabled.is_timed

    def closed_states(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        return closed_states(model, self.tabled, states, times, values) if self.tabled.conditions else states

    def branch_at(self, model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Model:
        return _without_dependent_rows(model, state, t, values) if self.tabled.conditions else model

    def growth_of_round_off(self, model: Model, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        if not self.tabled.conditions:
            return np.ones((len(states), 1))
        return growth_of_round_off(model, self.tabled, states, times, values)


@final
@dataclass(frozen=True, eq=False)
class TabledType(OverTables):
    """``tabled``: kinds of blocks and tables of bonds, in place of graphs."""

    tabled: Tabled

    @classmethod
    def describes(cls, tree: Tree) -> bool:
        """Whether a tree has only blocks and actions, and too many of them to write out."""
        if (
            tree.unilaterals
            or tree.contacts
            or tree.contact is not None
            or not all(one.is_kept_on_bodies for one in tree.constraints)
        ):
            return False
        unseen = (
            one for one in (link.body.mechanics for link in tree.links) if one.deforms_unnoticed and not one.is_thin
        )
        if any(unseen) or bonded_deforming(tree):
            return False
        return _are_plain(tree) and _has_many_blocks(tree)

    @classmethod
    def model_of(cls, tree: Tree) -> Model:
        check_tables_fit(tree)
        tabled = tabled_of(tree)
        acted = replace(tree, acting=tuple(bonds_of(tree)))
        return _model(layout_of(acted, dict(tabled.parameters), flat=False), tabled, tree)

    @classmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        return "tables" in data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Model:
        return _model(*checked_tables(data))

    def to_dict(self, model: Model) -> dict[str, Any]:
        return {"layout": model.layout.to_dict(), "tables": self.tabled.to_dict()}

    def check_written_out(self, model: Model, what: str) -> None:
        raise MethodError(
            f"system '{model.name}': {what} are not available, as its {_what_is_tabled(model, self.tabled)}"
        )

    def with_tables(self, tabled: Tabled) -> "TabledType":
        return TabledType(tabled)

    def steps_over_contacts(self, model: Model) -> bool:
        return False


def _what_is_tabled(model: Model, tabled: Tabled) -> str:
    """What is not written out, and what to do, in words."""
    if tabled.pair_loop is not None:
        return f"{tabled.pair_loop.pairs} pairs of bodies are not written out but run as a loop in vc.simulate; use fewer bodies"
    return (
        f"{tabled.bodies} bodies and {len(model.layout.actions)} actions are not written out but run over tables in vc.simulate; "
        "use fewer of them"
    )


def with_left_out(model: Model, left_out: tuple[int, ...]) -> Model:
    """The same model, in which some rows of its conditions are left out because they follow from others."""
    tabled = tabled_in(model)
    if left_out == tabled.left_out:
        return model
    if left_out not in model.variants:
        dropped = set(left_out)
        kept = [k for k in range(tabled.gaps) if k not in dropped]
        layout = replace(model.layout, kept=kept, rank=len(kept))
        assert isinstance(model.type, OverTables)
        tables = replace(tabled, left_out=left_out)
        model.variants[left_out] = Model(
            layout, model.type.with_tables(tables), dict(tapes_over_tables(layout, tables)), model.tree
        )
    return model.variants[left_out]


def _without_dependent_rows(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Model:
    """The same model, in which rows of conditions are left out that depend on others at a state."""
    tables, _kept = make_tables(tabled_in(model), values)
    leave_out_dependent(tables, np.ascontiguousarray(state, dtype=float), t)
    reactions = tables.reactions
    return with_left_out(model, tuple(sorted(reactions.gaps[~reactions.factors.kept].tolist())))


def fits_tables(tree: Tree) -> bool:
    """Whether a tree has only blocks, bonds and contacts, and too many of them to write out."""
    return _are_plain(tree) and _has_many_blocks(tree)


def _has_many_blocks(tree: Tree) -> bool:
    """Whether there are many blocks and rows of bonds, and tables know all of their joints."""
    return not turning_links(tree) and _count_blocks(tree) + _count_rows(tree) >= FEWEST_TABLED


def check_tables_fit(tree: Tree) -> None:
    """Refuse tables that take more memory than is free."""
    looped = looped_actions(tree)
    blocks, rows = _count_blocks(tree), _count_rows(tree) - sum(map(_rows_of, looped))
    what = f"system '{tree.name}': the tables of {blocks} blocks and {rows} rows of bonds"
    check_room(what, (blocks + rows) * BYTES_OF_A_TABLED_ROW, remedy="use fewer bodies or bonds")


def checked_tables(data: Mapping[str, Any]) -> tuple[Layout, Tabled]:
    """The layout and the tables of a stored model, which fit each other."""
    layout, tabled = checked_layout(data["layout"]), Tabled.from_dict(data["tables"])
    groups = () if tabled.pair_loop is None else tabled.pair_loop.groups
    named = set(layout.actions) == {name for bond in tabled.bonds for name in bond.names} | {one.name for one in groups}
    named &= {*layout.closing, *layout.constraints} == {name for table in tabled.conditions for name in table.names}
    named &= set(layout.unilaterals) == {name for table in tabled.unilaterals for name in table.names}
    named &= len(layout.gaps) == tabled.gaps and set(layout.impulses) == {
        one.name for one in (*tabled.struck, *tabled.struck_joints)
    }
    sizes = (len(layout.bodies), len(layout.q_names), len(layout.v_names)) == (tabled.bodies, tabled.nq, tabled.nv)
    if not (
        named
        and sizes
        and len(layout.joints) == tabled.bodies
        and sorted(layout.parameters) == [n for n, _ in tabled.parameters]
    ):
        raise FileError("the tables of the stored model do not fit its layout; the folder is damaged")
    return layout, tabled


def _are_plain(tree: Tree) -> bool:
    """Whether bodies have nothing besides mass and inertia, or deform with energies that stop an inversion or tell where it begins, and
    without constraints."""
    deforming = any(link.body.mechanics.kinematics.deforms for link in tree.links)
    if deforming and (tree.closures or tree.constraints):
        return False
    return all(link.body.mechanics.goes_over_tables for link in tree.links)


def _count_blocks(tree: Tree) -> int:
    return sum(link.parent < 0 for link in tree.links)


def _count_rows(tree: Tree) -> int:
    return sum(_rows_of(acting) for acting in tree.acting) + len(tree.constraints) + len(tree.closures)


def _rows_of(acting: Acting | ActingRows) -> int:
    """Rows of an action: the pairs of a pair action, one for others."""
    if isinstance(acting, ActingRows):
        return len(acting.bonds)
    if isinstance(acting.action, PairsWithin):
        return min(len(acting.links) * (len(acting.links) - 1) // 2, ROWS_WITHIN * len(acting.links))
    return len(acting.links) * (len(acting.links) - 1) // 2 if isinstance(acting.action, PairAction) else 1


def tabled_in(model: Model) -> Tabled:
    """The tables of a model that runs over tables."""
    assert isinstance(model.type, OverTables)
    return model.type.tabled


def tapes_over_tables(layout: Layout, tabled: Tabled) -> dict[str, TabledTape]:
    """What such a model has in place of tapes, by name."""
    bodies = tuple(sorted(layout.bodies, key=lambda name: layout.bodies[name].index))
    joints = tuple(sorted(layout.joints, key=lambda name: layout.joints[name].index))
    return {name: TabledTape(name, tabled, bodies, joints) for name in NAMES}


def _model(layout: Layout, tabled: Tabled, tree: Tree | None = None) -> Model:
    return Model(layout, TabledType(tabled), tapes_over_tables(layout, tabled), tree)
