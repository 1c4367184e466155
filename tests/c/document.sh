#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Compiles the first program of docs/guide/c.md, runs it, and compares what it prints with what is said there.
#
#     document.sh COMPILER SOURCE LIBRARY FOLDER
set -eu
compiler=$1 source=$2 library=$3 folder=$4
mkdir -p "$folder"
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$source/docs/guide/c.md" >"$folder/document.c"
"$compiler" -std=c11 -Wall -Wextra -pedantic-errors -Werror "$folder/document.c" \
  -o "$folder/document" -I "$source/c" "$library" -Wl,-rpath,"$(dirname "$library")"
printed=$("$folder/document")
grep -qF "prints \`$printed\`" "$source/docs/guide/c.md" || {
  echo "docs/guide/c.md does not say: $printed"
  exit 1
}
