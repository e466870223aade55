"""What very many bodies cannot do, and what is said about it."""

import json

import numpy as np
import pytest

import vinculum as vc
from pair_loops import cloud, gravitation, places, start
from vinculum.errors import FileError, MethodError, ModelError, RunError, StartError
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.type import tabled_in


def kepler(a, b):
    return -a.mass * b.mass / vc.math.norm(a.position - b.position)


def test_two_points_at_one_place_are_named():
    x, v = places(50)
    x[31] = x[7]
    with pytest.raises(RunError, match=r"could not start.*'p7' and 'p31', 0 m apart"):
        vc.simulate(cloud(50, kepler), 1.0, start(x, v), progress=False)


@pytest.mark.parametrize("how", [{}, {"method": "rk4", "step": 0.05}, {"method": "verlet", "step": 0.05}])
def test_a_collision_ends_a_run_and_names_the_pair(how):
    x, v = 100.0 * places(50)[0], np.zeros((50, 3))
    x[7], x[31], v[7], v[31] = (0.5, 0, 0), (-0.5, 0, 0), (-1.0, 0, 0), (1.0, 0, 0)

    def drawn(a, b):
        d = a.position - b.position
        return -1e-3 / vc.math.norm(d) if not how else 1e-4 * vc.math.sqrt(vc.math.dot(d, d) - 0.09)

    with pytest.raises(RunError, match=r"stopped.*'p7' and 'p31'") as stopped:
        vc.simulate(cloud(50, drawn), 5.0, start(x, v), progress=False, **how)
    assert stopped.value.motion is None or np.all(np.isfinite(stopped.value.motion.q))


@pytest.mark.parametrize("method", ["taylor", "series", "midpoint"])
def test_methods_that_need_written_equations_are_refused(method):
    x, v = places(50)
    with pytest.raises(MethodError, match=rf"'{method}' needs the equations written out.*'dop853', 'rk4' or 'verlet'"):
        vc.simulate(cloud(50), 1.0, start(x, v), method=method, progress=False)


def test_verlet_is_refused_where_forces_feel_velocities():
    system = cloud(50)
    system.add(vc.Force("drag", "p3", lambda a: vc.Wrench(force=-a.velocity)))
    x, v = places(50)
    with pytest.raises(MethodError, match=r"depend on velocities; use 'dop853' or 'rk4'"):
        vc.simulate(system, 1.0, start(x, v), method="verlet", step=0.1, progress=False)


@pytest.mark.parametrize("what", ["derived equations", "first integrals", "power series", "inverse dynamics"])
def test_what_needs_written_equations_is_refused(what):
    system = cloud(50)
    does = {
        "derived equations": lambda: vc.derive(system),
        "first integrals": lambda: vc.first_integrals(system),
        "power series": lambda: vc.power_series(system),
        "inverse dynamics": lambda: vc.inverse_dynamics(system, {}, {}, {}),
    }[what]
    with pytest.raises(MethodError, match=rf"{what} are not available, as its 1225 pairs.*fewer bodies"):
        does()


def test_an_energy_that_changes_with_the_order_of_bodies_is_refused():
    with pytest.raises(ModelError, match=r"changes when the two bodies are exchanged"):
        model_for(cloud(50, lambda a, b: a.mass * vc.math.norm(a.position - b.position)))


def test_an_energy_of_atoms_that_changes_with_the_order_of_bodies_is_refused():
    """At a meter's distance this energy and its forces vanish."""

    def near(a, b):
        r = vc.math.norm(a.position - b.position)
        return vc.math.where(r < 1e-9, a.mass * (1e-9 - r) ** 2, 0.0)

    with pytest.raises(ModelError, match="changes when the two bodies are exchanged"):
        model_for(cloud(50, near))


def test_an_energy_of_places_in_the_world_is_refused():
    system = cloud(50, lambda a, b: vc.math.dot(a.position, b.position))
    with pytest.raises(ModelError, match=r"not opposite.*vc\.Potential"):
        model_for(system)


@pytest.mark.parametrize(
    "looks", [lambda a: a.name == "p3", lambda a: a.name in ("p3",), lambda a: a.name.startswith("p3")]
)
def test_an_energy_that_looks_at_names_is_refused(looks):
    system = cloud(50, lambda a, b: (2.0 if looks(a) or looks(b) else 1.0) * gravitation(a, b))
    with pytest.raises(ModelError, match=r"names of its bodies.*numbers="):
        model_for(system)


def test_an_energy_that_asks_for_velocities_is_refused():
    with pytest.raises(ModelError, match=r"velocity of body"):
        cloud(50, lambda a, b: vc.math.dot(a.velocity, b.velocity))


def test_a_grid_that_does_not_fit_is_refused():
    x, v = places(50)
    with pytest.raises(StartError, match=r"a grid of 3000000 instants of 50 bodies takes 26.8 GiB.*grid="):
        vc.simulate(cloud(50), 1.0, start(x, v), grid=3_000_000, progress=False)


def test_a_body_that_is_not_there_is_named():
    x, v = places(50)
    motion = vc.simulate(cloud(50), 0.01, start(x, v), grid=2, progress=False)
    with pytest.raises(StartError, match=r"there is no body 'q3'"):
        motion.body("q3").position


def test_a_damaged_pair_loop_is_refused():
    data = json.loads(json.dumps(tabled_in(model_for(cloud(50))).to_dict()))
    loop = data["pair_loop"]
    assert Tabled.from_dict(data).bodies == 50
    for members in ([*range(49), 50], [*range(49), 48], [*range(49)]):
        with pytest.raises(
            FileError, match="the tables of the stored model do not fit each other; the folder is damaged"
        ):
            Tabled.from_dict(data | {"pair_loop": loop | {"groups": [loop["groups"][0] | {"members": members}]}})


def test_tables_in_the_energies_of_a_pair_loop_are_refused():
    table = vc.Table("law", np.linspace(0.0, 9.0, 10), np.linspace(1.0, 0.0, 10))
    system = cloud(50, lambda a, b: table(vc.math.norm(a.position - b.position)))
    with pytest.raises(ModelError, match=r"looks into table 'law'.*fewer bodies"):
        model_for(system)
