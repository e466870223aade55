"""Drawings of blocks in contact: pictures in space, coordinates, contacts and residuals."""
