"""The version is the same wherever it is written, and the changelog has a section for it."""

import re
import tomllib
from pathlib import Path

import vinculum as vc

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert cited is not None
    assert vc.__version__ == project == cited[1]


def test_the_changelog_has_a_section_for_the_version():
    sections = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert vc.__version__ in sections
