"""The model of a system, made once for each state of its description."""

from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.models.types import model_of
from vinculum.systems import System

PLACE = "_model"
"""A tree keeps its model itself: a weak dictionary would keep both forever, because a model refers to its tree."""


def model_for(system) -> Model:
    """The model of a `System`; a `Model` (of a loaded run) is itself."""
    if isinstance(system, Model):
        return system
    if not isinstance(system, System):
        raise StartError(f"a vc.System is needed, got {type(system).__name__}")
    tree = system.tree()
    model = vars(tree).get(PLACE)
    if model is None:
        model = vars(tree)[PLACE] = model_of(tree)
    return model
