#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Installs a build into a folder of its own and builds a consumer against it: through find_package,
# shared and static, and through pkg-config; or against the sources, through add_subdirectory; or
# starts the installed program, moved elsewhere and with the build folder out of sight.
#
#     run.sh package|subdirectory|program BUILD SOURCE MODEL
set -eu
kind=$1 build=$2 source=$3 model=$4
work=$build/install-test-$kind
consumer=$source/tests/install
rm -rf "$work"
mkdir -p "$work"

if [ "$kind" = package ]; then
  cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
  lib=$(dirname "$(find "$work/prefix" -name libOsiCuda.so | head -n 1)")
  test -L "$lib/libOsiCuda.so"                       # the development name,
  test -L "$lib/libOsiCuda.so.0.1"                   # the one that programs ask for,
  test -f "$(readlink -f "$lib/libOsiCuda.so")"      # the library
  test -f "$work/prefix/include/coin/OsiCudaSolverInterface.hpp"

  test -L "$lib/libosi_cuda.so.0"
  test -f "$work/prefix/include/osi_cuda.h"

  python3 "$consumer/pages.py" "$source" "$work/pages"
  cmake -S "$consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" -DOSI_CUDA_PAGES="$work/pages" \
    -DOSI_CUDA_C_EXAMPLE="$source/c/examples/first.c" >"$work/cmake.log"
  cmake --build "$work/cmake" >>"$work/cmake.log"
  "$work/cmake/consumer" "$model"
  "$work/cmake/consumer_static" "$model"
  "$work/cmake/consumer_batch_OsiCuda"
  "$work/cmake/consumer_batch_OsiCudaStatic"
  "$work/cmake/consumer_c" | grep -q "gain    188"
  "$work/cmake/consumer_analysis_OsiCuda"
  "$work/cmake/consumer_analysis_OsiCudaStatic"
  test "$("$work/cmake/page_start")" = "8 at (2, 3)"
  for page in batch variants bounds ranging; do "$work/cmake/page_$page"; done

  export PKG_CONFIG_PATH="$lib/pkgconfig"
  test "$(pkg-config --modversion osi-cuda)" = 0.1.0
  ${CXX:-c++} -std=c++17 "$consumer/consumer.cpp" -o "$work/plain" \
    $(pkg-config --cflags osi-cuda) $(pkg-config --libs osi-cuda)
  LD_LIBRARY_PATH="$lib" "$work/plain" "$model"
  ${CXX:-c++} -std=c++20 "$consumer/consumer_batch.cpp" -o "$work/plain_batch" \
    $(pkg-config --cflags osi-cuda) $(pkg-config --libs osi-cuda)
  LD_LIBRARY_PATH="$lib" "$work/plain_batch"
  # As the page says, without a variable for the loader.
  cp "$work/pages/page_start.cpp" "$work/first.cpp"
  (cd "$work" && eval "$(sed -n '/^    g++ .*first\.cpp/,/[^\\]$/p' "$source/docs/guide/start.md")")
  test "$("$work/first")" = "8 at (2, 3)"

  test "$(pkg-config --modversion osi-cuda-c)" = 0.1.0
  ${CC:-cc} -std=c11 "$source/c/examples/first.c" -o "$work/plain_c" \
    $(pkg-config --cflags osi-cuda-c) $(pkg-config --libs osi-cuda-c)
  LD_LIBRARY_PATH="$lib" "$work/plain_c" | grep -q "gain    188"

  # What the installed headers declare is to be seen, and nothing else: each name of the project in the
  # symbols is one of a header, and each function that the static library defines by such a name is there.
  nm -DC --defined-only "$lib/libOsiCuda.so" >"$work/shown"
  words=$(cat "$work/prefix/include/osi_cuda"/*/*.hpp | grep -oE '[A-Za-z0-9_]+' | sort -u)
  strangers=$(sed -E 's/^[0-9a-f]+ . //; s/[(<].*//' "$work/shown" | grep -oE '(^| for )osi_cuda::[A-Za-z0-9_]+' |
    sed 's/.*:://' | sort -u | grep -vxF "$words" || true)
  test -z "$strangers" || { echo "exported, but in no header: $strangers"; exit 1; }
  ! grep -v 'osi_cuda::\|OsiCudaSolverInterface' "$work/shown" || { echo "exported strangers"; exit 1; }
  for name in 'Solver::solve' 'Solver::setColumnBounds' setOption ranging infeasibleSubsystem relax solveByRank \
    solveIntegers diagnose residualsOf 'LinearProgram::rowName' 'SparseMatrix::transposed' 'VariantSolver::solve' \
    'typeinfo for osi_cuda::EngineUnavailable'; do
    grep -qE "osi_cuda::${name#*osi_cuda::}($|[^A-Za-z0-9_])" "$work/shown" || { echo "not exported: $name"; exit 1; }
  done
