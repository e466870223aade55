"""Parts of a model that is read from a stored run. Begin with `checked_layout`."""
