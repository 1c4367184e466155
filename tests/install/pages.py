#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Writes the C++ of the guide's pages as programs, word for word: what a page takes for granted stands
before it. tests/install builds and runs them against an installed tree.

usage: pages.py SOURCE FOLDER
"""

import pathlib
import re
import sys

LP = """osi_cuda::LinearProgram lp;  // max 2 x + y, x + y <= 4, x in [0, 3], y >= 0
  lp.sense = osi_cuda::Sense::maximize;
  lp.matrix = {1, 2, {0, 1, 2}, {0, 0}, {1.0, 1.0}};
  lp.objective = {2.0, 1.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {3.0, osi_cuda::infinity};
  lp.rowLower = {-osi_cuda::infinity};
  lp.rowUpper = {4.0};
"""
# The page, a word by which the program is known, what stands before it and behind it.
PROGRAMS = {
    "start": ("start.md", "int main", None, None),
    "batch": ("batch.md", "osi_cuda::BatchSolver solver;", """std::vector<int> rows{1}, columns{2};
  std::vector<double> matrix{1.0, 1.0}, objective{2.0, 1.0}, rowUpper{4.0};
  std::vector<osi_cuda::Sense> sense{osi_cuda::Sense::maximize};
""", "results.objective[0] == 8.0"),
    "variants": ("batch.md", "osi_cuda::VariantSolver batch", LP + "  std::vector<int> candidates{0, 1};\n",
                 "results.objective[0] == 4.0 && results.objective[1] == 9.0"),
    "bounds": ("batch.md", "solveVariants(lp, {}", LP + """  using namespace osi_cuda;
  PackedVariants variants;
  lp.objective = {0.0, 0.0};
  lp.sense = Sense::minimize;
""", "results.objective[1] == -3.0 && results.objective[3] == -4.0"),
    "ranging": ("analysis.md", "osi_cuda::ranging(solver", LP + "  osi_cuda::Options options;\n  int const j = 0;\n",
                "found->costs[j].low.at == 1.0"),
}


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (page, word, before, expected) in PROGRAMS.items():
        text = (source / "docs/guide" / page).read_text(encoding="utf-8")
        [program] = [block for block in re.findall(r"```cpp\n(.*?)```", text, re.DOTALL) if word in block]
        if before is not None:
            lines = program.splitlines()
            includes = "\n".join(line for line in lines if line.startswith("#include"))
            body = "\n".join(line for line in lines if not line.startswith("#include"))
            program = (
                f"#include <optional>\n#include <vector>\n#include \"osi_cuda/batch/variants.hpp\"\n{includes}\n"
                f"int main() {{\n  {before}{body}\n  return {expected} ? 0 : 1;\n}}\n"
            )
        (folder / f"page_{name}.cpp").write_text(program, encoding="utf-8")


if __name__ == "__main__":
    main()
