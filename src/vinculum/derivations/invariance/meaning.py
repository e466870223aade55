"""Explanation of why a bond is not invariant, and the remedy."""

from collections.abc import Sequence

from vinculum.bodies import GROUND

RELATIVE = "ground.rotation.T @ (a.position - ground.position)"


def energy_meaning(what: str, ends: Sequence[str], broken: Sequence[str], kept: Sequence[str]) -> str:
    """Why an energy or a gap changes when everything moves together, and the remedy."""
    bodies = ", ".join(f"'{name}'" for name in ends if name != GROUND)
    placed = any(not one.startswith("time") for one in broken)
    parts = [
        f"{what} changes under {', '.join(broken)}" + (f" (not under rotation about {', '.join(kept)})" if kept else "")
    ]
    if any(one.startswith("translation") for one in broken):
        parts.append(f"the forces on {bodies} do not sum to zero")
    elif any(one.startswith("rotation") for one in broken):
        parts.append(f"the moments on {bodies} do not balance")
    if placed and GROUND in ends:
        parts.append(
            f"'{GROUND}' is one of its bodies, but positions or directions of the world are used too: write all of them in "
            f"its frame, as {RELATIVE} and ground.rotation @ e"
        )
    elif placed:
        parts.append(
            f"so a reaction is missing: add the body that bears it, for example '{GROUND}' in bodies, and write the energy in its "
            f"position and rotation, as {RELATIVE} and ground.rotation @ e"
        )
    if "time" in broken:
        parts.append(
            "replace time by a body with prescribed motion (vc.PrescribedBody), whose drive supplies the power"
        )
    return "; ".join(parts)


def effort_meaning(ends: Sequence[str], broken: Sequence[str]) -> str:
    """Why given efforts do not turn with their bodies, and the remedy."""
    parts = [f"its wrench does not rotate with the bodies under {', '.join(broken)}"]
    if any(one.startswith(("translation", "rotation")) for one in broken):
        parts.append(
            "it uses positions or directions of the world: write them in the frame of one of its bodies, as b.rotation @ e"
        )
    if any(one.startswith("a superposed velocity") for one in broken):
        parts.append(
            "it uses velocities relative to the world: use the velocity of one body relative to the other, as "
            "a.velocity - b.velocity - cross(b.angular_velocity, a.position - b.position)"
        )
    if "time" in broken:
        parts.append("replace time by a body with prescribed motion, a vc.PrescribedBody")
    return "; ".join(parts)


def undecided_meaning(what: str) -> str:
    """What an open proof leaves."""
    return (
        f"{what} did not change at any sample, but exact arithmetic could not show that it never does: a part that is far away or "
        "very short could (a condition, a pulse in time)"
    )


def contradiction_meaning(what: str, exact: bool | None, change: float) -> str:
    """Proof and samples disagree: piecewise constant functions have zero derivatives."""
    if exact:
        return (
            f"CONTRADICTION: the derivatives of {what} vanish identically, yet finite motions change it by {change:.1e}; it has steps "
            "(floor, sign, a jump in where), so its efforts do not follow from its values"
        )
    return (
        f"CONTRADICTION: the derivatives of {what} do not vanish, yet no finite motion changed it at the samples; check its function, "
        "and report this if it is in order"
    )


def external_meaning(ends: Sequence[str], force: float, moment: float) -> str:
    """A declared force from outside."""
    return (
        f"an external wrench on '{ends[0]}', so there is no opposite wrench (up to {force:.3g} N and {moment:.3g} N m "
        "at the samples); use vc.Interaction to name the body that exerts it"
    )


def gravity_meaning(weight: float) -> str:
    """Uniform gravity hides the planet."""
    return (
        f"the weight ({weight:.6g} N in all) has no reaction: the planet is not in the system, and momentum along "
        "gravity and moments across it are not "
        "conserved; add the planet as a body with an attraction between it and the others, or accept it"
    )
