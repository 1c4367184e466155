# SPDX-License-Identifier: EPL-2.0
"""The command ``osi-cuda`` of an environment of Python: it starts the program that lies in the package."""

from __future__ import annotations

import os
import sys

from . import _library


def main() -> None:
    program = os.path.join(os.path.dirname(_library.library().path), "osi-cuda")
    if not os.access(program, os.X_OK):
        print(f"osi-cuda: there is no program {program}: this package was built where CLI11, fmt or SQLite "
              "was not found; wheels and packages of osi-cuda have it", file=sys.stderr)
        sys.exit(69)
    os.execv(program, ["osi-cuda", *sys.argv[1:]])
