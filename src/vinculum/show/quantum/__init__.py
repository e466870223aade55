"""Pictures of quantum states on curves and surfaces."""
