"""Contacts of pairs in closed form: boxes, capsules, cylinders."""
