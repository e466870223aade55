"""Writes the list of slow tests, from the times of a run: ``make slow-tests``, on a quiet machine with warm caches.

Of a test with several cases one stays in every run, of a file one test, and whatever `ALWAYS` names.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree

LIST = Path(__file__).with_name("slow_tests.txt")
LIMIT, MOST = 1.5, 4.0
"""Seconds above which a test is slow, and above which not even one of its cases stays."""
ALWAYS = re.compile(
    r"tests/architecture|test_benchmarks\.py|test_campaign\.py|test_much_memory\.py|what_happens\[(README|start|tour|tour/\w+)\.md"
)


def main(report: Path) -> None:
    """Write the list from pytest's report, in the older of its two formats, which names files."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in ElementTree.parse(report).iter("testcase"):
        path = case.attrib["file"]
        classes = case.attrib["classname"].split(".")[len(Path(path).parts) :]
        seconds["::".join([path, *classes, case.attrib["name"]])] += float(case.attrib["time"])
    slow = slow_ones(seconds)
    LIST.write_text("".join(f"{name}\n" for name in sorted(slow)))
    left = sum(seconds.values()) - sum(seconds[name] for name in slow)
    print(f"{len(slow)} of {len(seconds)} tests are slow; the others take {left:.0f} of {sum(seconds.values()):.0f} s")


def slow_ones(seconds: Mapping[str, float]) -> set[str]:
    """The names of the slow ones among tests that take so many seconds."""
    found = {name for name, time in seconds.items() if time > LIMIT and not ALWAYS.search(name)}
    for cases in _groups(seconds, lambda name: name.partition("[")[0]):
        least = min(cases, key=lambda name: seconds[name])
        if len(cases) > 1 and found.issuperset(cases) and seconds[least] < MOST:
            found.remove(least)
    for tests in _groups(seconds, lambda name: name.partition("::")[0]):
        if found.issuperset(tests):
            found.remove(min(tests, key=lambda name: seconds[name]))
    return found


def _groups(names: Iterable[str], key) -> Iterable[list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[key(name)].append(name)
    return groups.values()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
