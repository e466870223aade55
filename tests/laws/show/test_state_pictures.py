"""Pictures of quantum states on curves, surfaces, over coordinates and in tubes."""

import numpy as np
import pytest

import vinculum as vc

sin, cos = vc.math.sin, vc.math.cos
AROUND = (0.0, 2.0 * np.pi, "periodic")
CIRCLE = vc.geometry.Embedding("circle", ["s"], lambda s: (cos(s), sin(s)))
SPHERE = vc.geometry.Embedding(
    "sphere", ["theta", "phi"], lambda theta, phi: (sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta))
)
FLAT = vc.geometry.Metric("flat torus", ["x", "y"], lambda: np.eye(2))


@pytest.mark.parametrize("operator", [
    vc.geometry.Quantization(CIRCLE, {"s": AROUND}),
    vc.geometry.Quantization(vc.geometry.Metric("line", ["x"], lambda: [[1.0]]), {"x": (0.0, 1.0, "walls")}),
    vc.geometry.Quantization(SPHERE, {"theta": (0.0, np.pi, "poles"), "phi": AROUND}),
    vc.geometry.Quantization(FLAT, {"x": AROUND, "y": (0.0, 1.0, "walls")}),
    vc.geometry.confine(vc.geometry.Quantization(CIRCLE, {"s": AROUND}), 2e3),
], ids=lambda operator: operator.chart.name)  # fmt: skip
def test_a_state_is_drawn_with_its_level(operator, tmp_path):
    states = operator.states(3, tolerance=1e-5)
    figure = states.picture(2)
    assert f"E = {states.levels[2]:.6g}" in figure.get_suptitle()
    figure.savefig(tmp_path / "state.png")
    assert (tmp_path / "state.png").stat().st_size > 5000
