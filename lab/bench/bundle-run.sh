#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# Runs the tests and benchmarks of a bundle (./dev bundle) on a machine with a GPU.
#     run.sh [tests] [netlib] [dense] [sanitizers]     nothing named: all of these
#     run.sh resolves                                  re-solves: random changes, what they take
#     run.sh reading                                   from file to answer (reading.sh)
#     run.sh evidence                                  rows of the pages of evidence (lab/evidence/run.py): parts="dense gpus ..."
#                                                      or all of the machine's; options="--minutes 8 --lanes 4 ..."
#     run.sh devices                                   1, 2, 4, 8 GPUs (several_devices.py); Dask for its farm
#     run.sh examples                              tables of the examples' kernels (examples.sh), their tests, sanitizers:
#                                                  parts="textbook paths sweeps response kernels sanitizers"
# CUDA's own libraries are looked for on this machine. Logs go to $OUT, or to ./log.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
log=${OUT:-$here/log}
mkdir -p "$log"
[[ -d $here/lib ]] || tar -C "$here" -xzf "$here/lib.tar.gz"
export OSI_CUDA_DATA=$here/data
export LD_LIBRARY_PATH=$here/lib:${LD_LIBRARY_PATH:-}
for library in libcudart.so.13 libcublas.so.13 libcublasLt.so.13 libcusolver.so.12 libcusparse.so.12 libnvJitLink.so.13; do
  ldconfig -p | grep -q "$library" && continue
  found=$(find /usr/local /opt /usr/lib -name "$library" 2>/dev/null | head -n 1)
  [[ -n $found ]] && LD_LIBRARY_PATH=$LD_LIBRARY_PATH:${found%/*}
done

# name, then a command: its last lines here, everything in a file
part() {
  local name=$1 begin=$SECONDS status
  shift
  "$@" >"$log/$name.txt" 2>&1
  status=$?
  printf '== %s: status %d, %d s\n' "$name" "$status" $((SECONDS - begin))
  tail -n "${lines:-4}" "$log/$name.txt"
}

tests() {
  part engine timeout 200 "$here/bin/test_engine" --color_output=no
  part cuda timeout 300 "$here/bin/test_cuda" --color_output=no
}
# Random changes verified on the device (sequences="FIRST COUNT STEPS"), re-solves taken apart, rates
# beside OsiClp, sanitizers.
resolves() {
  local files=("$here"/data/miplib3/{gesa2,mod011}.mps.gz knapsack:100x2000:1 knapsack:500x2000:1)
  local tool breakdown=("$here/bin/osi_resolve_breakdown" --steps 12)
  part changes timeout 100 "$here/bin/test_engine" --color_output=no --run_test=engine_contract
  part sequences timeout 200 env OSI_CUDA_TEST_ENGINE=cuda OSI_CUDA_SEQUENCES="${sequences:-1 60 40}" \
    "$here/bin/test_osi" --color_output=no --log_level=message --run_test='resolves/every*'
  lines=140 part breakdown timeout 120 "${breakdown[@]}" "${files[@]}"
  part compare timeout 120 "${breakdown[@]}" --compare knapsack:100x2000:2 cover:200x1000:10:1
  for tool in memcheck racecheck initcheck; do
    lines=3 part "resolve-$tool" timeout 100 compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$here/bin/osi_resolve_breakdown" --steps 3 knapsack:40x60:1
  done
  lines=20 part rates timeout 240 "$here/bin/osi_resolve_report" --seconds 8 --option engine cuda \
    "${files[@]}" "$here"/data/miplib3/{fixnet6,arki001}.mps.gz
}
# The tables of docs/evidence/python.md about files.
reading() {
  lines=80 part reading timeout 560 env engine=cuda bash "$here/reading.sh" "$here/bin"
}
# Each part has a limit of ten minutes; `lab/evidence/run.py --merge rows.tar.gz` takes the rows into lab/data.
evidence() {
  # shellcheck disable=SC2086
  lines=60 part "${name:-evidence}" python3 "$here/lab/evidence/run.py" --bin "$here/bin" --out "$log/${name:-evidence}" \
    --pack "$log/${name:-evidence}.tar.gz" ${options:-} ${parts:---all}
}
# parts="batches barrier" and counts="1,2" narrow it.
devices() {
  lines=60 part devices timeout 3600 python3 "$here/several_devices.py" ${parts:-} \
    --bin "$here/bin" --counts "${counts:-1,2,4,8}"
}
examples() {
  # shellcheck disable=SC2086
  bin=$here/bin OUT=$log bash "$here/examples.sh" ${parts:-}
}
netlib() {
  local set
  for set in netlib netlib-infeasible; do
    lines=130 part "$set" timeout 400 "$here/bin/osi-cuda" regress "$here/data/$set/reference.csv" \
      --database "$log/netlib.sqlite" --engine cuda --max-cells "${cells:-1e6}" --time-limit 20 --presolve off
  done
}
dense() {
  lines=12 part dense-origin timeout 300 "$here/bin/bench_dense" --engine cuda --repeats 5 \
    --size 1000x500 --size 2000x1000 --size 5000x2500
  lines=12 part dense-signed timeout 300 "$here/bin/bench_dense" --engine cuda --repeats 3 \
    --family signed --size 1000x500 --size 2000x1000
}
sanitizers() {
  local tool
  for tool in memcheck racecheck initcheck; do
    lines=3 part "$tool" timeout 200 compute-sanitizer --tool "$tool" "$here/bin/bench_dense" \
      --engine cuda --repeats 1 --size 90x50
  done
}

(($#)) || set -- tests netlib dense sanitizers
for command; do "$command"; done
