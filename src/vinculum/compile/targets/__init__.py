"""Targets: each turns a tape into something that computes. `arrays` needs no compilation and is the reference."""
