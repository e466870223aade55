"""Selection of independent coordinates: those named by the user, then the first well-conditioned ones."""

from collections.abc import Sequence

import numpy as np

from vinculum.errors import StartError
from vinculum.systems import nearest
from vinculum.tolerances.rank import DEPENDENT_COLUMNS, FREE_ENOUGH


def chosen_rows(
    system: str, names: Sequence[str], basis: np.ndarray, wanted: Sequence[str], what: str, strict: bool = True
) -> list[int]:
    """As many rows of ``basis`` (n, d, orthonormal columns) as it has columns, independent: the wanted ones first.

    Wanted ones that depend on those before them are refused where ``strict``, else left out.
    """
    if isinstance(wanted, str):
        raise StartError(f"coordinates is the text {wanted!r}; give a list of names, as coordinates=[{wanted!r}]")
    for name in wanted:
        if name not in names:
            raise StartError(f"coordinates: there is no velocity '{name}' in system '{system}'{nearest(name, names)}")
    chosen: list[int] = []
    left = basis.copy()
    for name in dict.fromkeys(wanted):
        i = names.index(name)
        if np.linalg.norm(left[i]) <= DEPENDENT_COLUMNS:
            if strict:
                others = f" of {[names[k] for k in chosen]}" if chosen else ""
                raise StartError(
                    f"system '{system}': '{name}' is not independent{others} here, or cannot change at all; "
                    f"its {basis.shape[1]} independent {what} must be named from the others"
                )
            continue
        chosen.append(i)
        left = _without(left, i)
    while len(chosen) < basis.shape[1]:
        sizes = np.linalg.norm(left, axis=1)
        i = int(np.argmax(sizes >= FREE_ENOUGH * sizes.max()))
        chosen.append(i)
        left = _without(left, i)
    return chosen


def _without(rows: np.ndarray, i: int) -> np.ndarray:
    """All rows less their parts along one of them."""
    along = rows[i] / np.linalg.norm(rows[i])
    return rows - np.outer(rows @ along, along)
