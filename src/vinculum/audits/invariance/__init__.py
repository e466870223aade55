"""Whether bonds act between bodies, or against a hidden environment."""
