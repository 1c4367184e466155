#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Which machine code the CUDA engine gets: by the cards of a machine and by what its nvcc knows.
#
#     cards.sh SOURCE FOLDER
set -eu
source=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/bin"
{ echo "cmake_minimum_required(VERSION 3.22)"; sed -n '/^function(osi_cuda_cards/,/^endfunction/p' "$source/cmake/OsiCudaToolkit.cmake"; } >"$folder/cards.cmake"
cat >>"$folder/cards.cmake" <<'END'
set(CMAKE_CUDA_COMPILER "${FOLDER}/bin/nvcc")
osi_cuda_cards(found)
message("found:${found}")
END
wants() { # EXPECTED CARDS KNOWN-TO-NVCC nvidia-smi's answer, or - where there is none
  printf '#!/bin/sh\nprintf "sm_%%s\\n" %s\n' "$3" >"$folder/bin/nvcc"
  printf '#!/bin/sh\nprintf "%%s\\n" %s\n' "$4" >"$folder/bin/nvidia-smi"
  [ "$4" != - ] || printf '#!/bin/sh\nexit 9\n' >"$folder/bin/nvidia-smi"
  chmod +x "$folder"/bin/*
  found=$(PATH="$folder/bin:$PATH" cmake -DFOLDER="$folder" -DOSI_CUDA_CARDS="$2" -P "$folder/cards.cmake" 2>&1) || true
  [ "$found" = "found:$1" ] || { echo "cards '$2', nvcc knows '$3', nvidia-smi says '$4': $found instead of found:$1"; exit 1; }
}
old="60 75 80 86 89 90" new="75 80 86 87 88 89 90 100 103 120"
wants 89 native "$new" "8.9 8.9"
wants "86;120" native "$new" "8.6 12.0"
wants 90 native "$new" -
wants "" native "$old" "12.0" # PTX alone
wants "75;80;86;89;90" all "$old" -
wants "75;80;86;89;90;100;103;120" all "$new" -
wants "80;89" "80;89" "$old" -
echo "machine code for the cards of this machine, and for those that nvcc knows"
