"""The model of a system, made once for each state of its description."""

import weakref

from vinculum.errors import StartError
from vinculum.kernels.model import Model, model_of
from vinculum.systems import System, Tree

_models: "weakref.WeakKeyDictionary[Tree, Model]" = weakref.WeakKeyDictionary()


def model_for(system) -> Model:
    """The model of a `System`; a `Model` (of a loaded run) is itself."""
    if isinstance(system, Model):
        return system
    if not isinstance(system, System):
        raise StartError(f"a vc.System is needed, got {type(system).__name__}")
    tree = system.tree()
    model = _models.get(tree)
    if model is None:
        model = _models[tree] = model_of(tree)
    return model
