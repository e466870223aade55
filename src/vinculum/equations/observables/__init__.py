"""Observables of a motion: accelerations, loads of joints and bonds, powers and energies. Begin with `loads`."""
