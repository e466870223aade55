"""Vinculum: a library of classical mechanics. From bodies and bonds it makes equations, motions and certificates.

The most common names are here; families of names are in `vc.potentials`, `vc.constraints`, `vc.geometry`,
`vc.hamiltonian`, `vc.shapes`, `vc.measures`, `vc.errors` and `vc.math`.
"""

import importlib
from typing import Any

from vinculum.namespaces import HOMES, TOP, lazy

__version__ = "0.1.0"

_FAMILIES = {"math": "vinculum.scalars.math"} | {name.rpartition(".")[2]: name for name in HOMES if name != TOP}
_find, _, _names = lazy(__name__)
_shown = ["__version__", *_FAMILIES, *_names]
__dir__, __all__ = (lambda: _shown), _shown


def __getattr__(name: str) -> Any:
    return importlib.import_module(_FAMILIES[name]) if name in _FAMILIES else _find(name)