elif [ "$kind" = program ]; then
  away=$(mktemp -d)
  trap 'rm -rf "$away"' EXIT
  cmake --install "$build" --prefix "$away/made" >"$work/install.log"
  mv "$away/made" "$away/moved"  # nothing may depend on where it was installed
  here=$build/bin/osi-cuda there=$away/moved/bin/osi-cuda
  # No file looks for libraries in the build folder.
  for file in "$there" $(find "$away/moved" -name '*.so*' -type f); do
    if readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -F "$build"; then
      echo "$file: would look into the build folder"
      exit 1
    fi
  done

  # The build folder out of sight, in a mount namespace of our own where the system allows it.
  cp "$model" "$away/model.mps"
  "$here" info --json >"$away/here.json"
  cat >"$away/try.sh" <<'END'
set -eu
if [ "$2" = hide ]; then mount -t tmpfs none "$1"; test ! -e "$1/bin"; fi
cd /
program=$3/moved/bin/osi-cuda
env -i PATH=/usr/bin:/bin "$program" info --json >"$3/there.json"
env -i PATH=/usr/bin:/bin "$program" solve "$3/model.mps"
env -i PATH=/usr/bin:/bin "$program" compare "$3/model.mps"
LD_DEBUG=files "$program" info 2>"$3/loaded" >"$3/info"
END
  if unshare --user --map-root-user --mount true 2>"$work/unshare.log"; then
    unshare --user --map-root-user --mount sh "$away/try.sh" "$build" hide "$away"
  else
    sh "$away/try.sh" "$build" seen "$away"
  fi
  # The same engines, libraries and bridges as in the build folder, and none taken from there.
  for place in here there; do
    grep -v '"cuda_module_file"' "$away/$place.json" >"$away/$place.txt"
  done
  diff "$away/here.txt" "$away/there.txt"
  ! grep -F "$build/" "$away/loaded" || { echo "loaded from the build folder"; exit 1; }

  # GLPK's module is a part of its own, with its licence, and the rest does without it.
  if grep -q '"glpk": "[0-9]' "$away/here.json"; then
    cmake --install "$build" --prefix "$away/glpk" --component glpk >>"$work/install.log"
    (cd "$away/glpk" && find . -type f -exec basename {} \; | sort) >"$away/part"
    printf 'LICENSE\nOsiCudaBridge-glpk.so\n' | diff - "$away/part"
    grep -q 'GNU GENERAL PUBLIC LICENSE' "$(find "$away/glpk" -name LICENSE)"
    ! readelf -d "$there" | grep -E 'NEEDED.*(glpk|Clp|lpsolve|highs)' || exit 1
    rm "$(find "$away/moved" -name OsiCudaBridge-glpk.so)"
    "$there" compare "$away/model.mps" 2>&1 | grep 'solver glpk is left out: no file'
  fi
else
  cmake -S "$consumer" -B "$work/cmake" -DOSI_CUDA_SOURCE="$source" -DOSI_CUDA_CUDA=OFF \
    -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log"
  cmake --build "$work/cmake" --target consumer --parallel 2 >>"$work/cmake.log"
  "$work/cmake/consumer" "$model"
fi
