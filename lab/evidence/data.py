# SPDX-License-Identifier: EPL-2.0
"""The files of lab/data as rows, and rows as Markdown. A row names its run; runs.csv has machine, date, commit and command of
each run, and whether the rows are what was measured (`rows`) or were copied from a log."""
import csv
import functools
import pathlib

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
    return {"run": f"{row['machine']} {row['date']} {row['commit']}", "machine": row["machine"], "date": row["date"],
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
