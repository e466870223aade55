"""A motion on its grid as a labelled data set: names on every axis, units in the attributes."""

import json
from typing import Any

import numpy as np

from vinculum.motion.views import BodyMotion


def dataset(motion: Any) -> Any:
    """`xarray.Dataset` over ``time``.

    ``q`` (time, coordinate), ``v`` and ``left_v`` (time, velocity), ``position`` (time, body, axis) of the bodies'
    origins in world axes, ``energy`` (time). Units of coordinates and velocities stand in ``q_unit`` and ``v_unit``.
    """
    import xarray

    from vinculum import __version__

    layout, bodies = motion.model.layout, list(motion.model.layout.bodies)
    q_units, v_units = layout.q_units, layout.v_units
    positions = np.empty((len(motion.time), len(bodies), 3))
    for i, body in enumerate(bodies):
        positions[:, i] = BodyMotion(motion, body).position
    variables = {
        "q": (("time", "coordinate"), motion.q, _attributes("coordinates", q_units, "q_unit")),
        "v": (("time", "velocity"), motion.v, _attributes("velocities", v_units, "v_unit")),
        "left_v": (("time", "velocity"), motion.left_v, _attributes("left limits of v", v_units, "v_unit")),
        "energy": ("time", motion.energy, {"long_name": "kinetic plus potential energy", "units": "J"}),
        "position": (("time", "body", "axis"), positions, {"long_name": "origins of bodies", "units": "m"}),
    }
    coordinates = {
        "time": ("time", motion.time, {"long_name": "time", "units": "s"}),
        "coordinate": ("coordinate", _names(layout.q_names)),
        "velocity": ("velocity", _names(layout.v_names)),
        "q_unit": ("coordinate", _names(q_units)),
        "v_unit": ("velocity", _names(v_units)),
        "body": ("body", _names(bodies)),
        "axis": ("axis", _names("xyz")),
    }
    said = {
        "system": motion.model.name,
        "method": str(motion.method),
        "steps": len(motion.pieces),
        "parameters": json.dumps(dict(motion.parameters)),
        "vinculum_version": __version__,
    }
    return xarray.Dataset(variables, coordinates, said)


def lagrangian_dataset(motion: Any) -> Any:
    """`xarray.Dataset` over ``time`` of a Lagrangian motion: ``q`` and ``v`` (time, coordinate), ``energy`` (time)."""
    import xarray

    from vinculum import __version__

    variables = {
        "q": (("time", "coordinate"), motion.q, {"long_name": "coordinates"}),
        "v": (("time", "coordinate"), motion.v, {"long_name": "rates of coordinates"}),
        "energy": ("time", motion.total_energy, {"long_name": "energy of the Lagrangian and its multipliers"}),
    }
    said = {"system": motion.model.name, "method": str(motion.method), "steps": len(motion.pieces),
            "parameters": json.dumps(dict(motion.parameters)), "vinculum_version": __version__}  # fmt: skip
    return xarray.Dataset(variables, {"time": motion.time, "coordinate": _names(motion.coordinates)}, said)


def _attributes(what: str, units: list[str], where: str) -> dict[str, str]:
    """One unit where all agree, else the name of the coordinate that tells them."""
    return {"long_name": what, "units": units[0] if len(set(units)) == 1 else f"see {where}"}


def _names(values) -> np.ndarray:
    return np.array(list(values), dtype=object)
