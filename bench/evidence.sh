# SPDX-License-Identifier: EPL-2.0
# shellcheck shell=bash disable=SC2046,SC2086
# Part of run.sh (bundle-run.sh), which sets here and log:
#     [deadline=SECONDS] run.sh evidence
# Everything that docs/evidence/netlib.md and the comparisons of docs/evidence/dense.md are made of, in one go on
# all GPUs: Netlib and Kennington with both algorithms (120 s each) and with exact weights (60 s),
# Clp and HiGHS without and with presolve on a quarter of the cores at the same time (60 s each,
# HiGHS' interior point method 120 s), the dense problems with all of these and cuPDLPx, and a grid of
# sizes for the engine `auto`. Ends by itself at the deadline (560); what was not begun by then stands
# in notes.txt. Result files of an earlier run that lie in ./results are taken over, and what is in them is not run again.
# peer_limit=SECONDS, dense_sizes="1000x500 ..." and engine=host make a smaller run.

evidence() {
  local engine=${engine:-cuda} end=$((SECONDS + ${deadline:-560})) work=/tmp/osi-cuda-evidence
  local cores gpus peers each g q
  rm -rf "$work"
  mkdir -p "$work"
  cores=$(nproc)
  gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
  gpus=$((gpus > 0 ? gpus : 1))
  peers=$((cores >= 4 ? cores / 4 : 1))
  each=$(((cores - peers) / gpus))
  each=$((each > 0 ? each : 1))
  take_over netlib.tsv dense.tsv crossover.tsv
  describe_machine "$gpus" "$peers" "$each" >"$log/machine.txt"
  : >"$log/notes.txt"
  device_queue >"$work/device.queue"
  peer_queue >"$work/peer.queue"

  for ((q = 0; q < peers; ++q)); do
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 worker peer "peer$q" $((cores - 1 - q)) &
  done
  for ((g = 0; g < gpus; ++g)); do
    CUDA_VISIBLE_DEVICES=$g worker device "gpu$g" "$(core_range $g "$each" "$cores")" &
  done
  wait
  sed 's/^/not run: /' "$work"/*.queue >>"$log/notes.txt"
  tar -C "$work" -czf "$log/logs.tgz" .
  tables >"$log/tables.md"
  echo "evidence: $SECONDS s; $(wc -l <"$log/notes.txt") notes, the last ones:"
  tail -n 20 "$log/notes.txt"
}

# Solves that were cut short by the deadline are run again: those that the full limits did not end.
take_over() {
  local file
  for file; do
    if [[ -f $here/results/$file ]]; then
      awk -F '\t' '!($5 == "time_limit" && $8 < ($4 ~ /steepest/ || $4 !~ /^cuda/ ? 58 : 118))' \
        "$here/results/$file" >"$log/$file"
    fi
  done
}

describe_machine() {
  date -u '+%Y-%m-%d %H:%M UTC'
  grep -m 1 'model name' /proc/cpuinfo
  echo "$(nproc) cores: $2 for other solvers, one each; $3 for each of $1 GPUs"
  nvidia-smi --query-gpu=index,name,driver_version,clocks.sm,clocks.mem,memory.total --format=csv
  "$here/bin/osi-cuda" --version
  ls "$here/lib" | grep -iE 'clp|highs|cupdlpx' || true
}

core_range() {  # worker, cores each, all
  local first=$(($1 * $2))
  ((first + $2 <= $3)) || first=0
  echo "$first-$((first + $2 - 1))"
}

# Has this problem no line of this solver yet?
pending() {
  ! cut -f 1,4 "$log/netlib.tsv" 2>/dev/null | grep -qxF "$1"$'\t'"$2"
}

# What the workers of a kind do, one line each: seconds it may take, then a command.
device_queue() {
  local name cells algorithm
  echo "25 dense_ours"
  echo "60 netlib --engine $engine --max-cells 1.5e6"
  for name in sketched steepest; do
    echo "60 netlib --engine $engine --max-cells 1.5e6 --pricing $name --time-limit 60"
  done
  echo "25 crossover_device"
  echo "25 cupdlpx"
  # Those that end soon first, Kennington's largest last.
  "$here/bin/bench_netlib" --set all --min-cells 1500001 --list 2>>"$log/notes.txt" | tac |
    while read -r name cells; do
      for algorithm in dual primal; do
        pending "$name" "$engine/$algorithm" || continue
        echo "125 netlib --engine $engine --set all --only $name --algorithm $algorithm"
      done
    done
  "$here/bin/bench_netlib" --min-cells 1500001 --list 2>/dev/null | tac | while read -r name cells; do
    for algorithm in dual primal; do
      pending "$name" "$engine/$algorithm/steepest" || continue
      echo "65 netlib --engine $engine --only $name --algorithm $algorithm --pricing steepest --time-limit 60"
    done
  done
}

peer_queue() {
  local family solver size name cells peer presolve
  for size in $(tr ' ' '\n' <<<"$dense_sizes" | tac); do
    for solver in highs/ipm highs/dual clp/dual highs/primal clp/primal; do
      for family in origin signed; do
        if [[ $solver == */ipm ]]; then
          echo "$((2 * peer_limit + 20)) dense_peer $solver $family $size $((2 * peer_limit))"
        else
          echo "$((peer_limit + 20)) dense_peer $solver $family $size $peer_limit"
        fi
      done
    done
  done
  echo "20 crossover_host 1"
  for peer in clp highs; do
    echo "100 netlib --algorithm none --peer $peer --max-cells 1.5e6"
    echo "100 netlib --algorithm none --peer $peer --peer-presolve --max-cells 1.5e6"
  done
  "$here/bin/bench_netlib" --set all --min-cells 1500001 --list 2>/dev/null | tac |
    while read -r name cells; do
      for peer in clp highs; do
        for presolve in "" --peer-presolve; do
          pending "$name" "$peer/dual${presolve:+/presolve}" || continue
          echo "$((peer_limit + 35)) netlib --algorithm none --peer $peer $presolve --set all --only $name"
        done
      done
    done
}

