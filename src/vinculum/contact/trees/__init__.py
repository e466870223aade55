"""Contacts between the shapes of a tree of joints, step by step."""
