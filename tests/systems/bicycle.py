"""The Whipple bicycle with the benchmark numbers of Meijaard, Papadopoulos, Ruina and Schwab (2007), for tests."""

import importlib.util
from pathlib import Path

import numpy as np

_EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "whipple_bicycle.py"
_spec = importlib.util.spec_from_file_location("whipple_bicycle", _EXAMPLE)
assert _spec is not None and _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
bicycle, upright = _module.bicycle, _module.upright

BENCHMARK = {
    "M": np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]),
    "C1": np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]]),
    "K0": np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]]),
    "K2": np.array([[0, 76.59734589573222], [0, 2.65431523794604]]),
}
