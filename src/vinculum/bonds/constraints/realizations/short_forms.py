"""Short forms of realizations: names of those without numbers."""

from vinculum.bonds.constraints.realizations.added_inertia import AddedInertia
from vinculum.bonds.constraints.realizations.chetaev import Chetaev
from vinculum.bonds.constraints.realizations.dalembert import DAlembert
from vinculum.bonds.constraints.realizations.penalty import Penalty
from vinculum.bonds.constraints.realizations.realization import Realization
from vinculum.bonds.constraints.realizations.servo import Servo
from vinculum.bonds.constraints.realizations.vakonomic import Vakonomic
from vinculum.bonds.constraints.realizations.viscous_friction import ViscousFriction
from vinculum.errors import ModelError, did_you_mean, shorten

REALIZATIONS: dict[str, type[Realization]] = {
    "dalembert": DAlembert, "chetaev": Chetaev, "vakonomic": Vakonomic, "servo": Servo, "penalty": Penalty,
    "viscous_friction": ViscousFriction, "added_inertia": AddedInertia,
}  # fmt: skip
"""Every realization by the name that it has in files and on the command line."""
BY_WORD = ("dalembert", "chetaev")
"""Those without arguments."""
REALIZATION_CHOICES = ("'dalembert', 'chetaev', vc.DAlembert(), vc.Chetaev(), vc.Vakonomic(multipliers=…), vc.Servo(…), vc.Penalty(κ), "
           "vc.constraints.ViscousFriction(κ) or vc.constraints.AddedInertia(κ)")  # fmt: skip
WITH_NUMBERS = {"vakonomic": "vc.Vakonomic(multipliers=…)", "servo": "vc.Servo(…)", "penalty": "vc.Penalty(κ)",
                "viscous_friction": "vc.constraints.ViscousFriction(κ)", "added_inertia": "vc.constraints.AddedInertia(κ)"}  # fmt: skip


def read_realization(where: str, given) -> Realization:
    """A realization, given as an object or by its name; anything else is refused with the choices."""
    if isinstance(given, Realization):
        return given
    if isinstance(given, str) and given in BY_WORD:
        return REALIZATIONS[given]()
    if isinstance(given, str) and given in WITH_NUMBERS:
        raise ModelError(f"{where}: realization '{given}' needs more than its name; give {WITH_NUMBERS[given]}")
    raise ModelError(
        f"{where}: realization is {shorten(given)}{did_you_mean(given, REALIZATIONS)}; "
        f"choose a realization, because it determines the motion: {REALIZATION_CHOICES}"
    )
