#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Libraries that few problems need are opened when they are called, and do their work then.
#
#     late_libraries.sh OSI_CUDA
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'NAME t\nROWS\n N c\n L r\nCOLUMNS\n x c -1 r 3\nRHS\n R r 1\nENDATA\n' >"$folder/t.mps"
opened() {
  LD_DEBUG=files LD_DEBUG_OUTPUT="$folder/files" "$program" "$@" >"$folder/out"
  cat "$folder"/files.* | sed -n 's/.*calling init: .*\/lib\(flint\|openblas\|lapacke\)\..*/\1/p'
  rm "$folder"/files.*
}
[ -z "$(opened info --completions bash)" ]
[ -z "$(opened solve "$folder/t.mps" --engine host --exact off | grep flint)" ]
[ "$(opened solve "$folder/t.mps" --engine host --exact on | grep flint)" = flint ]
grep -q -- '-1/3' "$folder/out"
[ "$(opened info)" = openblas ]
grep -q OpenBLAS "$folder/out"
