#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Lays out the text of the pages: paragraphs and items of lists in lines of at most 100 characters. Tables, code, headings and what
lab/evidence/pages.py makes stay. A page is changed only where it is rendered as before, but for blanks.

usage: wrap.py [--check] [FILE...]    --check writes nothing and fails where a line is too long. Without files: all pages.
                                      Needs markdown-it-py (Debian: python3-markdown-it).
"""
import pathlib
import re
import subprocess
import sys
import textwrap

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 100
ITEM = re.compile(r"^(\s*)([-*]|\d+\.) +")
FENCE = re.compile(r"\s*(```|~~~|:::)")
STAYS = re.compile(r"\s*\||[#<!>(]|    |---|===|\[\^")
BEGINS = re.compile(r"(?:[-+*]|\d+[.)])(?: |$)|[>#|=]")  # what must not come to stand at the beginning of a line


def blocks(lines):
    """Pairs: whether it is text, lines."""
    k = 0
    while k < len(lines):
        line, end = lines[k], k + 1
        if line.startswith("<!-- table:") or FENCE.match(line):
            closing = "<!-- end -->" if line.startswith("<") else line.strip()[:3]
            while end < len(lines) and not lines[end].strip().startswith(closing):
                end += 1
            yield False, lines[k:end + 1]
            k = end + 1
            continue
        is_text = bool(line.strip()) and not STAYS.match(line)
        while is_text and end < len(lines) and lines[end].strip() and not ITEM.match(lines[end]) \
                and not lines[end].lstrip().startswith(("|", "```", "#", "<!--")):
            end += 1
        yield is_text, lines[k:end]
        k = end


def wrapped(block):
    first = ITEM.match(block[0])
    lead = first.group() if first else ""
    if max(map(len, block)) <= WIDTH or not first and block[0].startswith(" ") or any(line.endswith(("  ", "\\")) for line in block):
        return block
    text = " ".join(line.strip() for line in [block[0][len(lead):], *block[1:]])
    glued = re.sub(r"`[^`]*`", lambda code: code.group().replace(" ", "\0"), text)  # a piece of code stays in a line
    lines = textwrap.wrap(glued, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead), break_long_words=False, break_on_hyphens=False)
    return block if any(BEGINS.match(line.strip()) for line in lines[1:]) else [line.replace("\0", " ") for line in lines]


def laid_out(text):
    return "\n".join(line for is_text, block in blocks(text.split("\n")) for line in (wrapped(block) if is_text else block))


def rendered(text):
    return re.sub(r"\s+", " ", MarkdownIt("commonmark").enable("table").render(text))


def pages():
    told = subprocess.run(["git", "ls-files", "docs/*.md", "README.md", "CONTRIBUTING.md", "lab/README.md"], cwd=ROOT,
                          capture_output=True, text=True, check=True)
    return [ROOT / name for name in told.stdout.split() if "/suite/" not in name]


def main(words):
    check, files = "--check" in words, [pathlib.Path(word) for word in words if word != "--check"] or pages()
    changed = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        new = laid_out(text)
        if new != text and rendered(new) == rendered(text):
            changed += 1
            if check:
                print(f"{path}: lines of more than {WIDTH} characters")
            else:
                path.write_text(new, encoding="utf-8")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
