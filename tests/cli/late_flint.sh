#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# FLINT is opened when a proof in rational arithmetic calls it, and not before.
#
#     late_flint.sh OSI_CUDA
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'NAME t\nROWS\n N c\n L r\nCOLUMNS\n x c -1 r 3\nRHS\n R r 1\nENDATA\n' >"$folder/t.mps"
opened() {
  LD_DEBUG=files LD_DEBUG_OUTPUT="$folder/files" "$program" solve "$folder/t.mps" --engine host "$@" >"$folder/out"
  cat "$folder"/files.* | sed -n 's/.*calling init: .*\/libflint\..*/flint/p'
  rm "$folder"/files.*
}
[ -z "$(opened --exact off)" ]
[ "$(opened --exact on)" = flint ]
grep -q -- '-1/3' "$folder/out"
