#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Looks whether the tables and pictures of README.md and docs/evidence are what the files of lab/data say, whether each row of
these files names machine, date, commit and command, and whether sentences have other numbers than conditions.py. First it
puts faults of each kind into copies of pages and rows, which the check has to see.

Exit status 1 and a sentence for each difference.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab/evidence"))

import data  # noqa: E402
import pages  # noqa: E402


def changed(text):
    """The text with another last digit in the first table that has one."""
    place = next(block.start() + digits[-1].start() for block in pages.BLOCK.finditer(text)
                 if (digits := list(re.finditer(r"\d(?= \||\*\* \|)", block.group()))))
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1:]


def sees_faults():
    """Asserts that each kind of fault is seen."""
    held = pages.hand_written()
    for path, text in held.items():
        if pages.BLOCK.search(text) and pages.refreshed(path, text) == text:  # if not, main() says so
            other = changed(text)
            assert other != text and pages.refreshed(path, other) != other, f"{path}: a changed number is not seen"
    page = pages.EVIDENCE / "dense.md"
    before = pages.table("dense")
    readme = held[ROOT / "README.md"]
    row = next(row for row in pages.rows_behind("dense") if row["solver"] == "osi_cuda, auto" and row["rows"] == "5000")
    kept, row["seconds"] = row["seconds"], "0.0123"  # in memory alone
    assert pages.table("dense") != before, "a changed row is not seen"
    changed_too = [name for name in ("facts", "headline") if pages.table(name) != dict(pages.BLOCK.findall(readme)).get(name, "").strip()]
    assert changed_too == ["facts", "headline"], f"a changed row is not seen in README: {changed_too}"
    row["seconds"] = kept
    for path, text in held.items():  # a sentence more, and each number of the page's sentences changed
        for more in ("It takes 987.6 s.", "It is 4711 times as fast.", "It has 37 of them.", "It is seventeen and thrice that."):
            assert len(list(pages.faults_of_pages({path: f"{text}\n{more}\n"}))) > len(list(pages.faults_of_pages({path: text}))), f"{path}: {more}"
        said = pages.conditions.sentences(text, pages.BLOCK)
        name = path.name if pages.EVIDENCE in path.parents else str(path.relative_to(ROOT))
        names = {k for match in pages.conditions.NAMES.finditer(said) for k in range(*match.span())}
        for match in pages.conditions.NUMBER.finditer(said):
            if match.start() not in names and match.group()[-1].isdigit():
                other = said[:match.end() - 1] + str((int(match.group()[-1]) + 1) % 10) + said[match.end():]
                assert list(pages.conditions.others(name, other)), f"{path}: {match.group()} is changed, and nothing is said"
    guide = ROOT / "docs/guide/start.md"
    for claim in ("It is three times faster.", "It solves 12,000 problems a second."):
        assert list(pages.faults_of_guides({guide: claim})), claim
    assert any("outside" in said for said in pages.faults_of_pages({page: held[page] + "\n| a | b |\n| --- | --- |\n"}))
    assert any("on no page" in said for said in pages.faults_of_pages({page: held[page]}))
    for name, lost in (("commit", ""), ("machine", ""), ("date", "soon"), ("raw", "somewhere")):
        run = next(iter(data.runs().values()))
        kept, run[name] = run[name], lost
        assert list(pages.faults_of_runs()), f"a run without {name} is not seen"
        run[name] = kept
    row = next(row for row in data.rows_of("resolves-host.csv") if row["problem"] == "harp2")
    kept, row["ratio"] = row["ratio"], "1.20"
    assert any("harp2" in said for said in pages.faults_of_pages(held)), "a sentence that does not hold any more is not seen"
    row["ratio"] = "none"
    assert any("decided" in said for said in pages.faults_of_pages(held)), "a sentence that can't be checked is not seen"
    row["ratio"] = kept
    run = data.run_of(data.rows_of("search-nodes.csv")[0])
    kept, run["commit"], before = run["commit"], "0123456", pages.table("ages")
    assert pages.table("ages") != before and "0123456" in pages.ages.listing(pages.shown()), "another commit of a table is not seen"
    run["commit"] = kept
    row = data.rows_of("sparse.csv")[0]
    kept, row["run"] = row["run"], "none"
    assert list(pages.faults_of_runs()), "a row without a run is not seen"
    row["run"] = kept


def main():
    sees_faults()
    found = list(pages.faults())
    quoted = sum(run["raw"] != "rows" for run in data.runs().values())
    print("\n".join(found) or f"{len(data.runs())} runs, of which {quoted} are quoted from logs: pages and data agree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