# kind, name, cores: takes lines from the queue of that kind until it is empty or time is up.
worker() {
  local line wants least left status
  while line=$(next "$work/$1.queue") && [[ -n $line ]]; do
    wants=${line%% *}
    left=$(seconds_left)
    # Problems of a collection are begun with less than their time, but not with nearly nothing.
    least=$wants
    [[ $line != *" netlib "* ]] || least=25
    if ((left < wants && left < least)); then
      echo "not run: $line" >>"$log/notes.txt"
      continue
    fi
    cores_of=$3 ${line#* } >>"$work/$2.log" 2>&1
    status=$?
    ((status < 2)) || echo "status $status: $line" >>"$log/notes.txt"
  done
}

next() {
  (
    flock 9
    head -n 1 "$1"
    sed -i 1d "$1"
  ) 9>>"$1.lock"
}

# What is left after it is for the tables.
seconds_left() { echo $((end - SECONDS - 6)); }

# Runs a program on the worker's cores until time is up.
bounded() {
  local left
  left=$(seconds_left)
  ((left > 0)) || return 124
  timeout -k 3 "$left" taskset -c "$cores_of" "$@"
}

# A solve that has to be ended takes its process along (75), a crash too: the rest goes on.
netlib() {
  local try status=0 left limit=()
  left=$(seconds_left)
  [[ " $* " == *" --algorithm none "* || " $* " == *" --time-limit "* ]] || limit=(--time-limit 120)
  if ((left < 125)); then limit=(--time-limit $((left - 4))); fi
  limit+=(--peer-limit $((left < peer_limit + 4 ? left - 4 : peer_limit)))
  for try in 1 2 3; do
    bounded "$here/bin/bench_netlib" --results "$log/netlib.tsv" "$@" "${limit[@]}"
    status=$?
    ((status == 75 || status >= 128)) || break
  done
  return $status
}

peer_limit=${peer_limit:-60}
dense_sizes=${dense_sizes:-1000x500 2000x1000 5000x2500}
size_options() { printf -- '--size %s ' $dense_sizes; }

dense_ours() {
  local family algorithm
  for family in origin signed; do
    for algorithm in primal dual; do
      bounded "$here/bin/bench_dense" --engine $engine --family $family --algorithm $algorithm \
        $(size_options) --results "$log/dense.tsv"
    done
  done
}

cupdlpx() {
  local family tolerance left
  if [[ ! -x $here/bin/bench_cupdlpx ]]; then
    echo "not run: cuPDLPx, which was not there when this was built" >>"$log/notes.txt"
    return
  fi
  left=$(seconds_left)
  for tolerance in 1e-4 1e-8; do
    for family in origin signed; do
      bounded "$here/bin/bench_cupdlpx" --solver cupdlpx --family $family --tolerance $tolerance \
        $(size_options) --limit $((left < 4 * peer_limit ? left / 4 : peer_limit)) --results "$log/dense.tsv"
    done
  done
}

dense_peer() {  # solver, family, size, limit
  bounded "$here/bin/bench_peers" --solver "$1" --family "$2" --size "$3" --limit "$4" \
    --results "$log/dense.tsv"
}

grid=()
for size in 50x25 100x50 150x75 200x100 300x150 400x200 600x300 800x400 1000x500 \
  25x100 50x200 75x300 100x400 150x600 200x800 300x1200 400x1600 \
  100x25 200x50 300x75 400x100 600x150 800x200 1200x300 1600x400; do
  grid+=(--size "$size")
done

crossover_host() {  # threads
  local family
  for family in origin signed; do
    bounded "$here/bin/bench_dense" --engine host --threads "$1" --family $family --repeats 3 \
      "${grid[@]}" --results "$log/crossover.tsv"
  done
}

crossover_device() {
  local family
  for family in origin signed; do
    bounded "$here/bin/bench_dense" --engine $engine --family $family --repeats 3 "${grid[@]}" \
      --results "$log/crossover.tsv"
    bounded "$here/bin/bench_dense" --engine $engine --family $family --repeats 3 "${grid[@]}" \
      --pricing sketched --results "$log/crossover.tsv"
  done
  crossover_host "$(($(nproc) < 32 ? $(nproc) / 4 : 8))"
}

tables() {
  local main=$engine/primal,$engine/dual,clp/dual,highs/dual,clp/dual/presolve,highs/dual/presolve
  echo "# Netlib and Kennington"
  "$here/bin/bench_netlib" --print "$log/netlib.tsv" --solvers $main
  echo "# Sketched against exact weights"
  # Large problems are priced with sketched weights without being asked.
  awk -v e="$engine" -F '\t' -v OFS='\t' '($4 == e "/primal" || $4 == e "/dual") && $2 * $3 > 1e6 {
    $4 = $4 "/sketched"; print }' "$log/netlib.tsv" >"$work/sketched.tsv"
  "$here/bin/bench_netlib" --print "$work/sketched.tsv" "$log/netlib.tsv" \
    --solvers "$engine/primal/sketched,$engine/primal/steepest,$engine/dual/sketched,$engine/dual/steepest"
  echo "# Dense"
  "$here/bin/bench_netlib" --print "$log/dense.tsv" --ratios
  echo "# Engine auto"
  "$here/bin/bench_netlib" --print "$log/crossover.tsv" --ratios
  echo
  equal_at "$log/crossover.tsv"
}

