"""Implicit steps of variable order by SUNDIALS' IDAS."""
