"""What a notebook shows of systems, equations, motions, certificates and runs. Begin with `shown`."""
