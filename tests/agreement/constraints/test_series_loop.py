"""The compiled loop over heyoka's stepping function takes heyoka's own steps."""

import numpy as np
import pytest

from marks import needs_heyoka

pytestmark = needs_heyoka


def kepler(extra=""):
    import heyoka as hy

    x, y, u, v = hy.make_vars("x", "y", "u", "v")
    cube = (x * x + y * y) ** 1.5
    force = {"": 0.0, "turning": hy.sin(x) * hy.cos(y) + hy.exp(-x * x), "clock": hy.par[0] * hy.cos(hy.time)}[extra]
    return [(x, u), (y, v), (u, -x / cube + 0.1 * force), (v, -y / cube)]


def integrator(extra="", **options):
    import heyoka as hy

    ta = hy.taylor_adaptive(kepler(extra), [1.0, 0.0, 0.0, 1.2], high_accuracy=True, **options)
    if extra == "clock":
        ta.pars[0] = 0.7
    return ta


@pytest.mark.parametrize("extra", ["", "turning", "clock"])
def test_steps_and_series_are_bit_by_bit_those_of_the_integrator(extra):
    from vinculum.integrators.taylor.loop import series_loop

    theirs, ours = integrator(extra), integrator(extra)
    output = theirs.propagate_until(50.0, c_output=True)[4]
    loop = series_loop(ours)
    assert loop is not None
    parts, t = [], 0.0
    while t < 50.0:
        made = loop(t, 50.0, 37, np.inf)
        assert made.finite
        parts.append(made.series)
        t = float(made.times[-1])
    np.testing.assert_array_equal(np.concatenate(parts), output.tcs)
    np.testing.assert_array_equal(ours.state, theirs.state)


def test_no_step_is_longer_than_allowed():
    from vinculum.integrators.taylor.loop import series_loop

    loop = series_loop(integrator())
    assert loop is not None
    times = loop(0.0, 1.0, 1000, 0.01).times
    assert np.diff(times).max() <= 0.01 * (1 + 1e-12)
    assert times[-1] == 1.0


def test_a_state_that_overflows_ends_the_steps_before_it():
    import heyoka as hy

    from vinculum.integrators.taylor.loop import series_loop

    x = hy.make_vars("x")
    loop = series_loop(hy.taylor_adaptive([(x, x * x)], [1.0], high_accuracy=True))
    assert loop is not None
    finite, _, times, series = loop(0.0, 2.0, 100_000, np.inf)
    assert np.isfinite(series).all()
    assert times[-1] <= 1.0 + 1e-12
    assert not finite or len(series) == 100_000


def test_integrators_with_events_and_compact_ones_have_no_loop():
    import heyoka as hy

    from vinculum.integrators.taylor.loop import series_loop

    crossing = hy.nt_event(hy.make_vars("y"), callback=lambda *_: None)
    assert series_loop(integrator(nt_events=[crossing])) is None
    assert series_loop(integrator(compact_mode=True)) is None


def test_wants_of_an_object_are_read_from_its_table():
    from vinculum.integrators.taylor.loop import undefined_symbols

    assert "pow" in (undefined_symbols(integrator().llvm_state.object_code) or [])
    assert undefined_symbols(b"no object at all") is None
