#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# Repeats the measurements of the examples that have kernels, on a machine with a GPU, or without it
# on the processor alone.
#     examples.sh [textbook] [paths] [sweeps] [response] [tiling] [kernels] [sanitizers]
#                                              nothing named: textbook paths sweeps response
# tiling: products over tiles, on the processor alone. kernels: the tests of the kernels beside their host twins. sanitizers:
# compute-sanitizer's memcheck and racecheck on these tests, in small; names="cyclic_sweeps ..." narrows both. Programs are looked for in $bin (build/bin), results go to
# $OUT (./log): CSV files, tables.md, SQLite files, SVG. scale=small is a run of a minute anywhere.
set -uo pipefail
bin=$(cd "${bin:-build/bin}" && pwd) || exit 66
log=${OUT:-$PWD/log}
mkdir -p "$log"
gpu=1
nvidia-smi >/dev/null 2>&1 || gpu=
cores=$(nproc)
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-$cores}

# name, seconds at most, command: everything into a file, the end of it here
part() {
  local name=$1 most=$2 begin=$SECONDS status
  shift 2
  timeout -k 3 "$most" "$@" >"$log/$name.txt" 2>&1
  status=$?
  printf '== %s: status %d, %d s\n' "$name" "$status" $((SECONDS - begin))
  tail -n "${lines:-3}" "$log/$name.txt"
}
# "FAMILY ..." "SIZE ...": FAMILY:SIZE,...
problems() {
  local family size all=
  for family in $1; do for size in $2; do all+=,$family:$size; done; done
  echo "${all#,}"
}

# Tables of lab/log/2026-11-27-examples-textbook.md, in some 100 s. The optima come from this project's solver, which runs first;
# the processor's parts run alone, other solvers beside the GPU, each on a core of its own.
textbook() {
  local dense="uniform origin signed" networks="traffic-sum traffic-minimax" core=4 solver family
  local every=500x250 small="50x50 100x50 200x100 500x250" sizes="1000x500 2000x1000" large="4000x2000"
  local nodes="10 15 20 30" products=256,512,1024,2048,4096,8192 seconds=10
  local simplex=("$bin/textbook" simplex) main=(--buffers one --precision double --layout rows)
  local results=(--results "$log/textbook.csv" --optima "$log/osi.csv") place=(--place host) engine=host
  [[ $gpu ]] && place+=(--place device)
  if [[ ${scale:-} == small ]]; then
    every=30x30 small=30x30 sizes=40x20 large=60x30 nodes=5 products=128,256
  fi
  rm -f "$log"/{textbook,osi,product,peer-*}.csv
  [[ $gpu ]] && engine=cuda
  part osi 20 "${simplex[@]}" --place none --peer "osi/$engine" --peer-seconds 10 \
    --results "$log/osi.csv" --problem "$(problems "$networks" "$nodes"),$(problems "$dense" "$small $sizes $large")"
  lines=50 part product 40 "$bin/textbook" product --size $products --seconds 1 --results "$log/product.csv"
  export OMP_PROC_BIND=close  # the textbook's threads stay on their cores
  part every 45 "${simplex[@]}" "${results[@]}" --seconds 0.3 "${place[@]}" --problem "$(problems "origin signed" $every)"
  part small 25 "${simplex[@]}" "${results[@]}" --seconds 1 --repeats 3 "${place[@]}" "${main[@]}" \
    --problem "$(problems "$dense" "${small% *}")" --rule largest,greatest,greatest-tile
  part traffic 20 "${simplex[@]}" "${results[@]}" --seconds 1 --probe-seconds 0.2 "${place[@]}" "${main[@]}" \
    --problem "$(problems "$networks" "$nodes")" --rule largest,greatest-tile --drive one-core,vectors,all-cores,graph
  part host 25 "${simplex[@]}" "${results[@]}" --seconds 1 --probe-seconds 0.2 --place host "${main[@]}" \
    --problem "$(problems "$dense" "$sizes $large")" --rule largest
  unset OMP_PROC_BIND
  ((cores >= 16)) || core=0
  for family in $dense $networks; do
    for solver in clp/dual lp_solve/primal; do
      CUDA_VISIBLE_DEVICES="" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 timeout 60 taskset -c $((core % cores)) \
        "${simplex[@]}" --place none --peer $solver --peer-seconds $seconds --optima "$log/osi.csv" \
        --results "$log/peer-${solver%/*}-$family.csv" \
        --problem "$(problems "$family" "$([[ $family == traffic-* ]] && echo "$nodes" || echo "$small $sizes")")" \
        >"$log/peer-${solver%/*}-$family.txt" 2>&1 &
      core=$((core + 1))
    done
  done
  if [[ $gpu ]]; then
    simplex=(taskset -c 0-3 "${simplex[@]}" "${results[@]}" --place device "${main[@]}")
    part sizes 30 "${simplex[@]}" --seconds 2 --probe-seconds 0.3 --problem "$(problems "$dense" "$sizes")" \
      --rule largest,greatest-tile
    part large 40 "${simplex[@]}" --seconds 12 --problem "$(problems "$dense" "$large")" --rule largest,greatest-tile \
      --drive graph
    part drives 10 "${simplex[@]}" --seconds 0.3 --problem "$(problems "$dense" "$large")" --rule largest \
      --drive host-flag,queue,persistent
  fi
  wait
  lines=200 part tables 20 "$bin/textbook" report "$log"/{textbook,osi,product,peer-*}.csv --pictures "$log"
  cp "$log/tables.txt" "$log/tables.md"
}

