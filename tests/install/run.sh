#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Installs a build into a folder of its own and builds a consumer against it: through find_package,
# shared and static, and through pkg-config; or against the sources, through add_subdirectory.
#
#     run.sh package BUILD SOURCE MODEL      run.sh subdirectory BUILD SOURCE MODEL
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

  cmake -S "$consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DOSI_CUDA_C_EXAMPLE="$source/c/examples/first.c" >"$work/cmake.log"
  cmake --build "$work/cmake" >>"$work/cmake.log"
  "$work/cmake/consumer" "$model"
  "$work/cmake/consumer_static" "$model"
  "$work/cmake/consumer_c" | grep -q "gain    188"

  export PKG_CONFIG_PATH="$lib/pkgconfig"
  test "$(pkg-config --modversion osi-cuda)" = 0.1.0
  ${CXX:-c++} -std=c++17 "$consumer/consumer.cpp" -o "$work/plain" \
    $(pkg-config --cflags osi-cuda) $(pkg-config --libs osi-cuda)
  LD_LIBRARY_PATH="$lib" "$work/plain" "$model"

  test "$(pkg-config --modversion osi-cuda-c)" = 0.1.0
  ${CC:-cc} -std=c11 "$source/c/examples/first.c" -o "$work/plain_c" \
    $(pkg-config --cflags osi-cuda-c) $(pkg-config --libs osi-cuda-c)
  LD_LIBRARY_PATH="$lib" "$work/plain_c" | grep -q "gain    188"

  # Nothing but the class is to be seen.
  strangers=$(nm -DC --defined-only "$lib/libOsiCuda.so" | grep -v OsiCudaSolverInterface || true)
  test -z "$strangers" || { echo "exported besides the class: $strangers"; exit 1; }
else
  cmake -S "$consumer" -B "$work/cmake" -DOSI_CUDA_SOURCE="$source" -DOSI_CUDA_CUDA=OFF \
    -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log"
  cmake --build "$work/cmake" --target consumer --parallel 2 >>"$work/cmake.log"
  "$work/cmake/consumer" "$model"
fi
