"""Time steps of mass points that interact in pairs."""
