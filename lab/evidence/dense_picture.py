# SPDX-License-Identifier: EPL-2.0
"""docs/dense.svg, the picture of README.md: seconds of a cold dense solve over its rows, a curve for each solver."""
import math

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 66, 600, 66, 350  # the edges of the plot; names stand at the last points
ROWS = (900, 44000)  # the axes' ends
SECONDS = (0.005, 200)
# Solver -> colour and where its name stands beside its last point: dx, dy.
CURVES = {"osi_cuda, auto": ("#c0392b", 9, 4), "cuOpt, barrier": ("#117a8b", 9, 4),
          "cuPDLPx, 1e-8": ("#2471a3", -24, -12), "HiGHS, interior point": ("#1e8449", 9, 0),
          "Clp": ("#7d3c98", 9, 19), "HiGHS, simplex": ("#b9770e", 9, 4)}


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
    drawn = []
    for seconds, name in [(0.01, "0.01 s"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (100, "100 s")]:
        drawn.append(f'<path d="M{LEFT} {y(seconds):.1f}H{RIGHT}" stroke="#ddd"/>')
        drawn.append(text_at(LEFT - 8, y(seconds) + 4, name, 'text-anchor="end"'))
    for rows in (1000, 2000, 5000, 10000, 20000, 40000):
        drawn.append(f'<path d="M{x(rows):.1f} {TOP}V{BOTTOM}" stroke="#eee"/>')
        drawn.append(text_at(x(rows), BOTTOM + 18, f"{rows}", 'text-anchor="middle"'))
    drawn.append(f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" stroke="#555" fill="none"/>')
    drawn.append(text_at((LEFT + RIGHT) / 2, BOTTOM + 38, "rows, with half as many columns",
                         'text-anchor="middle"'))
    return drawn


def curve(name, points):
    colour, dx, dy = CURVES[name]
    path = "L".join(f"{x(rows):.1f} {y(seconds):.1f}" for rows, seconds, _ in points)
    width = 3.5 if name.startswith("osi_cuda") else 1.8
    drawn = [f'<path d="M{path}" stroke="{colour}" stroke-width="{width}" fill="none"/>']
    for rows, seconds, limit in points:
        px, py = x(rows), y(seconds)
        if limit:  # stopped by the time limit: an arrow upwards
            drawn.append(f'<path d="M{px - 5:.1f} {py + 4:.1f}L{px:.1f} {py - 6:.1f}L{px + 5:.1f} '
                         f'{py + 4:.1f}Z" fill="#fff" stroke="{colour}" stroke-width="1.8"/>')
        else:
            drawn.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.5" fill="{colour}"/>')
    rows, seconds, _ = points[-1]
    drawn.append(text_at(x(rows) + dx, y(seconds) + dy, name, f'fill="{colour}" font-weight="bold"'))
    return drawn


def picture(measured, machine):
    """`machine`: of osi_cuda's rows, as `one NVIDIA H200`."""
    body = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            text_at(LEFT, 20, "How long does a cold solve of a dense LP take?",
                    'font-size="15" font-weight="bold"'),
            text_at(LEFT, 38, f"osi_cuda on {machine} (to the proved vertex), cuOpt and cuPDLPx on one NVIDIA H200 (no vertex),",
                    'fill="#555"'),
            text_at(LEFT, 54, "HiGHS and Clp on one core beside a GPU. Open triangles: stopped at 60 s.",
                    'fill="#555"')]
    body += axes()
    for name in CURVES:
        body += curve(name, sorted((int(line["rows"]), float(line["seconds"]), bool(line["limit"]))
                                   for line in measured
                                   if line["family"] == "origin" and line["solver"] == name))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12">\n' + "\n".join(body) + "\n</svg>\n")
