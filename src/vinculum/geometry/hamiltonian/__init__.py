"""Hamiltonian form: Hamiltonians of systems and given ones, brackets, symplectic methods, chaos, periodic orbits, first integrals.

Begin with `system`, then `phase_space`. Its public names are in `vc.hamiltonian`.
"""
