"""Time stepping of many blocks of any kinds in contact. Begin with `steps`; one step is in `work`."""
