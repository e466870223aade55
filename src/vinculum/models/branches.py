"""Models on a branch of their closed loops."""

from dataclasses import replace

from vinculum.models.model import Model
from vinculum.models.types import model_of


def with_rank(model: Model, kept: tuple[int, ...], rank: int) -> Model:
    """The same model with the ``kept`` gaps only, of which ``rank`` are independent."""
    tree = model.tree
    if tree is None or (tree.kept, tree.rank) == (kept, rank):
        return model
    if (kept, rank) not in model.variants:
        model.variants[kept, rank] = model_of(replace(tree, kept=kept, rank=rank))
    return model.variants[kept, rank]
