"""Dormand–Prince 8(5,3) with dense output, eight runs at a time."""
