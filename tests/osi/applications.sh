#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# Applications of COIN-OR that know nothing of this project, built twice from Debian's source packages: as they
# are, with OsiClp, and with the name of the solver's class changed. Both have to say the same.
#
#     applications.sh ROOT LIBRARIES [FOLDER]
#
# ROOT: the source tree; LIBRARIES: the folder with libOsiCuda.so; FOLDER: where sources are fetched to and
# programs built (a temporary folder that is removed, if none is named). Fetches with apt, into lists of its own;
# needs no root. applications.tsv names the applications. Status 77 where the sources can't be had, which a test
# shows as skipped; 1 where an application differs or does not build.
set -uo pipefail
root=${1:?the source tree is missing} libraries=${2:?the folder with libOsiCuda.so is missing}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($# > 2)); then
  work=$3
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
work=$(cd "$work" && pwd)
samples=/usr/share/coin/Data/Sample

skip() { echo "skipped: $*" >&2; exit 77; }
command -v apt-get >/dev/null || skip "there is no apt-get"
[[ -d $samples ]] || skip "$samples is missing (coinor-libcoinutils-dev)"

# ---- sources -----------------------------------------------------------------------------------

fetch() {
  local apt=$work/apt suite package
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  [[ $(. /etc/os-release && echo "$ID") == debian && -n $suite ]] || skip "this is not a release of Debian"
  mkdir -p "$apt"/{lists,cache/archives}/partial "$work/fetched" "$work/sources"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian $suite main" >"$apt/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
  apt-get "${options[@]}" update >"$work/apt.log" 2>&1 || skip "apt-get update: see $work/apt.log"
  for package in coinor-cbc coinor-cgl coinor-osi; do
    (cd "$work/fetched" && apt-get "${options[@]}" source --download-only "$package") >>"$work/apt.log" 2>&1 ||
      echo "no sources of $package" >&2
  done
  local archive
  for archive in "$work"/fetched/*.orig.tar.*; do
    [[ -f $archive ]] || skip "no source package could be fetched: see $work/apt.log"
    tar -xf "$archive" -C "$work/sources"
  done
}
[[ -d $work/sources ]] || fetch

# ---- what is changed ---------------------------------------------------------------------------

# The class and its header; then what is Clp's own, which has a general form or is left out. docs/evidence/applications.md lists the same.
# CglLandP works with OsiClp alone and throws with any other solver.
swap() {
  name_solver "$1" | sed -e 's/OsiClpSolverInterface/OsiCudaSolverInterface/g' -e '/CglLandPUnitTest(/d' \
    -e 's/std::vector< *std::string *> columnNames = \*solver1\.getModelPtr()->columnNames();/std::vector<std::string> columnNames; for (int k = 0; k < solver1.getNumCols(); ++k) columnNames.push_back(solver1.getColName(k));/' \
    -e '/getModelPtr()/d' -e '/setupForRepeatedUse(/d' -e '/setSpecialOptions(osiclp/d' -e '/osiclp->setSpecialOptions/d'
}
# Osi's examples leave the class open.
name_solver() {
  sed -e 's/#include OSIXXXhpp/#include "OsiClpSolverInterface.hpp"/' -e 's/OSIXXX/OsiClpSolverInterface/g' "$1"
}

flags=(-std=c++17 -O1 -w -DCOIN_HAS_CLP -DCOIN_HAS_OSICLP "-DSAMPLEDIR=\"$samples\"" -I/usr/include/coin)
coin=(-lCbc -lCgl -lOsiClp -lClp -lOsi -lCoinUtils)

# build SIDE NAME FOLDER SOURCE...: the program in $work/SIDE/NAME
build() {
  local side=$1 name=$2 folder=$3 file
  shift 3
  local to=$work/$side/$name.d
  mkdir -p "$to"
  cp "$folder"/*.hpp "$folder"/*.h "$to" 2>/dev/null
  local sources=()
  for file in "$@"; do
    if [[ $side == cuda ]]; then swap "$folder/$file" >"$to/$file"; else name_solver "$folder/$file" >"$to/$file"; fi
    sources+=("$to/$file")
  done
  "${CXX:-c++}" "${flags[@]}" -I"$to" -I"$root" -I"$root/osi" "${sources[@]}" -o "$work/$side/$name" \
    -L"$libraries" -Wl,-rpath,"$libraries" -lOsiCuda "${coin[@]}" >"$work/$side/$name.build" 2>&1
}

# ---- the runs ----------------------------------------------------------------------------------

failures=0 same=0
while IFS=$'\t' read -r name package sources arguments seconds pattern; do
  [[ -z $name || $name == \#* ]] && continue
  folder=$(find "$work/sources" -type d -path "*/$package" | head -n 1)
  if [[ -z $folder ]]; then
    echo "$name: its sources could not be fetched"
    continue
  fi
  arguments=${arguments//@samples/$samples}
  arguments=${arguments//@folder/$folder}
  [[ $arguments == - ]] && arguments=
  ok=yes
  for side in clp cuda; do
    mkdir -p "$work/$side"
    read -ra files <<<"$sources"
    if ! build $side "$name" "$folder" "${files[@]}"; then
      echo "$name: does not build with $side: see $work/$side/$name.build"
      ok=no
      break
    fi
    read -ra words <<<"$arguments"
    (cd "$work/$side/$name.d" && timeout "$seconds" "$work/$side/$name" "${words[@]}") </dev/null >"$work/$side/$name.out" 2>&1
    status=$?
    { grep -oE "$pattern" "$work/$side/$name.out" || true; echo "status $status"; } |
      sed -E 's/OsiCudaSolver/OsiClpSolver/g; s/([0-9]\.[0-9]{4})[0-9]*/\1/g; s/-0(\.0*)?$/0/' | sort -u >"$work/$side/$name.said"
  done
  [[ $ok == no ]] && { ((++failures)); continue; }
  if cmp -s "$work/clp/$name.said" "$work/cuda/$name.said" && (($(wc -l <"$work/clp/$name.said") > 1)); then
    echo "$name: the same ($(grep -v ^status "$work/cuda/$name.said" | head -n 2 | tr '\n' ';' | cut -c1-70))"
    ((++same))
  else
    echo "$name: differs"
    diff "$work/clp/$name.said" "$work/cuda/$name.said" | head -n 10
    ((++failures))
  fi
done <"$here/applications.tsv"
echo "$same the same, $failures not"
((same > 0)) || exit 77
exit $((failures > 0))
