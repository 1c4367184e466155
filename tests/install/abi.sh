#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Compares what programs compiled against the last release rely on with this build: signatures of osi_cuda.h (by
# abidiff), its constants, and the symbols of both libraries. Something added is fine; something removed or changed
# fails, a private method too, as long as it is a symbol. Exit status 77, skipped, where there is no abidiff (Debian: abigail-tools).
#
#     abi.sh BUILD SOURCE           compares with the files in tests/install/abi
#     abi.sh BUILD SOURCE renew     writes those files anew: with a release, or with a new soname
set -eu
export LC_ALL=C
build=$1 source=$2 renew=${3:-}
command -v abidiff >/dev/null || { echo "skipped: there is no abidiff"; exit 77; }
baseline=$source/tests/install/abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# signatures HEADER FILE: a library that has every function of the header, without a body that means something:
# its debugging information says what a call looks like, and nothing of what is inside.
signatures() {
  ${CC:-cc} -E -P "$1" | tr '\n' ' ' | sed 's/;/;\n/g' |
    sed -E '/^ *(typedef|extern)/!s/(osi_cuda_[a-z0-9_]+\(.*\));$/\1 { __builtin_trap(); }/' >"$work/all.c"
  ${CC:-cc} -g -w -fPIC -shared -Wl,--version-script="$source/c/osi_cuda.map" "$work/all.c" -o "$work/all.so"
  abidw --no-corpus-path --no-comp-dir-path --no-elf-needed --no-show-locs --type-id-style hash "$work/all.so" >"$2"
}

# names HEADER: constants, and symbols with their versions but for those of classes inside a class.
names() {
  ${CC:-cc} -E -P "$1" | grep -oE 'OSI_CUDA_[A-Z0-9_]+ = -?[0-9]+' | sed 's/^/osi_cuda.h /'
  for library in osi_cuda OsiCuda; do
    nm -D --defined-only --with-symbol-versions "$build/bin/lib$library.so" |
      awk -v library="lib$library.so" '$2 ~ /[TDBRV]/ && $3 !~ /5State|6Branch/ {print library, $3}'
  done
}

signatures "$source/c/osi_cuda.h" "$work/osi_cuda.abi"
names "$source/c/osi_cuda.h" | sort >"$work/names"
if [ "$renew" = renew ]; then
  cp "$work/osi_cuda.abi" "$work/names" "$baseline/"
  exit
fi

# Every exported function is in the header, so that the signatures are all of them.
nm -D --defined-only "$work/all.so" | awk '$2 == "T" {print $3}' | sort >"$work/declared"
nm -D --defined-only "$build/bin/libosi_cuda.so" | awk '$2 == "T" {print $3}' | sort | diff - "$work/declared"

same() {  # ABI NAMES: whether nothing of the baseline is missing
  abidiff --no-added-syms "$baseline/osi_cuda.abi" "$1" >"$work/report" || { cat "$work/report"; return 1; }
  ! comm -23 "$baseline/names" "$2" | grep .
}
same "$work/osi_cuda.abi" "$work/names" || { echo "programs compiled against the last release would break"; exit 1; }

# It sees a function that is gone, a changed argument, a changed constant and a symbol that is gone.
seen() {  # EXPRESSION: of sed, for the header
  sed "$1" "$source/c/osi_cuda.h" >"$work/osi_cuda.h"
  ! cmp -s "$work/osi_cuda.h" "$source/c/osi_cuda.h"
  signatures "$work/osi_cuda.h" "$work/changed.abi"
  names "$work/osi_cuda.h" | sort >"$work/changed.names"
  ! same "$work/changed.abi" "$work/changed.names" >"$work/said" || { echo "not seen: $1"; exit 1; }
  grep . "$work/said" | sed -n '1,4p'
}
seen 's/osi_cuda_interrupt(/osi_cuda_halt(/'
seen 's/int64_t osi_cuda_nonzeros/int32_t osi_cuda_nonzeros/'
seen 's/OSI_CUDA_BUSY = 8/OSI_CUDA_BUSY = 88/'
grep -v readMps "$work/names" >"$work/fewer"
! same "$work/osi_cuda.abi" "$work/fewer" >"$work/said" || { echo "not seen: a method that is gone"; exit 1; }
echo "$(wc -l <"$baseline/names") names and the signatures of osi_cuda.h are those of the last release"
