"""The graphs behind the numbers of `Equations`, by name."""

from typing import Any

import numpy as np

from vinculum.derivations.equations.graphs import Graphs
from vinculum.equations.recursions.composite import solved_leaves_first
from vinculum.errors import ModelError
from vinculum.scalars import symbols


def outputs(graphs: Graphs, what: str) -> dict[str, Any]:
    """Inputs besides t and parameters, and named outputs with their shapes, of one method of `Equations`."""
    state, M, h = graphs.state, graphs.M, graphs.h
    q, v = {"q": state.q}, {"v": state.v}
    if what == "mass_matrix":
        return {"inputs": q, "outputs": {what: M}}
    if what == "moving_mass_matrix":
        return {"inputs": q | v, "outputs": {what: M}}
    if what == "bias":
        return {"inputs": q | v, "outputs": {what: h}}
    if what == "standard_form":
        return {"inputs": q | v, "outputs": {"mass_matrix": M, "bias": h}}
    if what == "closure" or (what == "all" and graphs.loops is not None):
        loops, tree = graphs.loops, graphs.model.tree
        assert loops is not None and tree is not None
        beside = {"sizes": loops.sizes} if what == "closure" else {}
        if what == "closure" or tree.is_directed:
            beside |= {"B": loops.B}
        return {"inputs": q | v, "outputs": {"mass_matrix": M, "bias": h, "J": loops.J, "closing_bias": loops.bias,
                                             "gaps": loops.gaps} | beside}  # fmt: skip
    if what == "accelerations":
        return {"inputs": q | v, "outputs": {what: _solve_accelerations(graphs, 0.0)}}
    if what in ("driven_accelerations", "all"):
        tau = symbols("tau", len(state.v))
        solved = _solve_accelerations(graphs, tau)
        everything = {"mass_matrix": M, "bias": h, "accelerations": solved}
        return {"inputs": q | v | {"tau": tau}, "outputs": everything if what == "all" else {what: solved}}
    if what == "blocks":
        assert graphs.make_blocks is not None
        return {"inputs": q | v, "outputs": graphs.make_blocks()}
    canonical = graphs.canonical
    if what == "momenta":
        return {
            "inputs": q | v,
            "outputs": {what: canonical["momentum_matrix"] @ state.v + canonical["momentum_drift"]},
        }
    return {"inputs": q | {"p": canonical["p"]}, "outputs": {what: canonical[what]}}


def _solve_accelerations(graphs: Graphs, tau) -> np.ndarray:
    try:
        return solved_leaves_first(graphs.M, tau - graphs.h)
    except ZeroDivisionError as error:
        raise ModelError(
            f"system '{graphs.name}': some velocity moves no mass or inertia at all (a massless leaf); "
            "give the last body inertia about its joint's axis"
        ) from error
