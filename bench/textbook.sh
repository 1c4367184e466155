#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# All of docs/textbook.md in one go: textbook.sh [FOLDER WITH THE PROGRAMS]
# Results go to $OUT (or ./log) as textbook.csv, peers.csv, ours.csv and product.csv; tables are
# printed. Ends after at most `deadline` seconds (480); what was not run by then stands in notes.txt.
# `scale=small` makes a run of a minute on any machine. `only="PART ..."` runs these parts alone:
# product every small traffic networks host sizes large forms drives peers ours-cuda ours-host.
set -uo pipefail
bin=$(cd "${1:-$(dirname "${BASH_SOURCE[0]}")/bin}" && pwd) || exit 66
log=${OUT:-$PWD/log}
export bin log end=$((EPOCHSECONDS + ${deadline:-480}))
mkdir -p "$log/peers"
rm -f "$log"/*.csv "$log"/peers/*
: >"$log/notes.txt"
cores=$(nproc)

seconds_left() { echo $((end - EPOCHSECONDS - 6)); }  # the rest is for the tables
wanted() { [[ -z ${only:-} || " $only " == *" $1 "* ]]; }

# name, seconds at most, command: everything into a file, the end of it here
part() {
  local name=$1 most=$2 left begin=$SECONDS status
  wanted "$name" || return 0
  shift 2
  left=$(seconds_left)
  if ((left < 5)); then
    echo "not run: $name" | tee -a "$log/notes.txt"
    return
  fi
  timeout -k 3 $((most < left ? most : left)) "$@" >"$log/$name.txt" 2>&1
  status=$?
  printf '== %s: status %d, %d s\n' "$name" "$status" $((SECONDS - begin))
  tail -n "${lines:-5}" "$log/$name.txt"
  ((status == 0)) || echo "status $status: $name" >>"$log/notes.txt"
}

# "FAMILY ..." "SIZE ...": FAMILY:SIZE,...
problems() {
  local family size all=
  for family in $1; do for size in $2; do all+=,$family:$size; done; done
  echo "${all#,}"
}

dense=${dense:-uniform origin signed} networks="traffic-sum traffic-minimax"
if [[ ${scale:-full} == small ]]; then
  every=30x30 small=30x30 sizes=40x20 large=60x30 nodes=5 most_nodes=6 products=128,256
  peer_sizes=40x20 peer_seconds=5
else
  every=500x250 small="50x50 100x50 200x100 500x250" sizes="1000x500 2000x1000"
  large=${large:-4000x2000 8000x4000} nodes="10 15 20 30" most_nodes=40
  products=256,512,1024,2048,4096,8192,16384
  peer_sizes="50x50 100x50 200x100 500x250 1000x500 2000x1000" peer_seconds=20
fi
# Threads that stay on their cores, where OpenMP makes them. OpenBLAS and our engine make threads of
# their own, which would all stay on the first one's core.
simplex=(env OMP_PROC_BIND=close "$bin/textbook" simplex --results "$log/textbook.csv")
ours=("$bin/textbook" simplex --place none --results "$log/ours.csv")
main=(--buffers one --precision double --layout rows)
place=(--place host --place device)
nvidia-smi >/dev/null 2>&1 || place=(--place host)

# Our solver, alone on the machine. Whoever comes after it takes the optima from its results.
with_us() {
  if ((${#place[@]} > 2)); then
    part ours-cuda 60 "${ours[@]}" --peer ours/cuda --peer-seconds 10 \
      --problem "$(problems "$networks" "$nodes $most_nodes"),$(problems "$dense" "$small $sizes $large")"
    ours+=(--optima "$log/ours.csv")
  fi
  part ours-host 60 "${ours[@]}" --peer ours/host --peer-seconds 10 \
    --problem "$(problems "$networks" "$nodes $most_nodes"),$(problems "$dense" "$small $sizes ${large%% *}")"
}

# The processor alone, or the processor and the GPU: nothing else runs beside these.
with_processor() {
  lines=70 part product 60 "$bin/textbook" product --size $products --seconds 1.5 \
    --results "$log/product.csv" ${forms:+--form "$forms"}
  part every 90 "${simplex[@]}" --seconds 1 "${place[@]}" \
    --problem "$(problems "$dense" "$every"),$(problems traffic-sum "${nodes%% *}")"
  part small 40 "${simplex[@]}" --seconds 1 --repeats 3 "${place[@]}" "${main[@]}" \
    --problem "$(problems "$dense" "$small")" --rule largest,greatest,greatest-tile
  part traffic 45 "${simplex[@]}" --seconds 1 --probe-seconds 0.2 "${place[@]}" \
    --problem "$(problems "$networks" "$nodes")" \
    --rule largest,greatest,greatest-tile --buffers one --layout rows --drive one-core,vectors,all-cores,graph
  part networks 40 "${simplex[@]}" --seconds 8 "${place[@]}" "${main[@]}" \
    --problem "$(problems "$networks" $most_nodes)" --rule largest,greatest-tile --drive all-cores,graph
  part host 60 "${simplex[@]}" --seconds 1 --probe-seconds 0.2 --place host "${main[@]}" \
    --problem "$(problems "$dense" "$sizes $large")" --rule largest
}

# The GPU, with four cores: other solvers have a core each of the rest meanwhile.
with_gpu() {
  local simplex=(taskset -c "0-$((first_peer > 0 ? first_peer - 1 : cores - 1))" "${simplex[@]}")
  local graph=("${simplex[@]}" --place device --drive graph)
  part sizes 80 "${simplex[@]}" --place device --seconds 2 --probe-seconds 0.3 "${main[@]}" \
    --problem "$(problems "$dense" "$sizes")" --rule largest,greatest-tile
  part large 120 "${graph[@]}" --seconds 15 "${main[@]}" \
    --problem "$(problems "$dense" "$large")" --rule largest,greatest-tile
  part forms 30 "${graph[@]}" --seconds 0.5 --problem "$(problems origin "${sizes% *}")"
  part drives 20 "${simplex[@]}" --place device --seconds 0.3 "${main[@]}" \
    --problem "$(problems "$dense" "$large")" --rule largest --drive host-flag,queue,persistent
}

# The cores from this one on are for the other solvers.
first_peer=$((cores > 7 ? 4 : 0))

# solver, problems; as a process on core first_peer + slot (of xargs)
# shellcheck disable=SC2154
peer() {
  local name="${1%/*}-${2%%:*}" left status
  left=$(seconds_left)
  ((left > 5)) || return 0
  # The GPU is for the others: the optimum to compare with comes from the processor.
  CUDA_VISIBLE_DEVICES="" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 timeout -k 3 "$left" \
    taskset -c $((first_peer + slot)) "$bin/textbook" simplex --place none --peer "$1" \
    --peer-seconds $peer_seconds --problem "$2" ${optima:+--optima "$optima"} --results "$log/peers/$name.csv" >"$log/peers/$name.txt" 2>&1
  status=$?
  # 75: the solver did not look at its limit and was ended; the results say so.
  ((status == 0 || status == 75)) || echo "status $status: $1 ${2%%:*}" >>"$log/notes.txt"
}

# A queue, the longest first; each core takes the next line.
run_peers() {
  local solver family
  export first_peer peer_seconds optima=
  [[ -f $log/ours.csv ]] && optima=$log/ours.csv
  export -f peer seconds_left
  for family in $dense $networks; do
    for solver in highs/dual clp/dual glpk/primal lp_solve/primal; do
      if [[ $family == traffic-* ]]; then
        echo "$solver $(problems "$family" "$nodes $most_nodes")"
      else
        echo "$solver $(problems "$family" "$peer_sizes")"
      fi
    done
  done | xargs -P $((cores - first_peer)) --process-slot-var=slot -L 1 bash -c 'peer "$@"' peer
}

{
  date -u '+%Y-%m-%d %H:%M UTC'
  grep -m 1 'model name' /proc/cpuinfo
  echo "$cores cores"
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader
  "$bin/textbook" --version
} 2>&1 | tee "$log/machine.txt"

with_us
if [[ -f $log/ours.csv ]]; then
  simplex+=(--optima "$log/ours.csv")
fi
with_processor
if wanted peers; then run_peers & fi
if ((${#place[@]} > 2)); then with_gpu; fi
wait

for file in "$log"/peers/*.csv; do
  [[ -f $file ]] || continue
  tail -n "+$([[ -f $log/peers.csv ]] && echo 2 || echo 1)" "$file" >>"$log/peers.csv"
done
"$bin/textbook" report "$log"/*.csv >"$log/tables.md"
cat "$log/tables.md"
tar -C "$log" -czf /tmp/textbook-logs.tgz . && mv /tmp/textbook-logs.tgz "$log/logs.tgz"
rm -r "$log/peers"
find "$log" -name '*.txt' ! -name notes.txt ! -name machine.txt -delete
echo "textbook: $SECONDS s; notes:"
cat "$log/notes.txt"
