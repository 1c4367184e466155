#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# From file to answer: a dense problem in every format, read by 1 to 16 threads, whole processes of
# osi-cuda solve, and the readers of other solvers where they are. Part of a bundle (./dev bundle):
#     [size=ROWSxCOLUMNS] [engine=cuda] [folder=FOLDER] reading.sh BIN
# BIN holds osi-cuda; python3 has NumPy. Some 1.2 GB are written to FOLDER and deleted at the end.
set -euo pipefail
bin=${1:?the folder of the programs}
size=${size:-5000x2500}
engine=${engine:-auto}
repeats=${repeats:-5}
folder=${folder:-$(mktemp -d)}
trap 'rm -rf "$folder"' EXIT
cores=$(nproc)
printf '%s, %s cores, %s, engine %s\n' "$(date -u +%F)" "$cores" \
  "$(grep -m 1 'model name' /proc/cpuinfo | cut -d : -f 2)" "$engine"
# Free MPS with two entries a line, as many programs write it.
python3 - "$folder/dense.mps" "${size%x*}" "${size#*x}" <<'PYTHON'
import sys

import numpy as np

path, m, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random = np.random.default_rng(1)
with open(path, "w", encoding="ascii") as out:
    out.write("NAME dense FREE\nROWS\n N COST\n" + "".join(f" L r{i}\n" for i in range(m)) + "COLUMNS\n")
    for j in range(n):
        numbers = random.uniform(0, 1, m + 1).tolist()
        numbers[0] = -numbers[0]  # the costs
        words = [f"{'r%d' % (i - 1) if i else 'COST'} {number}" for i, number in enumerate(numbers)]
        out.writelines(f" x{j} {' '.join(words[k:k + 2])}\n" for k in range(0, m + 1, 2))
    out.write("RHS\n" + "".join(f" b r{i} {n}\n" for i in range(m)) + "ENDATA\n")
PYTHON
for ending in npz lp; do "$bin/osi-cuda" convert "$folder/dense.mps" "$folder/dense.$ending"; done
gzip -1 -c "$folder/dense.mps" >"$folder/dense.mps.gz"
# Of several members or frames, where their programs are here.
if command -v bgzip >/dev/null; then bgzip -c "$folder/dense.mps" >"$folder/dense.bgz.mps.gz"; fi
if command -v pzstd >/dev/null; then pzstd -q -1 -c "$folder/dense.mps" >"$folder/dense.mps.zst"; fi

echo "== reading alone"
for file in dense.mps dense.lp dense.npz dense.mps.gz dense.bgz.mps.gz dense.mps.zst; do
  for count in 1 2 4 8 16; do
    ((count <= cores)) && [[ -e $folder/$file ]] || continue
    for ((k = 0; k < repeats; ++k)); do
      ("$bin/osi-cuda" solve "$folder/$file" --engine host --presolve off --iteration-limit 0 \
        --threads "$count" --verbose 2>&1 || true) | sed -n 's/^Read in \(.*\) s\.$/\1/p'
    done | sort -n | sed -n "$((repeats / 2 + 1))s/^/$file, $count threads: /p"
  done
done

# median NAME COMMAND...: seconds of whole processes
median() {
  local name=$1 k begin end
  local -a seconds=()
  shift
  for ((k = 0; k < repeats; ++k)); do
    begin=$EPOCHREALTIME
    if ! "$@" >"$folder/answer.txt" 2>&1; then
      printf '%s: fails: %s\n' "$name" "$(tail -n 1 "$folder/answer.txt")"
      return
    fi
    end=$EPOCHREALTIME
    seconds+=("$((${end/./} - ${begin/./}))")
  done
  printf '%s: %s s (%s)\n' "$name" \
    "$(printf '%s\n' "${seconds[@]}" | sort -n | sed -n "$((repeats / 2 + 1))p" |
      awk '{ printf "%.3f", $1 / 1e6 }')" \
    "$(grep -m 1 -E '^objective' "$folder/answer.txt" | tr -s ' ' || true)"
}

echo "== whole processes, medians of $repeats"
for file in dense.mps dense.mps.gz dense.bgz.mps.gz dense.mps.zst dense.npz; do
  for count in 1 2 4 8 16; do
    ((count <= cores)) && [[ -e $folder/$file ]] || continue
    median "$file, $count threads" "$bin/osi-cuda" solve "$folder/$file" --engine "$engine" \
      --threads "$count" --quiet
  done
done

echo "== other readers"
repeats=1
if command -v glpsol >/dev/null; then
  median "glpsol --check" glpsol --freemps "$folder/dense.mps" --check
fi
if command -v cbc >/dev/null; then median cbc cbc "$folder/dense.mps" -quit; fi
