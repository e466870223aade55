"""The labelled data set says what the motion says, with names and units."""

import json

import numpy as np
import pytest

import vinculum as vc


@pytest.fixture(scope="module")
def motion():
    m = vc.parameter("m", 1.5)
    system = vc.System("crane", gravity=(0, 0, -9.81))
    cart = system.add(vc.RigidBody("cart", mass=2.0, inertia=np.eye(3)))
    load = system.add(vc.RigidBody("load", mass=m, com=(0, 0, -1), inertia=np.diag([0.1, 0.1, 0.1])))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0)))
    system.add(vc.Spherical("rope", cart, load))
    return vc.simulate(system, until=1.0, start={"rail": vc.At(0.0, rate=1.0)}, grid=21, parameters={"m": 1.7})


def test_values_are_those_of_the_motion(motion):
    data = motion.to_xarray()
    np.testing.assert_array_equal(data["time"], motion.time)
    np.testing.assert_array_equal(data["q"], motion.q)
    np.testing.assert_array_equal(data["v"], motion.v)
    np.testing.assert_array_equal(data["left_v"], motion.at(motion.time, side="left").v)
    np.testing.assert_array_equal(data["energy"], motion.energy)
    for body in ("cart", "load"):
        np.testing.assert_array_equal(data["position"].sel(body=body), motion.body(body).position)


def test_things_are_found_by_name(motion):
    data = motion.to_xarray()
    np.testing.assert_array_equal(data["q"].sel(coordinate="rail"), motion["rail"])
    np.testing.assert_array_equal(data["v"].sel(velocity="rope.wy"), motion.v[:, 2])
    np.testing.assert_array_equal(data["position"].sel(body="load", axis="x"), motion.body("load").position[:, 0])
    assert data["q"].sel(time=0.5, method="nearest").dims == ("coordinate",)


def test_everything_has_a_unit(motion):
    data = motion.to_xarray()
    assert all("units" in data[name].attrs for name in (*data.data_vars, "time"))
    assert data["q_unit"].values.tolist() == ["m", "1", "1", "1", "1"]
    assert str(data["v_unit"].sel(velocity="rope.wx").values) == "rad/s"
    assert data["q"].attrs["units"] == "see q_unit" and data["energy"].attrs["units"] == "J"


def test_the_attributes_say_where_it_comes_from(motion):
    said = motion.to_xarray().attrs
    assert (
        said["system"] == "crane"
        and said["method"] == str(motion.record.method)
        and said["steps"] == len(motion.record.pieces)
    )
    assert json.loads(said["parameters"]) == {"m": 1.7} and said["vinculum_version"] == vc.__version__


def test_one_unit_is_said_where_all_agree():
    system = vc.System("hinge")
    system.add(vc.Revolute("hinge", "ground", system.add(vc.RigidBody("door", mass=1.0, inertia=np.eye(3)))))
    data = vc.simulate(system, until=1.0, start={"hinge": vc.At(0.0, rate=1.0)}).to_xarray()
    assert data["q"].attrs["units"] == "rad" and data["v"].attrs["units"] == "rad/s"


def test_a_system_without_freedoms_has_empty_axes():
    system = vc.System("statue")
    system.add(vc.Weld("foot", "ground", system.add(vc.MassPoint("head", mass=1.0))))
    data = vc.simulate(system, until=1.0, grid=3).to_xarray()
    assert dict(data.sizes) == {"time": 3, "coordinate": 0, "velocity": 0, "body": 1, "axis": 3}


def test_the_data_set_can_be_stored_by_xarray(motion, tmp_path):
    import xarray

    data = motion.to_xarray()
    data.to_zarr(tmp_path / "data.zarr", consolidated=False)
    xarray.testing.assert_identical(xarray.open_zarr(tmp_path / "data.zarr", consolidated=False).load(), data)


def test_a_loaded_motion_gives_the_same_data_set(motion, tmp_path):
    import xarray

    motion.save(tmp_path / "run.zarr")
    xarray.testing.assert_identical(vc.load(tmp_path / "run.zarr").to_xarray(), motion.to_xarray())
