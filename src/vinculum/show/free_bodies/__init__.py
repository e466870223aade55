"""Drawings of free bodies in contact: pictures in space, velocities, contacts and residuals."""
