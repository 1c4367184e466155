# SPDX-License-Identifier: EPL-2.0
"""Of which commits the figures of README.md and docs/evidence are. `run.py --ages` lists the tables with rows of other commits than that
of most tables of the last day, and what measures them again; docs/evidence/index.md has the same for readers. `shown` is what
pages.shown() returns: table -> the pages with it, the files and the runs behind it."""
import collections
import re

from data import filled, markdown
from parts import PARTS, PLACES

HASH = re.compile(r"(?<!before )\b[0-9a-f]{7,40}\b")


def commit(run):
    """Its first seven digits, as some runs have only those; for runs without a recorded commit a word."""
    digits = HASH.search(run["commit"])
    return digits.group()[:7] if digits else "unrecorded"


def newest(shown):
    """Of the commits measured on the last day the one behind most tables."""
    runs = [run for _, _, of in shown.values() for run in of]
    day = max(run["date"][:10] for run in runs)
    return collections.Counter(commit(run) for run in runs if run["date"].startswith(day)).most_common(1)[0][0]


def exceptions(shown, wanted):
    """Table -> its other commits, with dates."""
    return {name: sorted({(run["date"][:10], commit(run)) for run in runs if commit(run) != wanted}) for name, (_, _, runs) in shown.items()}


def again(files):
    """The parts of run.py that measure the rows of these files again, with their places."""
    places = {part: place for place, of in PLACES.items() for part in of}
    return ", ".join(f"{part} ({places.get(part, 'by name')})" for part, (_, _, file) in PARTS.items() if file in files) or "no part"


def listing(shown, wanted=None):
    wanted = (wanted or newest(shown))[:7]
    others = exceptions(shown, wanted)
    lines = [f"{name:20} {', '.join(shown[name][0]):13} {', '.join(f'{day[5:]} {digits}' for day, digits in dates):48} {again(shown[name][1])}"
             for name, dates in sorted(others.items(), key=lambda item: item[1]) if dates]
    return "\n".join([*lines, f"{len(others) - len(lines)} of {len(others)} tables are of {wanted} alone"])


def table(shown):
    wanted, by_page = newest(shown), {}
    others = exceptions(shown, wanted)
    for name, (pages, _, _) in shown.items():
        for page in pages:
            by_page.setdefault(page, []).append(name)
    body = [[f"[{page.removesuffix('/index')}]({page}.md)", f"{sum(not others[name] for name in names)} of {len(names)}",
             ", ".join(f"{name} {others[name][0][1] if len(others[name]) == 1 else f'({len(others[name])} commits)'}" for name in names if others[name])]
            for page, names in sorted(by_page.items())]
    count = sum(not of for of in others.values())
    return filled(f"Of {len(others)} tables {count} are of commit {wanted} alone.") + "\n\n" + markdown(
        ["page", f"tables of {wanted}", "tables with rows of other commits"], body)
