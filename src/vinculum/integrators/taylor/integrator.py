"""Taylor series in the table of integrators: by heyoka, and by Vinculum's own recurrences."""

from vinculum.compile.engines import has_heyoka
from vinculum.compile.tape import Tape
from vinculum.errors import MethodError, installation
from vinculum.integrators.table import Integrator
from vinculum.models.model import Model
from vinculum.motion.method import SERIES, TAYLOR
from vinculum.motion.problem import Problem, StepSource
from vinculum.tolerances.round_off import ROUND_OFF


def _taylor(problem: Problem) -> StepSource:
    from vinculum.integrators.taylor.taylor import taylor_steps

    return taylor_steps(problem)


def _series(problem: Problem) -> StepSource:
    from vinculum.integrators.taylor.series import series_steps

    return series_steps(problem)


def has_kinks(model: Model) -> bool:
    """Whether the gap of a unilateral constraint is piecewise."""
    return bool(model.layout.unilaterals) and model.tape("distances").is_piecewise()


def _check(model: Model, watched: Tape | None) -> None:
    if not has_heyoka():
        raise MethodError(
            f"method 'taylor' needs heyoka, which is not installed here; use method='dop853', or install it with {installation('heyoka')}"
        )
    if has_kinks(model):
        raise MethodError(
            f"a gap of '{model.name}' is not smooth (abs, min, max, where or tables), which method 'taylor' cannot follow; use "
            "method='dop853', or a unilateral constraint for each part"
        )


TAYLOR_SERIES = Integrator(TAYLOR, _taylor, tolerance=ROUND_OFF, follows_contacts=True, check=_check)
OWN_SERIES = Integrator(SERIES, _series, tolerance=ROUND_OFF)
