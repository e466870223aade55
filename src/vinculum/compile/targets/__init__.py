"""Targets: each turns a tape into something executable. `arrays` needs no compilation and is the reference."""
