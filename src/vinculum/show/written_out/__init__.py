"""Drawings of trees of bodies, and of mass points that interact in pairs."""
