"""Every public callable, with every kind of wrong value in place of every argument: a result or an error of the house, never a raw one."""

import warnings

import pytest

import vinculum as vc
from wrong_calls import LONG, WRONG, Call, calls, fault

KINDS = list(WRONG)
FEW = 7
"""Kinds of wrong values for each argument in every run; all of them are in `make test-all` and in `make fuzz`."""
ONLY_RETURNED = {"EffortMeasure", "KineticMeasure", "Motion", "LagrangianMotion", "Bump", "VectorBump"}
"""Classes that users get and do not make by their names; their methods and other constructors are called."""


@pytest.fixture(scope="module")
def every() -> list[Call]:
    return list(calls())


@pytest.fixture
def elsewhere(tmp_path, monkeypatch, request):
    """A folder of its own, in which wrong paths may be written."""
    root = request.config.rootpath
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)


def wrong(every, count: int):
    """Faults of calls with ``count`` kinds of wrong values for each argument, another choice for each."""
    found, number = [], 0
    for call in every:
        for argument in call.given:
            for k in range(count):
                kind = KINDS[(number * count + k) % len(KINDS)]
                if (argument, kind) not in LONG:
                    told = fault(call, argument, kind)
                    found += [f"{call.name}, {argument} = {kind}: {told}"] * (told is not None)
            number += 1
    return found


def test_wrong_values_are_refused_in_words_of_the_house(every, elsewhere):
    assert wrong(every, FEW) == []


@pytest.mark.slow
def test_all_wrong_values_are_refused_in_words_of_the_house(every, elsewhere):
    assert wrong(every, len(KINDS)) == []


def test_right_calls_are_no_raw_errors(every, elsewhere):
    for call in every:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                call.run()
            except vc.errors.VinculumError:
                continue


def test_every_public_callable_is_in_the_table(every):
    called = {call.name.partition(".")[0].partition(",")[0] for call in every}
    spaces = [vc, vc.constraints, vc.energies, vc.geometry, vc.hamiltonian, vc.measures, vc.potentials, vc.shapes]
    public = {name for space in spaces for name in space.__all__ if callable(getattr(space, name))}
    assert public - called == ONLY_RETURNED - called and public - ONLY_RETURNED <= called


@pytest.mark.parametrize(("use", "words"), [
    (lambda: vc.MassPoint("a"), r"vc\.MassPoint: missing a required argument: 'mass'; it takes name, mass"),
    (lambda: vc.MassPoint("a", mas=1.0), r"vc\.MassPoint: it has no argument 'mas'; did you mean 'mass'\?"),
    (lambda: vc.MassPoint("a", 10**400), r"mass is 1000.*…, which|beyond the range of numbers"),
    (lambda: vc.read_model(3), r"vc\.read_model: path is 3; give a path"),
    (lambda: vc.System("s").with_contacts(3), r"vc\.System\.with_contacts: closed is 3; give a mapping"),
    (lambda: vc.audit_invariance(vc.System("s"), parameters=3), "parameters is 3"),
    (lambda: vc.measures.change_of_frame(3), r"velocity of shape \(\) must be"),
    (lambda: vc.math.clip("x", 0, 1), r"vc\.math\.\w+\('x', 0\).*give real numbers"),
    (lambda: vc.math.norm([[1.0, 2.0]]), "needs a vector"),
    (lambda: vc.shapes.Sphere(1e110), "beyond 1e-60 to 1e.60 m"),
])  # fmt: skip
def test_the_message_names_what_was_wrong_and_what_to_give(use, words):
    with pytest.raises(vc.errors.VinculumError, match=words):
        use()


def test_a_function_of_the_user_that_fails_is_named():
    def sloped(xi):
        raise KeyError("height")

    measure = vc.measures.KineticMeasure.streams([[0.0, 0.0]], [[1.0]], [1.0])
    with pytest.raises(
        vc.errors.VinculumError,
        match=r"vc\.measures\.KineticMeasure\.pair: the function 'sloped' .* failed: KeyError: 'height'",
    ):
        measure.pair(sloped)


def test_a_fault_of_the_house_stays_what_it_is(monkeypatch):
    """A door explains what was given; it hides no error that comes from elsewhere."""
    monkeypatch.setattr("vinculum.systems.system.build_tree", dict.fromkeys)
    with pytest.raises(TypeError, match="at most 2 arguments") as caught:
        vc.simulate(vc.System("s"), 1.0)
    assert not isinstance(caught.value, vc.errors.VinculumError)


@pytest.mark.parametrize("value", ["x" * 5000, list(range(5000)), {k: k for k in range(3000)}])
def test_a_message_echoes_little_of_a_long_value_and_keeps_its_remedy(value):
    for use in (lambda: vc.System("s").add(value), lambda: vc.load(value), lambda: vc.Event("e", ["j"], value)):
        with pytest.raises(vc.errors.VinculumError) as caught:
            use()
        assert len(str(caught.value)) < 1200
    with pytest.raises(vc.errors.ModelError, match=r"is neither a body nor a bond$"):
        vc.System("s").add(value)


def test_public_functions_can_be_sent_to_other_processes():
    import pickle

    assert pickle.loads(pickle.dumps(vc.simulate)) is vc.simulate
    assert pickle.loads(pickle.dumps(vc.MassPoint("a", 1.0))).mass == 1.0
