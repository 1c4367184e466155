#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""check_includes.py finds each kind of wrong include, and nothing in a project that is in order."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_includes.py")
GOOD = {
    "osi_cuda/model/a.hpp": "#include <vector>\n",
    "osi_cuda/rational/a.hpp": '#include <flint/fmpz.h>\n#include "osi_cuda/model/a.hpp"\n',
    "osi_cuda/engine/engine.hpp": '#include "osi_cuda/model/a.hpp"\n',
    "osi_cuda/engine/cuda/a.cu": "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n",
    "osi_cuda/solve/solver.hpp": '#include "osi_cuda/model/a.hpp"\n#include "osi_cuda/base/errors.hpp"\n',
    "osi/a.hpp": '#include <OsiSolverInterface.hpp>\n#include "osi_cuda/solve/solver.hpp"\n',
    "c/a.cpp": '#include "osi_cuda/solve/solver.hpp"\n#include "readers/a.hpp"\n',
    "osi_cuda/presolve/a.cpp": "#include <CoinPresolveMatrix.hpp>\n",
    "tests/model/a_test.cpp": '#include "osi_cuda/engine/host/a.hpp"\n#include <ClpSimplex.hpp>\n',
}
BAD = [  # file, include, what the message must say
    ("osi_cuda/model/b.hpp", '"osi_cuda/solve/solver.hpp"', "model may include"),
    ("osi_cuda/rational/b.hpp", '"osi_cuda/simplex/b.hpp"', "rational may include model"),
    ("osi_cuda/simplex/b.hpp", '"osi_cuda/rational/b.hpp"', "simplex may include"),
    ("osi_cuda/solve/solver.cpp", "<flint/fmpz.h>", "FLINT's and GMP's headers"),
    ("osi_cuda/simplex/b.hpp", '"osi_cuda/engine/host/b.hpp"', "simplex may include"),
    ("osi_cuda/simplex/b.hpp", '"osi_cuda/engine/other.hpp"', "only engine.hpp"),
    ("osi_cuda/solve/solver.cpp", '"readers/b.hpp"', "solve may include"),
    ("osi_cuda/solve/solver.cpp", '"osi_cuda/engine/cuda/b.hpp"', "solve may include"),
    ("readers/b.cpp", '"osi_cuda/solve/solver.hpp"', "readers may include"),
    ("c/b.cpp", '"osi/b.hpp"', "c may include"),
    ("c/b.cpp", '"osi_cuda/simplex/b.hpp"', "c may include"),
    ("bridges/b.cpp", '"osi_cuda/engine/engine.hpp"', "bridges may include model"),
    ("lab/bench/b.cpp", '"tests/model/b.hpp"', "lab may include"),
    ("bridges/b.cpp", '"osi_cuda/solve/solver.hpp"', "bridges may include"),
    ("readers/b.cpp", "<CoinMpsIO.hpp>", "COIN-OR headers"),
    ("cli/solve.cpp", "<ClpPresolve.hpp>", "COIN-OR headers"),
    ("cli/presolve.cpp", "<CoinPresolveMatrix.hpp>", "COIN-OR headers"),
    ("osi_cuda/solve/reduced.cpp", "<CoinPresolveMatrix.hpp>", "COIN-OR headers"),
    ("osi_cuda/presolve/b.cpp", '"osi_cuda/solve/solver.hpp"', "presolve may include model"),
    ("osi_cuda/engine/host/b.cpp", "<cublas_v2.h>", "CUDA headers"),
    ("cli/solve.cpp", "<cuda_runtime.h>", "CUDA headers"),
    ("osi_cuda/model/b.hpp", '"a.hpp"', "from the repository root"),
    ("osi_cuda/model/b.hpp", "<osi_cuda/model/a.hpp>", "in quotes"),
]


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        return run.returncode, run.stdout


def main():
    failures = []
    status, output = check(GOOD)
    if status != 0:
        failures.append(f"in order, but: {output}")
    for path, include, message in BAD:
        status, output = check({**GOOD, path: f"\n#include {include}\n"})
        if status != 1 or f"{path}:2:" not in output or message not in output:
            failures.append(f"{path} including {include}: status {status}, {output}")
    # The table of docs/explanation/design.md is compared, row by row.
    page = (CHECK.parents[1] / "docs/explanation/design.md").read_text(encoding="utf-8")
    status, output = check({**GOOD, "docs/explanation/design.md": page})
    if status != 0:
        failures.append(f"the table agrees, but: {output}")
    row = next(line for line in page.splitlines() if line.startswith("| `readers/`"))
    for other in ("", row.replace("| model, rational |", "| model, solver |"), row.replace("| readers |", "| cli |")):
        status, output = check({**GOOD, "docs/explanation/design.md": page.replace(row, other)})
        if status != 1 or "docs/explanation/design.md: readers/" not in output:
            failures.append(f"the row '{other}': status {status}, {output}")
    if check({})[0] != 1:
        failures.append("a folder without sources passes")
    print("\n".join(failures) or f"{len(BAD)} wrong includes found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
