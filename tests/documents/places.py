#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Looks whether CONTRIBUTING.md's table "How to add" speaks of this tree.

Every file and folder that its second column names has to be there, and no row may name more than
four that are there already (NAME stands for what is new). Exit status 1 and a sentence for each that
differs. The same for the rules of pricing: each record of osi_cuda/model/pricing.hpp has to have a line
in the table "Pricing" of docs/explanation/simplex.md. And each class and struct that a page of reference
takes from the headers has to be defined in a header that docs/site/Doxyfile reads.
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


def undefined_types(page, headers):
    """Types that the page takes from the headers and that none of them defines, a sentence each."""
    defined = set(re.findall(r"^ *(?:class|struct) (?:[A-Z_]+ )?(\w+)(?=[^;]*$)", headers, re.MULTILINE))
    for name in re.findall(r"doxygen(?:class|struct):: (?:\w+::)*(\w+)", page):
        if name not in defined:
            yield f"no header that docs/site/Doxyfile reads defines {name}"


def read_headers():
    """The text of the headers that Doxygen reads."""
    listed = (ROOT / "docs/site/Doxyfile").read_text(encoding="utf-8").replace("\\\n", " ")
    for path in map(ROOT.joinpath, re.search(r"^INPUT = (.*)", listed, re.MULTILINE)[1].split()):
        for header in [path] if path.is_file() else sorted(path.glob("*.h*")):
            yield header.read_text(encoding="utf-8")


def main():
    def exists(path):
        return (ROOT / path).exists()

    # The check sees what is wrong.
    false_table = "## How to add\n| a reader | `no/such.cpp`, `" + "`, `".join(["README.md"] * 4) + "` | |"
    assert len(list(faults(false_table, exists))) == 5
    assert len(list(rules_without_line('.name = "a" .name = "b"', "## Pricing\n| b | |\n| c |"))) == 2
    assert len(list(undefined_types("doxygenstruct:: a::B\ndoxygenclass:: a::C", "struct B;\nclass C {"))) == 1
    count = 0
    headers = "\n".join(read_headers())
    for page in sorted((ROOT / "docs/reference").glob("*.md")):
        for sentence in undefined_types(page.read_text(encoding="utf-8"), headers):
            print(f"{page.relative_to(ROOT)}: {sentence}")
            count += 1
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