# Tables of lab/log/2026-11-27-examples-shortest-paths.md, in some 50 s.
paths() {
  local experiment=("$bin/shortest_path" experiment --quiet --database "$log/paths.sqlite")
  local arcs=1000,10000,100000,1000000,10000000 sides=32,100,316,1000,3162 runs=100 most=10 numbers=()
  if [[ ${scale:-} == small ]]; then
    arcs=1000 sides=32 runs=5 most=1 numbers=(--numbers 32,64)
  fi
  rm -f "$log/paths.sqlite"
  part ants 40 "${experiment[@]:0:2}" ants "${experiment[@]:2}" ${gpu:+--device cuda} --runs $runs \
    --sizes 16,32,64,128,256 "${numbers[@]}"
  part ants-large 40 "${experiment[@]:0:2}" ants "${experiment[@]:2}" ${gpu:+--device cuda} --runs $most \
    --sizes 512,1024 "${numbers[@]}"
  part bellman-ford 40 "${experiment[@]:0:2}" bellman-ford "${experiment[@]:2}" --sizes $arcs --host-limit 1000000
  part wave 40 "${experiment[@]:0:2}" wave "${experiment[@]:2}" --sizes $sides --dijkstra-limit 1000000 \
    --families open,maze
  part lp 40 "${experiment[@]:0:2}" lp "${experiment[@]:2}" --time-limit 10
  lines=200 part paths-tables 10 "$bin/shortest_path" report "$log/paths.sqlite" --plots "$log"
}

# Tables of lab/log/2026-11-27-examples-cyclic-sweeps.md; two GPUs where there are two.
sweeps() {
  local measure=("$bin/cyclic_sweeps" measure --repeats 3 --results "$log/sweeps.csv")
  local sizes=300x512,500x4096,700x16384,1000x71680 all=all cells=1024
  local shares=1000x4096,1000x16384,1000x71680,1000x143360,2000x71680
  [[ ${scale:-} == small ]] && sizes=30x40,40x50 all=30x50 shares=200x40 cells=64
  rm -f "$log/sweeps.csv"
  lines=60 part sweeps 35 "${measure[@]}" --sizes $sizes --svg "$log/sweeps.svg"
  if [[ $gpu ]]; then
    lines=60 part sweeps-shares 30 "${measure[@]}" --sizes $shares --forms fused,shares
    lines=90 part sweeps-all 40 "${measure[@]}" --sizes $all --forms gtsv2,fused
  fi
  lines=10 part wave 10 "$bin/cyclic_sweeps" wave --cells $cells --svg "$log/wave.svg"
  "$bin/cyclic_sweeps" report "$log/sweeps.csv" >"$log/sweeps.md"
}

# Tables of lab/log/2026-11-27-examples-response.md, but for tiling.
response() {
  local experiment=("$bin/response" experiment) results=(--results "$log/response.csv" --repeats 3)
  local many=600 some=400 shared=800 solve=(--cells 120 --sources 1000 --observations 4000 --radius 0.008)
  local data=(--data "${OSI_CUDA_DATA:-}")
  [[ -d ${OSI_CUDA_DATA:-}/kennington ]] || data=()
  if [[ ${scale:-} == small ]]; then
    many=20 some=20 shared=30 solve=(--cells 16 --sources 10 --observations 40 --radius 0.08) data=()
  fi
  rm -f "$log/response.csv"
  lines=40 part integration 20 "${experiment[@]}" integration "${results[@]}" --cells $many
  lines=80 part storage 35 "${experiment[@]}" storage "${results[@]}" --cells $some
  lines=24 part executors 20 "${experiment[@]}" executors "${results[@]}" --cells $many
  lines=10 part products 30 "${experiment[@]}" products "${results[@]}" --cells $some "${data[@]}"
  lines=16 part sharing 15 "${experiment[@]}" sharing "${results[@]}" --cells $shared --degrees 1
  lines=30 part field 15 "$bin/response" solve --degree 2 "${solve[@]}" --device auto --svg "$log/field.svg"
  "$bin/response" report "$log/response.csv" >"$log/response.md"
}
tiling() {
  local cells=600
  [[ ${scale:-} == small ]] && cells=20
  lines=40 part tiling 200 "$bin/response" experiment tiling --device host --cells $cells --degrees 1,3 \
    --repeats 3 --results "$log/tiling.csv"
}

kernels() {
  local name
  for name in ${names:-textbook shortest_path cyclic_sweeps response}; do
    part "$name-kernels" 100 "$bin/test_${name}_kernels" --color_output=no
  done
}

# The tests ask for devices that there are not, and for access that there is: calls that fail are no finding. cuSPARSE's own
# kernels have hazards in its tests. racecheck of CUDA 13.0 ends with a segmentation fault in graphs with a loop.
sanitizers() {
  local name tool
  local -A only=([memcheck]="--report-api-errors no" [racecheck]="--kernel-name-exclude kernel_substring=cusparse")
  for name in ${names:-textbook shortest_path cyclic_sweeps response}; do
    for tool in memcheck racecheck; do
      # shellcheck disable=SC2086
      OSI_CUDA_SMALL_KERNELS=$tool part "$name-$tool" 100 compute-sanitizer --tool "$tool" ${only[$tool]} --error-exitcode 9 \
        "$bin/test_${name}_kernels" --color_output=no
    done
  done
}

(($#)) || set -- textbook paths sweeps response
for command; do "$command"; done
