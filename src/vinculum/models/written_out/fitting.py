"""Large systems that cannot run over tables, because of something that must be written out."""

from vinculum.bonds import PairAction, PairsWithin
from vinculum.errors import ModelError
from vinculum.systems import ActingRows, Tree, turning_links
from vinculum.tolerances.sizes import MOST_WRITTEN_OUT, MOST_WRITTEN_PAIRS


def check_written_out_fits(tree: Tree) -> None:
    """Refuse a system that would be written out and is too large for that, with what keeps it from tables."""
    blocks = sum(link.parent < 0 for link in tree.links)
    bonds = len(tree.constraints) + len(tree.closures)
    within = largest = 0
    for acting in tree.acting:
        if isinstance(acting, ActingRows):
            bonds += len(acting.bonds)
        elif not isinstance(acting.action, PairAction):
            bonds += 1
        else:
            own = len(acting.links) * (len(acting.links) - 1) // 2
            largest, within = max(largest, own), within + own * isinstance(acting.action, PairsWithin)
    pairs = max(largest, within)
    if blocks + bonds <= MOST_WRITTEN_OUT and pairs <= MOST_WRITTEN_PAIRS:
        return
    size = f"{blocks} blocks and {bonds} bonds" + (f", and {pairs} pairs," if pairs else "")
    raise ModelError(
        f"system '{tree.name}': its {size} would be written out one by one, at most {MOST_WRITTEN_OUT} of them and {MOST_WRITTEN_PAIRS} "
        f"pairs, because tables do not have {_what_tables_lack(tree)}; use fewer bodies and bonds, or leave that out"
    )


def _what_tables_lack(tree: Tree) -> str:
    """What of a tree tables do not have, by name."""
    constraints = [one.constraint for one in tree.constraints if not one.is_kept_on_bodies]
    charted = [link.joint.name for link in turning_links(tree)]
    changing = [link.body.name for link in tree.links if not link.body.mechanics.is_constant]
    found = [f"{one.called} with {one.realization}" for one in constraints[:1]]
    found += [one.unilateral.called for one in tree.unilaterals[:1]]
    found += [one.impulse.called for one in tree.impulses if one.kind != "body"][:1]
    found += [f"joint '{name}', whose rotations change their charts" for name in charted[:1]]
    found += [f"body '{name}', which deforms or loses mass," for name in changing[:1]]
    return " and ".join(found) or "bonds whose laws end somewhere, as those of torsion springs and bushings"
