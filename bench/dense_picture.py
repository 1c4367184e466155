#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Draws docs/dense.svg, the picture of README.md, from the tables of docs/evidence/dense.md: seconds
over the size of dense problems, this solver beside Clp, HiGHS and cuPDLPx.

usage: dense_picture.py [--check]    --check writes nothing and fails if the picture is out of date.
"""
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/evidence/dense.md"
PICTURE = ROOT / "docs/dense.svg"

WIDTH, HEIGHT = 720, 390
LEFT, RIGHT, TOP, BOTTOM = 66, 560, 50, 338  # the edges of the plot; names stand right of it
ROWS = (900, 44000)  # the axes' ends
SECONDS = (0.005, 200)
COLOURS = {"osi_cuda": "#c0392b", "cuPDLPx": "#2471a3", "HiGHS, interior point": "#1e8449",
           "Clp": "#7d3c98", "HiGHS, simplex": "#b9770e"}


def tables(text):
    """Every table of a page of Markdown as a list of rows, the titles first."""
    found, last = [], None
    for number, line in enumerate(text.splitlines()):
        if not line.startswith("|"):
            continue
        if last != number - 1:
            found.append([])
        last = number
        found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def table(text, *titles):
    for rows in tables(text):
        if all(any(title in cell for cell in rows[0]) for title in titles):
            return rows[0], rows[2:]
    sys.exit(f"{PAGE}: no table with the columns {', '.join(titles)}")


def best(cell):
    """The least number of "3.08 / 2.07: 223 x"; with it whether it is only a limit ("> 60")."""
    numbers = [(float(value), mark == "> ")
               for mark, value in re.findall(r"(> )?([\d.]+)", cell.split(":")[0])]
    finished = [one for one in numbers if not one[1]]
    return min(finished or numbers)


def curves(text):
    """Name -> list of (rows, seconds, is only a lower bound), ascending."""
    titles, rows = table(text, "rows x columns", "form and upload", "us a pivot")
    seconds = titles.index("seconds")
    result = {"osi_cuda": [(int(row[0].split()[0]), float(row[seconds]), False) for row in rows]}
    titles, rows = table(text, "problem", "HiGHS simplex", "cuPDLPx")
    columns = {"Clp": "Clp", "HiGHS, simplex": "HiGHS simplex", "HiGHS, interior point": "HiGHS IPM"}
    for name, title in columns.items():
        place = next(k for k, cell in enumerate(titles) if title in cell)
        result[name] = [(int(row[0].split()[1]), *best(row[place])) for row in rows
                        if row[0].startswith("origin")]
    place = next(k for k, cell in enumerate(titles) if "cuPDLPx" in cell)
    result["cuPDLPx"] = [(int(row[0].split()[1]), *best(row[place].split("/")[1])) for row in rows
                         if row[0].startswith("origin")]
    return result


def along(value, ends, begin, end):
    low, high = map(math.log, ends)
    return begin + (end - begin) * (math.log(value) - low) / (high - low)


def x(rows):
    return along(rows, ROWS, LEFT, RIGHT)


def y(seconds):
    return along(seconds, SECONDS, BOTTOM, TOP)


def text_at(px, py, words, more=""):
    return f'<text x="{px:.1f}" y="{py:.1f}" {more}>{words}</text>'


def axes():
    lines = []
    for seconds, name in [(0.01, "0.01 s"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (100, "100 s")]:
        lines.append(f'<path d="M{LEFT} {y(seconds):.1f}H{RIGHT}" stroke="#ddd"/>')
        lines.append(text_at(LEFT - 8, y(seconds) + 4, name, 'text-anchor="end"'))
    for rows in (1000, 2000, 5000, 10000, 20000, 40000):
        lines.append(f'<path d="M{x(rows):.1f} {TOP}V{BOTTOM}" stroke="#eee"/>')
        lines.append(text_at(x(rows), BOTTOM + 18, f"{rows}", 'text-anchor="middle"'))
    lines.append(f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" stroke="#555" fill="none"/>')
    lines.append(text_at((LEFT + RIGHT) / 2, BOTTOM + 38, "rows, with half as many columns",
                         'text-anchor="middle"'))
    return lines


def curve(name, points, label):
    colour = COLOURS[name]
    path = "L".join(f"{x(rows):.1f} {y(seconds):.1f}" for rows, seconds, _ in points)
    width = 3 if name == "osi_cuda" else 1.8
    lines = [f'<path d="M{path}" stroke="{colour}" stroke-width="{width}" fill="none"/>']
    for rows, seconds, bound in points:
        px, py = x(rows), y(seconds)
        if bound:  # stopped by the limit of time: an arrow upwards
            lines.append(f'<path d="M{px - 5:.1f} {py + 4:.1f}L{px:.1f} {py - 6:.1f}L{px + 5:.1f} '
                         f'{py + 4:.1f}Z" fill="#fff" stroke="{colour}" stroke-width="1.8"/>')
        else:
            lines.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.5" fill="{colour}"/>')
    rows, seconds, _ = points[-1]
    lines.append(text_at(x(rows) + 9, label, name, f'fill="{colour}" font-weight="bold"'))
    return lines


def picture(text):
    every = curves(text)
    # Names stand at the ends of the curves, at least a line apart.
    labels, last = {}, -math.inf
    short = sorted((name for name in every if name != "osi_cuda"), key=lambda n: y(every[n][-1][1]))
    for name in short:
        labels[name] = last = max(y(every[name][-1][1]) + 4, last + 16)
    labels["osi_cuda"] = y(every["osi_cuda"][-1][1]) + 4
    body = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            text_at(LEFT, 18, "Seconds to the optimum of a dense problem (family origin)",
                    'font-size="14" font-weight="bold"'),
            text_at(LEFT, 35, "osi_cuda and cuPDLPx (to 1e-8, no vertex) on one NVIDIA H200, the "
                    "others on a core beside it", 'fill="#555"')]
    body += axes()
    for name in every:
        body += curve(name, every[name], labels[name])
    body.append(text_at(LEFT + 10, TOP + 14, "open triangles: stopped at 60 s", 'fill="#555"'))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12">\n' + "\n".join(body) + "\n</svg>\n")


def main():
    drawn = picture(PAGE.read_text(encoding="utf-8"))
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != drawn:
            sys.exit(f"{PICTURE}: not what the tables of {PAGE} say; run bench/dense_picture.py")
        return
    PICTURE.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
