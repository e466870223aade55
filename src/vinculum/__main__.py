"""``python -m vinculum``: the command line."""

from vinculum.cli import main

if __name__ == "__main__":
    main()
