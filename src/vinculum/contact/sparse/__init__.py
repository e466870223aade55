"""Many contacts: block Gauss–Seidel (`gauss_seidel`), and finishers for the last digits (`finish`). Begin with `arrays`."""
