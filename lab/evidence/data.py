# SPDX-License-Identifier: EPL-2.0
"""The files of lab/data as rows, and rows as Markdown. A row names its run; runs.csv has machine, date, commit and command of
each run, and whether the rows are what was measured (`rows`) or were copied from a log."""
import csv
import functools
import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "lab/data"


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.cache
def rows_of(name):
    """The rows of a file of lab/data, as dictionaries."""
    return read(DATA / name)


def run_of(row):
    """Machine, date, commit, command, raw and about of a row's run. Rows of the suite have their own."""
    if "run" in row:
        return runs()[row["run"]]
    day = row["date"][:10]
    return {"run": f"{row['machine']} {day} {row['commit']}", "machine": row["machine"], "date": day,
            "commit": row["commit"], "command": "python3 -m suite run --csv results.csv", "raw": "rows", "about": ""}


@functools.cache
def runs():
    return {row["run"]: row for row in rows_of("runs.csv")}


def number(text):
    """A cell as a number, or nothing."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def bold(cells, least):
    return [f"**{cell}**" if cell and number(cell) == least else cell for cell in cells]


def markdown(titles, body):
    """Columns of numbers to the right. The first column, and those with words, to the left."""
    right = [k > 0 and all(not cell or cell.strip("*> ")[:1].isdigit() or cell.strip("*> ")[:1] in "-+" for cell in column)
             for k, column in enumerate(zip(*body))]
    rule = ["---:" if flag else "---" for flag in right]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [[t.strip() for t in titles], rule, *body])


def tables(text):
    """The Markdown tables of a text, a dictionary for each row; a title that comes again gets one more blank behind it. Other lines,
    as of a library that says its name, may stand between rows."""
    found, titles = [], []
    lines = [line for line in text.splitlines() if line.startswith("|")]
    for line, following in zip(lines, [*lines[1:], ""]):
        cells = [cell.strip().replace("**", "") for cell in line.strip().strip("|").split("|")]
        if re.match(r"\| *:?-+:? *\|", following):
            titles = []
            for cell in cells:
                titles.append(cell + " " * [title.rstrip() for title in titles].count(cell))
            found.append([])
        elif not re.fullmatch(r":?-+:?", cells[0]) and len(cells) == len(titles):
            found[-1].append(dict(zip(titles, cells)))
    return found


def filled(text, indent=""):
    """A paragraph in lines of at most 100 characters; later lines begin with the indent."""
    return textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def each(option, values):
    """The option before each of the values."""
    return [word for value in values for word in (option, value)]


def rows_of_file(path, name):
    """Each row of a file, with the name that it has in lab/data."""
    for row in read(path):
        yield name, row
