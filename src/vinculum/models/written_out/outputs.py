"""Required outputs of the tapes of a model whose equations are graphs."""

from collections.abc import Mapping

from vinculum.models.acting import acts_in
from vinculum.models.model import Model

OF_A_BODY = {
    "position": 3,
    "rotation": 9,
    "velocity": 3,
    "angular_velocity": 3,
    "center": 3,
    "center_velocity": 3,
    "mass": 1,
}
OF_ALL = ("kinetic", "potential", "power", "power_of_others", "dissipation", "work", "work_size", "potential_size", "varied_size",
          "inertia_condition", "power_by_rows")  # fmt: skip
OF_SOME = ("drive_power", "drive_power_size", "multiplier_rates", "multiplier_rate_size", "acceleration_rows", "acceleration_sizes",
           "constraint_energy", "constraint_energy_size", "constraint_rate", "constraint_rate_size", "constraint_time_slope",
           "reaction_power", "reaction_size")  # fmt: skip


def outputs_of_bodies(model: Model) -> Mapping[str, Mapping[str, int | None]]:
    """Names and sizes of outputs by tape; None where the size follows from nothing in the layout."""
    layout, nq, nv, g, b = model.layout, model.nq, model.nv, len(model.layout.gaps), len(model.layout.bodies)
    entries = layout.unilaterals.values()
    rows = 3 * sum(2 if entry.lengths else 1 for entry in entries)
    moving, strained = (0, 0) if model.shapes is None else (model.shapes.moving, len(model.shapes.strained))
    ends = {**dict.fromkeys((*layout.joints, *layout.closing), 2),
            **{name: len(entry.bodies) for name, entry in layout.actions.items()}}  # fmt: skip
    bonds: dict[str, int | None] = {f"{name}/efforts": 6 * count for name, count in ends.items()}
    bonds |= {f"{name}/points": 3 * count for name, count in ends.items()}
    turning = [name for name, entry in layout.joints.items() if entry.v[0] < entry.v[1]]
    bonds |= {f"{name}/{what}": None for name in turning for what in ("transmitted", "unexplained", "effort size")}
    bonds |= {
        f"{name}/{what}": 1 for name in layout.actions for what in ("energy", "moment size", "power", "rate", "size")
    }
    varying = (
        {"mass_rate": b, "center_momentum": 3 * b, "transit_momentum": 3 * b, "increment": 3 * b, "applied": 3 * b}
        if layout.masses
        else {}
    )
    return {
        "motion": {"q_dot": nq, "v_dot": nv},
        "rates": {"q_dot": nq, "defects": len(layout.quaternions), "gaps": g, "gap_rates": g},
        "bodies": {f"{body}/{what}": size for body in layout.bodies for what, size in OF_A_BODY.items()},
        "balance": {**dict.fromkeys(OF_ALL, 1), **dict.fromkeys(OF_SOME), "mass": b, "reach": b, "center": 3 * b, "momentum": 6 * b,
                    "wrench": 6 * b, "wrench_size": 6 * b, **varying},
        "reactions": dict.fromkeys(layout.joints, 6),
        "exchanges": {one.name: 7 * len(one.ends) for one in acts_in(layout)} | {"state": 11 * b},
        "bonds": bonds,
        "closures": {"gaps": g, "jacobians": g * nv, "gap_rates": g, "gap_drifts": g, "along": g * nv, "mass_matrix": nv * nv,
                     "sides": None, "sizes": None},
        "unilaterals": {"gaps": len(entries), "drifts": rows, "jacobians": rows * nv, "mass_matrix": nv * nv, "q_dot": nq,
                       "bilateral": None, "bilateral_drifts": None},
        "distances": {"gaps": len(entries), "speeds": rows},
        "contacts": {"gaps": len(entries), "drifts": rows, "biases": rows, "jacobians": rows * nv, "mass_matrix": nv * nv,
                     "bilateral": None},
        "virtual": {"momenta": nv, "carried": nv, "efforts": nv, "weights": nv, "blocks": None, "jacobians": None, "slope_rates": None},
        "impulses": {f"{name}/along": nv for name in layout.impulses} | {f"{name}/wrench": None for name in layout.impulses},
        "shapes": {"screws": None, "drifts": 6 * moving, "centers": 3 * moving, "axes": 9 * moving, "strains": 9 * strained},
        "drives": dict.fromkeys(("by_wrench", "by_work", "size"), len(layout.prescribed)),
        "hamel": {"residual": nv, "size": nv},
        "momenta": {"p": nv},
        "canonical": {"q_dot": nq, "p_dot": nv},
        "velocities": {"v": nv},
    }  # fmt: skip
