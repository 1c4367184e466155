#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# From file to answer: a dense problem in every format, read by 1 to 16 threads, whole processes of
# osi-cuda solve, and the readers of other solvers where they are. Part of a bundle (./dev bundle):
#     [size=ROWSxCOLUMNS] [engine=cuda] [folder=FOLDER] reading.sh BIN
# BIN holds osi-cuda and bench_reading. Some 1.2 GB are written to FOLDER and deleted at the end.
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
"$bin/bench_reading" write "$folder" --size "$size"
gzip -1 -c "$folder/dense.mps" >"$folder/dense.mps.gz"
# Of several members or frames, where their programs are here.
if command -v bgzip >/dev/null; then bgzip -c "$folder/dense.mps" >"$folder/dense.bgz.mps.gz"; fi
if command -v pzstd >/dev/null; then pzstd -q -1 -c "$folder/dense.mps" >"$folder/dense.mps.zst"; fi

threads=()
for count in 1 2 4 8 16; do ((count <= cores)) && threads+=(--threads "$count"); done
echo "== reading alone"
for file in dense.mps dense.lp dense.npz dense.mps.gz dense.bgz.mps.gz dense.mps.zst; do
  [[ ! -e $folder/$file ]] ||
    "$bin/bench_reading" read "$folder/$file" "${threads[@]}" --repeats "$repeats"
done
"$bin/bench_reading" read "$folder/dense.mps" --threads 1 --by-line --repeats 3

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
