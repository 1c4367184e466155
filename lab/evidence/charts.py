# SPDX-License-Identifier: EPL-2.0
"""Pictures of the pages as SVG text: curves over a size, dots by row, and performance profiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#e67e22", "#7d3c98", "#117a8b", "#b7950b", "#5d6d7e", "#d35476", "#34495e",
           "#8d6e63", "#00acc1", "#9e9d24", "#000000")
OURS = ("osi", "engine cuda", "exact check", "one H200", "one GPU", "16 threads")
BOLD = 'font-size="15" font-weight="bold"'
# Series -> row -> its value, and whether the answer counts (a circle that is open does not).
Found = Mapping[str, Mapping[str, tuple[float, bool]]]
Axis = Callable[[float], float]


def svg(width: int, height: int, body: Sequence[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n")


def words(x: float, y: float, text: str, more: str = "") -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{text}</text>'


def scale(low: float, high: float, left: float, right: float) -> tuple[Axis, list[float]]:
    """A logarithmic axis and the powers of ten on it."""
    a, b = math.floor(math.log10(low)), math.ceil(math.log10(high))
    b = max(b, a + 1)
    return (lambda v: left + (right - left) * (math.log10(v) - a) / (b - a)), [10.0**k for k in range(a, b + 1)]


def tick(value: float) -> str:
    """A power of ten as a reader writes it."""
    return f"{value:,.0f}" if value >= 1 else f"{value:.10f}".rstrip("0")


def dots(found: Found, title: str, unit: str = "seconds", step: int = 26) -> str:
    """A line for each row, a dot for each series at its value; open: stopped or wrong. Logarithmic."""
    rows = list(dict.fromkeys(row for each in found.values() for row in each))
    found = dict(sorted(found.items(), key=lambda item: not item[0].startswith(OURS)))  # the first colours are this project's
    values = [value for each in found.values() for value, _ in each.values() if value > 0]
    least = max(min(values), 1e-7)
    left = 40 + 6.8 * max(len(row) for row in rows)
    right = left + 360
    at, ticks = scale(least, max(values), left, right)
    bottom = 56 + step * len(rows)
    drawn = [words(20, 24, title, BOLD)]
    drawn += [f'<path d="M{at(t):.1f} 44V{bottom}" stroke="#ddd"/>'
              f'{words(at(t), bottom + 18, tick(t), "text-anchor=" + chr(34) + "middle" + chr(34))}' for t in ticks]
    drawn.append(words(20, bottom + 18, unit, 'fill="#555"'))
    for k, row in enumerate(rows):
        y = 62 + step * k
        drawn.append(words(20, y + 4, row) + f'<path d="M{left:.0f} {y}H{right:.0f}" stroke="#eee"/>')
        for colour, each in reversed(list(zip(COLOURS * 3, found.values()))):
            if row in each:
                value, right_answer = each[row]
                drawn.append(f'<circle cx="{at(max(value, least)):.1f}" cy="{y}" r="5" stroke="{colour}" '
                             f'fill="{colour if right_answer else "#fff"}"/>')
    for k, (name, colour) in enumerate(zip(found, COLOURS * 3)):
        drawn.append(words(right + 16, 60 + 17 * k, name, f'fill="{colour}" font-weight="bold"'))
    width = max(right + 30 + 7.6 * max(len(name) for name in found), 40 + 8.6 * len(title))
    return svg(round(width), max(bottom + 36, 76 + 17 * len(found)), drawn)


def profile(found: Found, title: str, thick: Callable[[str], bool]) -> str:
    """Share of the problems that a solver ends within a factor of the fastest (Dolan and More 2002)."""
    problems = sorted({p for each in found.values() for p in each})
    found = {name: each for name, each in found.items() if len(each) == len(problems)}
    least = {p: min((each[p][0] for each in found.values() if each[p][1]), default=math.inf) for p in problems}
    at, ticks = scale(1, 1000, 60, 500)
    drawn = [words(60, 22, title, BOLD),
             words(60, 40, "share of the problems solved within a factor of the fastest solver's seconds", 'fill="#555"')]
    drawn += [f'<path d="M{at(t):.1f} 56V330" stroke="#ddd"/>{words(at(t) - 8, 346, f"{t:g}")}' for t in ticks]
    drawn += [f'<path d="M60 {330 - 2.7 * s}H500" stroke="#eee"/>{words(26, 334 - 2.7 * s, f"{s} %")}'
              for s in (0, 25, 50, 75, 100)]
    labels: list[tuple[float, str, str]] = []
    for colour, (name, each) in zip(COLOURS * 3, found.items()):
        ratios = sorted(max(each[p][0], 1e-6) / max(least[p], 1e-6) for p in problems if each[p][1])
        y, path = 330.0, "M60 330"
        for count, ratio in enumerate(ratios, 1):
            if ratio > 1000:
                break
            y = 330 - 270 * count / len(problems)
            path += f"H{at(ratio):.1f}V{y:.1f}"
        drawn.append(f'<path d="{path}H500" stroke="{colour}" stroke-width="{3.5 if thick(name) else 1.6}" fill="none"/>')
        labels.append((y, name, colour))
    last = 0.0
    for y, name, colour in sorted(labels):
        last = max(y + 4, last + 15)
        drawn.append(words(508, last, name, f'fill="{colour}" font-weight="bold"'))
    return svg(720, 370, drawn)
