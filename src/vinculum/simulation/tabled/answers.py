"""Runs of tables."""

from typing import final

import numpy as np

from vinculum.compile.memory import check_room
from vinculum.derivations.starts.checks import check_paths
from vinculum.errors import StartError
from vinculum.integrators.looped.memory import bytes_of_steps
from vinculum.models.model import Model
from vinculum.models.tabled.starts import check_bonds
from vinculum.models.tabled.type import tabled_in
from vinculum.simulation.by_type import Prepared
from vinculum.simulation.looped import LoopedRun
from vinculum.simulation.options import Options
from vinculum.simulation.resolving import check_resolvable
from vinculum.simulation.tabled.condition_starts import on_conditions


@final
class TabledRun(LoopedRun):
    """Runs of blocks and tables of bonds."""

    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        model = prepared.model
        needed = bytes_of_steps(model.nq + model.nv)
        what = f"system '{model.name}': the steps of a run of {len(model.layout.bodies)} bodies"
        check_room(what, needed, StartError, "use fewer bodies")
        check_resolvable(model, options)
        check_paths(model, prepared.begin, prepared.values)
        if tabled_in(model).conditions:
            prepared = on_conditions(prepared, options)
        row = np.concatenate([prepared.state, [prepared.begin], prepared.values])[None]
        check_bonds(prepared.model, tabled_in(prepared.model), row)
        return prepared

    def check_method(self, model: Model, name: str) -> None:
        from vinculum.integrators.tabled.field import check_method

        check_method(model, name)
