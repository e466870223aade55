"""What runs of tables and of blocks in contact have in common: their events and problems."""

from collections.abc import Mapping

from vinculum.integrators.watch.table_ends import check_start
from vinculum.models.model import Model
from vinculum.motion.events import event_tape
from vinculum.motion.method import Method
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import Prepared, Watched
from vinculum.simulation.options import Options


def watched_events(model: Model, options: Options, given: Mapping[str, float]) -> Watched:
    """The functions of events, traced."""
    tape, own, shown = event_tape(model, options.events, given)
    return Watched(tape, frozenset(own), shown)


def checked_problem(prepared: Prepared, method: Method, options: Options) -> Problem:
    """The problem of a prepared run. A start beyond the ends of a table is refused."""
    problem = Problem(prepared.model, method, prepared.begin, prepared.until, prepared.state, prepared.values,
                      options.events, prepared.watched.tape, prepared.watched.shown, options.thorough)  # fmt: skip
    check_start(problem)
    return problem
