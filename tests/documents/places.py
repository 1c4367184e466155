#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Looks whether CONTRIBUTING.md's table "How to add" speaks of this tree.

Every file and folder that its second column names has to be there, and no row may name more than
four that are there already (NAME stands for what is new). Exit status 1 and a sentence for each that
differs. The same for the rules of pricing: each record of osi_cuda/model/pricing.hpp has to have a line
in the table "Pricing" of docs/explanation/simplex.md.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 4


def rows(text):
    """What is added, and the files to touch for it."""
    table = text.split("## How to add", 1)[1].split("\n## ", 1)[0]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[0] not in ("what", "---"):
            yield cells[0], [path for path in re.findall(r"`([^`\s]+)`", cells[1]) if "/" in path
                             or path.endswith(".md")]


def faults(text, exists):
    found = list(rows(text))
    for wanted in ("pricing", "engine", "reader", "option"):
        if not any(wanted in what for what, _ in found):
            yield f"the table has no row for: {wanted}"
    for what, paths in found:
        old = [path for path in paths if "NAME" not in path]
        for path in old:
            if not exists(path):
                yield f"{what}: there is no {path}"
        if len(old) > MOST:
            yield f"{what}: {len(old)} files to touch, more than {MOST}"


def rules_without_line(records, page):
    """Names of rules that the table does not list, a sentence each."""
    table = page.split("## Pricing", 1)[1].split("\n## ", 1)[0]
    listed = set(re.findall(r"^\| (\w+)", table, re.MULTILINE)) - {"rule"}
    names = set(re.findall(r'\.name = "(\w+)"', records)) - {"auto"}
    for name in sorted(names - listed):
        yield f"the table of pricing has no line for {name}"
    for name in sorted(listed - names):
        yield f"the table of pricing has a line for {name}, which is no rule"


def main():
    def exists(path):
        return (ROOT / path).exists()

    # The check sees what is wrong.
    false_table = "## How to add\n| a reader | `no/such.cpp`, `" + "`, `".join(["README.md"] * 4) + "` | |"
    assert len(list(faults(false_table, exists))) == 5
    assert len(list(rules_without_line('.name = "a" .name = "b"', "## Pricing\n| b | |\n| c |"))) == 2
    count = 0
    records = (ROOT / "osi_cuda/model/pricing.hpp").read_text(encoding="utf-8")
    for sentence in rules_without_line(records, (ROOT / "docs/explanation/simplex.md").read_text(encoding="utf-8")):
        print(f"docs/explanation/simplex.md: {sentence}")
        count += 1
    for sentence in faults((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), exists):
        print(f"CONTRIBUTING.md: {sentence}")
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
