#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Runs the examples in C and looks at what they print.
#
#     examples.sh FOLDER AFIRO [WRAPPER...]     WRAPPER: a program to run them under, e.g. valgrind
set -eu
folder=$1 afiro=$2
shift 2
fail() {
  echo "$1 printed:"
  cat
  exit 1
}
expect() { # NAME TEXT ARGUMENT...
  name=$1 text=$2
  shift 2
  case $("$@" 2>&1) in
    *"$text"*) ;;
    *) "$@" 2>&1 | fail "$name" ;;
  esac
}
expect first "gain    188" "$@" "$folder/c_first"
expect first "one more hour gains 3.5, one more kilogram 0.4" "$@" "$folder/c_first"
expect proofs "the rows need 3, the columns give at most 1; proof: exact" "$@" "$folder/c_proofs"
expect proofs "unbounded" "$@" "$folder/c_proofs"
expect resolve "optimum -464.7531429" "$@" "$folder/c_resolve" "$afiro"
expect resolve "32 solves from the last basis took" "$@" "$folder/c_resolve" "$afiro"
if "$folder/c_resolve" /nowhere/a.mps 2>/dev/null; then
  echo "a missing file is no failure"
  exit 1
fi
