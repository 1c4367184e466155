#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Compares what the C interface shows with what it has shown before.

usage: abi.py COMPILER NM HEADER LIBRARY STORED [--write]

Two descriptions are compared with the file STORED: the symbols that the library exports, with their
versions, and every declaration of the header as the compiler sees it, so that a changed argument or
a changed number of a constant shows as well. --write stores the present ones. Exit status 1 where
something was taken away or changed, or where something new is not in the file yet.
"""
import difflib
import pathlib
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(nm, library):
    lines = output(nm, "-D", "--defined-only", "--with-symbol-versions", library).splitlines()
    return sorted(line.split(" ", 1)[1] for line in lines if line)


def declarations(compiler, header):
    # The system's headers declare much; what is ours is told by the line marks of the preprocessor.
    ours, text = False, []
    for line in output(compiler, "-std=c11", "-E", header).splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            ours = pathlib.Path(mark[1]).name == pathlib.Path(header).name
        elif ours:
            text.append(line)
    whole = re.sub(r"\s+", " ", " ".join(text))
    parts = [re.sub(r"\s*([*,(){}])\s*", r"\1", part).strip() for part in whole.split(";")]
    return [part for part in parts if part]


def main():
    compiler, nm, header, library, stored = sys.argv[1:6]
    present = (["# symbols"] + symbols(nm, library) +
               ["# declarations"] + declarations(compiler, header))
    file = pathlib.Path(stored)
    if sys.argv[6:] == ["--write"]:
        file.write_text("\n".join(present) + "\n", encoding="utf-8")
        return 0
    before = file.read_text(encoding="utf-8").splitlines()
    difference = [line for line in difflib.unified_diff(before, present, "stored", "present", n=0,
                                                        lineterm="")]
    for line in difference:
        print(line)
    gone = [line for line in difference if line.startswith("-") and not line.startswith("---")]
    if gone:
        print("what programs were built against has changed: give the library another soname, or "
              "take the change back")
    elif difference:
        print("new: store it with --write, under a version of its own in osi_cuda.map")
    else:
        print(f"{len(present) - 2} symbols and declarations, as stored")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