# From how many entries on the device is the quicker one: log(host / cuda) is fitted by a straight line
# in log(rows x columns), for each family and number of threads.
equal_at() {
  awk -F '\t' '
    $6 { cells[$1] = $2 * $3 }
    $6 && $4 ~ /^cuda/ && (!($1 in device) || $8 < device[$1]) { device[$1] = $8 }
    $6 && $4 ~ /^host/ {
      threads = $4
      sub(/.*threads=/, "", threads)
      host[$1 "\t" threads] = $8
    }
    END {
      for (key in host) {
        split(key, part, "\t")
        if (!(part[1] in device) || cells[part[1]] < 2000) continue
        split(part[1], word, " ")
        group = word[1] ", " part[2] " threads on the host"
        x = log(cells[part[1]]); y = log(host[key] / device[part[1]])
        n[group]++; sx[group] += x; sy[group] += y; sxx[group] += x * x; sxy[group] += x * y
      }
      for (group in n) {
        spread = n[group] * sxx[group] - sx[group] ^ 2
        if (spread <= 0) continue
        slope = (n[group] * sxy[group] - sx[group] * sy[group]) / spread
        if (slope > 0)
          printf "%s: equal at %.0f entries, host / cuda = (entries / that)^%.2f\n", group,
            exp(sx[group] / n[group] - sy[group] / n[group] / slope), slope
      }
    }' "$1" | sort
}
