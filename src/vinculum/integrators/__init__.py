"""Integrators: each takes the steps of a run. `sources` says which one does.

One folder a method; `watch` holds what is looked at along the steps of any of them. Imports `motion` and below.
"""
