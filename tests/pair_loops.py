"""Clouds of mass points for tests: any pair energy between any number of points, at random places."""

import numpy as np

import vinculum as vc
from vinculum.models.model import Model
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.pair_loop import trace
from vinculum.models.tabled.pair_loop.pair_loop import PairLoop
from vinculum.models.tabled.type import TabledType, tabled_in


def looped(monkeypatch, fewest: int = 0) -> None:
    """Let all systems run over tables, and pair actions between points with more than ``fewest`` pairs as loops there."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    monkeypatch.setattr(trace, "FEWEST_LOOPED_PAIRS", fewest)


def written_out(monkeypatch) -> None:
    """Let every system be written out."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 10**9)
    monkeypatch.setattr(trace, "FEWEST_LOOPED_PAIRS", 10**9)


def has_pair_loop(model: Model) -> bool:
    """Whether a model runs over tables, with a pair loop."""
    return isinstance(model.type, TabledType) and tabled_in(model).pair_loop is not None


def pair_loop_of(model: Model) -> PairLoop:
    """The pair loop of a model."""
    loop = tabled_in(model).pair_loop
    assert loop is not None
    return loop


def gravitation(a, b):
    """Newton's, softened a little."""
    d = a.position - b.position
    return -a.mass * b.mass / vc.math.sqrt(vc.math.dot(d, d) + 0.01)


def points(system: vc.System, count: int, mass: float = 1.0) -> list:
    """Mass points p0, p1, … of different masses."""
    return [system.add(vc.MassPoint(f"p{i}", mass * (1.0 + i / count))) for i in range(count)]


def cloud(count: int, energy=gravitation, name: str = "cloud", gravity=(0.0, 0.0, 0.0), **more) -> vc.System:
    """Points with one pair energy."""
    system = vc.System(name, gravity=gravity)
    system.add(vc.potentials.PairPotential("pairs", points(system, count, 1.0 / count), energy, **more))
    return system


def places(count: int, seed: int = 1, spread: float = 0.7, speed: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities, (count, 3) each."""
    rng = np.random.default_rng(seed)
    return spread * rng.normal(size=(count, 3)), speed * rng.normal(size=(count, 3))


def start(x: np.ndarray, v: np.ndarray) -> dict:
    """A start for the points p0, p1, …"""
    return {f"p{i}": vc.At(x[i], rate=v[i]) for i in range(len(x))}
