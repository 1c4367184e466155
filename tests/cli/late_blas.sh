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
# 20 dense rows and columns, with weights formed in a tableau that pivots have changed.
awk 'function next_() { s = (s * 75 + 74) % 65537; return s % 19 - 5 }
BEGIN { s = 1; n = 20; print "NAME d\nROWS\n N c"; for (i = 1; i <= n; ++i) print (i % 2 ? " L r" : " G r") i; print "COLUMNS"
  for (j = 1; j <= n; ++j) { print " x" j " c " next_(); for (i = 1; i <= n; ++i) print " x" j " r" i " " next_() }
  print "RHS"; for (i = 1; i <= n; ++i) print " R r" i " " (i % 2 ? 100 + i : i); print "ENDATA" }' >"$folder/d.mps"
[ -z "$(opened solve "$folder/d.mps" --engine host)" ]
grep -q 'primal 2' "$folder/out"
[ "$(opened info)" = openblas ]
: >"$folder/libopenblas.so.0"
status=0
LD_LIBRARY_PATH=$folder "$program" info >"$folder/out" 2>"$folder/err" || status=$?
[ "$status" -ne 0 ] && [ "$status" -lt 126 ]
grep -q 'openblas_get_config is missing: .*libopenblas.so.0' "$folder/err"
