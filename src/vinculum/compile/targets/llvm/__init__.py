"""Tape → LLVM assembly → machine code, eight runs at a time. Begin with `compiled`."""
