"""Installed engines, and the one that will run."""

import importlib.util
import os
from functools import cache

HIDE_HEYOKA = "VINCULUM_HIDE_HEYOKA"


@cache
def has_heyoka() -> bool:
    """Whether Taylor series by heyoka are available; the environment variable `VINCULUM_HIDE_HEYOKA=1`, looked at once, hides them."""
    return os.environ.get(HIDE_HEYOKA, "") in ("", "0") and importlib.util.find_spec("heyoka") is not None
