#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# What `stress` does when it is asked wrongly, and what --check makes of its exit status.
# usage: usage.sh PROGRAM
set -u
program=$1
failures=0

# expect STATUS TEXT ARGUMENT...: the exit status, and a text in what is printed.
expect() {
  status=$1 text=$2
  shift 2
  output=$("$program" "$@" 2>&1)
  found=$?
  if [ "$found" != "$status" ] || ! printf '%s' "$output" | grep -q -e "$text"; then
    echo "stress $*: status $found, not $status, or no '$text' in: $output"
    failures=$((failures + 1))
  fi
}

expect 64 "there is no kind hilbrt" --kind hilbrt
expect 64 "there is no base model afiroo" --base afiroo
expect 64 "wants FIRST-LAST" --seeds 3-1 --kind cycling
expect 64 "wants FIRST-LAST" --seeds x --kind cycling
expect 64 "can't be written" --kind cycling --constructed 1 --peers clp --csv /no/such/folder/claims.csv
expect 64 "there is no family of integer problems hilbrt" --set integers --kind hilbrt
expect 64 "there is no interface fortran" --set integers --interface fortran
expect 64 "there is no interface cbc:gomry" --set integers --interface cbc:gomry
expect 0 "near-whole" --list
expect 0 "klee-minty" --list
expect 0 "assignment . 1 . 2 . 2 . 0" --kind assignment --constructed 1 --peers clp
# A worker that can't be made to answer counts as missing only where another solver has an answer;
# a run without any solve is no success.
expect 1 "0 solves" --kind scale4 --base afiro --algorithm , --check

# A worker does not outlive the program that it works for.
"$program" --kind scale4 --seeds 1-1000 --base e226 --peers clp >/dev/null 2>&1 &
run=$!
worker=
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  sleep 0.3
  worker=$(cat /proc/$run/task/$run/children 2>/dev/null)
  if [ -n "$worker" ]; then break; fi
done
kill -KILL $run
wait $run 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  if [ -n "$worker" ] && [ ! -d "/proc/${worker% }" ]; then break; fi
  sleep 0.3
done
if [ -z "$worker" ] || [ -d "/proc/${worker% }" ]; then
  echo "the worker '$worker' of a program that was killed goes on"
  failures=$((failures + 1))
fi
exit $((failures > 0))
