#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# The class and its tests with another generation of COIN-OR than the system's.
#
#     generation.sh ROOT PREFIX BUILD [SOURCES [configure's arguments]]
#
# ROOT: the source tree; PREFIX: where CoinUtils, Osi (with its common tests), Clp, Cgl and Cbc are installed;
# BUILD: a folder for this build. With SOURCES, a folder with the sources of CoinUtils, Osi, Clp, Cgl and Cbc, each in
# a folder of that name (of a release or of master), they are built into PREFIX first. Fetches nothing. Runs Osi's common
# tests and the tests of tests/osi. Status 77 where PREFIX has no Osi and no SOURCES are named.
set -euo pipefail
root=${1:?the source tree is missing} prefix=${2:?the prefix is missing} build=${3:?the build folder is missing}
sources=${4:-}
shift $(($# < 4 ? $# : 4))
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib64/pkgconfig
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-1}

# Releases have the configure script of the project one folder further down than master, and build Cbc without threads
# unless they are asked for; the other projects ignore that. (docs/guide/osi.md: what Cbc of master
# wants in CXXFLAGS.)
if [[ -n $sources ]]; then
  for project in CoinUtils Osi Clp Cgl Cbc; do
    configure=$sources/$project/$project/configure
    [[ -x $configure ]] || configure=$sources/$project/configure
    mkdir -p "$build/coin/$project"
    (cd "$build/coin/$project" && "$configure" --prefix="$prefix" --enable-cbc-parallel \
      CXXFLAGS="-O1 -w -std=c++17" CFLAGS="-O1 -w" "$@" &&
      make -j"$jobs" && make install) >"$build/coin/$project.log" 2>&1 ||
      { echo "$project does not build: see $build/coin/$project.log" >&2; exit 1; }
  done
fi
pkg-config --exists osi || { echo "skipped: there is no Osi in $prefix" >&2; exit 77; }
[[ $(pkg-config --variable=prefix osi) == "$prefix" ]] || { echo "skipped: Osi is not that of $prefix" >&2; exit 77; }

cmake -S "$root" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release -DOSI_CUDA_CUDA=OFF \
  -DOSI_CUDA_EXAMPLES=OFF -DOSI_CUDA_WERROR=ON >/dev/null
cmake --build "$build" --target osi_common_tests test_osi -j"$jobs"
folder=$build/generation
mkdir -p "$folder"
cd "$folder"
"$build/bin/osi_common_tests" cuda --least 1200 | grep -E "^(TALLY|TOTAL)"
"$build/bin/test_osi" --log_level=error --report_level=short
