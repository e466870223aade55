"""What a user finds by tab: few names on every public class, fields and inherited ones included."""

import importlib
from dataclasses import fields, is_dataclass

import pytest

import vinculum as vc
from vinculum.audits.certificate import Certificate
from vinculum.audits.exchanges.result import Balance
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.joints.joint import compliance_of
from vinculum.bonds.joints.kind import JointKind
from vinculum.derivations.equations import Equations
from vinculum.derivations.integrability.report import Integrability
from vinculum.derivations.linearization.linearization import Linearization
from vinculum.geometry.boundary_values.curve import StationaryCurve
from vinculum.motion.views.body import BodyMotion
from vinculum.motion.views.bond import BondMotion
from vinculum.motion.views.joint import JointMotion
from vinculum.namespaces import HOMES, names

MOST = 15
PUBLIC = {
    name: thing
    for namespace in HOMES
    if namespace != "vinculum.errors"
    for name in names(namespace)
    if isinstance(thing := getattr(importlib.import_module(namespace), name), type)
} | {one.__name__: one for one in (Equations, JointKind, Balance, BodyMotion, BodyView, BondMotion, Certificate, Integrability,
                                   JointMotion, Linearization, StationaryCurve)}  # fmt: skip


def shown(cls: type) -> set[str]:
    """Public names of an instance: attributes of its classes and fields without a default."""
    own = {one.name for one in fields(cls)} if is_dataclass(cls) else set()
    return {name for name in {*dir(cls), *own} if not name.startswith("_")}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_class_shows_few_names(name):
    found = shown(PUBLIC[name])
    assert len(found) <= MOST, f"{len(found)}: {sorted(found)}"


@pytest.mark.parametrize(
    "kind", ["Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Free"]
)
def test_a_joint_is_a_description_with_a_kind_and_a_compliance(kind):
    joint = getattr(vc, kind)("j", "a", "b", **({"pitch": 0.1} if kind == "Helical" else {}))
    assert len([name for name in dir(joint) if not name.startswith("_")]) <= MOST
    assert isinstance(joint.kind, JointKind) and compliance_of(joint).coordinates is joint.kind.coordinates
