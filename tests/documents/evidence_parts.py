#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Looks whether lab/evidence/auto_ways.py gives every way of a problem its turns: those that take less than 0.2 s as many as asked for,
the others and those without a proof one; the method that `auto` took first, later ones with its time as the limit; medians, not the
least; whether no device is opened that can't be the best; whether the means of the page name what they leave out; whether a copy of a
module loses its machine code alone; and whether a peer with another answer counts as one without an answer."""
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lab/evidence"))

import auto_ways  # noqa: E402
import makers  # noqa: E402
import one_thread  # noqa: E402
import parts_device  # noqa: E402

SECONDS = {"auto": 0.1, "host dual": 0.15, "host primal": 0.1, "host barrier": 2.0, "Clp": 0.01, "HiGHS IPX": 5.0}


def module_loses_machine_code():
    """Of two containers, with an entry of PTX and one of machine code each."""
    def entry(kind, capability, body):
        return struct.pack("<HHIQ", kind, 0x101, 64, len(body)) + bytes(12) + struct.pack("<I", capability) + bytes(32) + body

    entries = entry(1, 75, b"ptx") + entry(2, 90, b"machine")
    module = b"ELF" + 2 * (struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entries)) + entries + b"other")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "module")
        path.write_bytes(module)
        assert parts_device.without_machine_code(path, path) == (2, "7.5")
        other = path.read_bytes()
    assert len(other) == len(module) and [(a, b) for a, b in zip(module, other) if a != b] == 2 * [(90, 35)]


def other_answers_do_not_count():
    assert one_thread.agreed("optimal", "6.1568515", "optimal", 6.156851476) == "optimal"
    assert one_thread.agreed("optimal", "0", "optimal", 6.156851476) == "other answer"
    assert one_thread.agreed("infeasible", None, "optimal", 1.0) == "other answer"
    assert one_thread.agreed("infeasible", None, "time_limit", None) == "infeasible"
    with tempfile.TemporaryDirectory() as folder:
        for text, most in (("NAME a\nOBJSENSE\n    MAX\nROWS\n", True), ("NAME a\nOBJSENSE\n    MIN\nROWS\n", False), ("NAME MAX\nROWS\n", False)):
            path = pathlib.Path(folder, "file.mps")
            path.write_text(text, encoding="utf-8")
            assert one_thread.maximised(path) == most, text


def main():
    other_answers_do_not_count()
    module_loses_machine_code()
    limits = {}

    def way(name):
        def run(limit):
            limits.setdefault(name, []).append(limit)
            ends = SECONDS[name] <= limit
            return [min(SECONDS[name], limit), "", "optimal" if ends else "time_limit", "host", "primal", 1, 0.0]
        return run

    runs = [name for name, _ in auto_ways.in_turns({name: way(name) for name in SECONDS}, 3, 4.0, lanes=2)]
    assert [runs.count(name) for name in SECONDS] == [3, 3, 3, 1, 3, 1], runs
    singles = [name for name in runs if name.startswith("host")]
    assert singles[0] == "host primal", "the method that `auto` took is not the first"
    assert runs.index("Clp") < len(SECONDS) <= len(runs) - 1 - runs[::-1].index("auto"), "the repeats are not in turns"
    assert limits["host primal"][0] == 4.0 and all(abs(limit - 0.42) < 1e-9 for limit in limits["host barrier"] + limits["host dual"]), limits
    SECONDS["cuda dual"] = 0.45
    opened = {}
    for name, status in (("host barrier", "optimal"), ("host primal", "not run")):  # a slow one, then one that no device can beat
        found = dict(auto_ways.in_turns({one: way(one) for one in (name, "cuda dual")}, 3, 4.0, opened=opened))
        assert found["cuda dual"][2] == status and opened == {"cuda": 0.45}, (found, opened)
    row = {"set": "a", "problem": "p", "way": "auto", "processor_seconds": "0.1", "status": "optimal", "runs": "3"}
    rows = [{**row, "seconds": seconds} for seconds in ("0.3", "0.1", "0.2")]
    assert [(r["seconds"], r["runs"]) for r in auto_ways.medians(rows)] == [("0.2", 3)]
    rows[1]["status"] = rows[2]["status"] = "time_limit"
    assert [r["status"] for r in auto_ways.medians(rows)] == ["time_limit"], "most runs had no proof"
    ways = ("auto", "one method", "host dual", "HiGHS simplex", "Clp")
    table = makers.auto_table([{**row, "problem": problem, "way": name, "seconds": "0.2", "status": "optimal" if problem == "p" or name != "Clp"
                                and name != "HiGHS simplex" else "time_limit"} for problem in ("p", "qap15") for name in ways])
    assert "qap15 (no other solver)" in table and "| a | 1 |" in table and "medians of 3" in table, table
    print("turns, limits, medians and copies are as they should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
