#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Configures a wheel on a system that has CoinUtils and neither Osi nor Cbc, as Debian with the packages that
# docs/guide/install.md lists: it is made without the search for integers.
#
#     without_osi.sh SOURCE FOLDER
set -eu
source=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/found"
for place in $(pkg-config --variable=pc_path pkg-config | tr : ' '); do
  for file in "$place"/*.pc; do
    case ${file##*/} in osi* | cbc* | cgl* | clp* | '*.pc') ;; *) ln -sf "$file" "$folder/found/" ;; esac
  done
done
PKG_CONFIG_LIBDIR=$folder/found PKG_CONFIG_PATH='' cmake -S "$source" -B "$folder/build" -DSKBUILD=2 -DOSI_CUDA_CUDA=OFF -DOSI_CUDA_TESTS=OFF \
  -DOSI_CUDA_EXAMPLES=OFF -DOSI_CUDA_INSTALL=OFF >"$folder/log" 2>&1 || { tail -n 20 "$folder/log"; exit 1; }
grep -F "Wheel: Cbc 'OFF'" "$folder/log"
