"""Laws of deformations are tried once for all bodies that share them, and again where anything differs."""

import pytest

import vinculum as vc
from vinculum.bodies.affine import law_checks


@pytest.fixture
def tried(monkeypatch):
    """The names of laws that are traced, in order."""
    names, whole = [], law_checks._law_value
    monkeypatch.setattr(law_checks, "_law_value", lambda where, *rest: (names.append(where), whole(where, *rest))[1])
    law_checks._energy_of.cache_clear()
    law_checks._dissipation_of.cache_clear()
    return names


def body(energy, dissipation=None, **options):
    return vc.AffineBody(
        "body", 1.0, (1, 1) if options else (1, 1, 1), energy=energy, dissipation=dissipation, **options
    )


def test_equal_laws_of_many_bodies_are_tried_once(tried):
    for _ in range(10):
        body(vc.energies.NeoHookean(1.0, shear=3.0), vc.energies.NewtonianViscosity(1.0, shear=2.0))
    assert len(tried) == 2


def test_other_numbers_shapes_classes_and_functions_are_tried_again(tried):
    stiff = vc.parameter("stiffness", 2.0)
    trace = lambda F: vc.math.dot(F.ravel(), F.ravel())
    for energy, options in (
        (vc.energies.NeoHookean(1.0, shear=3.0), {}),
        (vc.energies.NeoHookean(1.0, shear=3.1), {}),
        (vc.energies.NeoHookean(1.0, shear=3.0), {"dimension": 2}),
        (vc.energies.SaintVenantKirchhoff(1.0, shear=3.0), {}),
        (vc.energies.NeoHookean(1.0, shear=stiff), {}),
        (trace, {}),
        (lambda F: vc.math.dot(F.ravel(), F.ravel()), {}),
    ):
        before = len(tried)
        for _ in range(2):
            body(energy, **options)
        assert len(tried) == before + 1


class Changing:
    """An energy that is not a function of φ once it is told so."""

    constant = False

    def __call__(self, F):
        return 1.0 if self.constant else vc.math.dot(F.ravel(), F.ravel())


def test_what_fails_or_may_change_is_tried_every_time(tried):
    for _ in range(3):
        with pytest.raises(vc.errors.ModelError, match="'body': energy is always 1"):
            body(lambda F: 1.0)
    law = Changing()
    body(law)
    law.constant = True
    with pytest.raises(vc.errors.ModelError, match="'body': energy is always 1"):
        body(law)


def test_the_checks_of_at_most_so_many_laws_are_remembered(tried):
    for i in range(law_checks.LAWS_KEPT + 5):
        body(vc.energies.NeoHookean(1.0, shear=1.0 + i))
    assert law_checks._energy_of.cache_info().currsize == law_checks.LAWS_KEPT
