#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# OpenBLAS is opened when a dense block calls it, and not before; where it is missing the program says so.
#
#     late_blas.sh OSI_CUDA
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'NAME t\nROWS\n N c\n L r\nCOLUMNS\n x c -1 r 3\nRHS\n R r 1\nENDATA\n' >"$folder/t.mps"
opened() {
  LD_DEBUG=files LD_DEBUG_OUTPUT="$folder/files" "$program" "$@" >"$folder/out"
  cat "$folder"/files.* | sed -n 's/.*calling init: .*\/libopenblas\..*/openblas/p'
  rm "$folder"/files.*
}
[ -z "$(opened --version)" ]
[ -z "$(opened solve "$folder/t.mps" --engine host)" ]
[ "$(opened info)" = openblas ]
: >"$folder/libopenblas.so.0"
status=0
LD_LIBRARY_PATH=$folder "$program" info >"$folder/out" 2>"$folder/err" || status=$?
[ "$status" -ne 0 ] && [ "$status" -lt 126 ]
grep -q 'openblas_get_config is missing: .*libopenblas.so.0' "$folder/err"
