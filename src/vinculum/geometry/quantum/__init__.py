"""Quantum mechanics on constraint manifolds: the operator −ħ²/2m Δ + V, its states, wave packets, and confinement by strong potentials.
Begin with `quantization`."""
