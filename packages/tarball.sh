#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Makes osi-cuda-VERSION-linux-ARCHITECTURE.tar.gz of a build: program, libraries, headers and the CUDA
# module in a folder that may lie anywhere, for a machine with nothing but the C and C++ run times, with
# a GPU or without. What else they are linked with is brought along, with its licences and an SBOM
# (SPDX). NVIDIA's libraries are not: where there is a GPU, the loader finds the machine's, or those
# beside the module. GLPK's module is under the GPL and not among it.
#
#     tarball.sh BUILD OUT
set -eu
build=$(cd "$1" && pwd) out=$2
here=$(cd "$(dirname "$0")" && pwd)
for tool in patchelf python3; do
  command -v "$tool" >/dev/null || { echo "tarball.sh: $tool is missing" >&2; exit 69; }
done
version=$(sed -n 's/^project(OsiCuda VERSION \([0-9.]*\).*/\1/p' "$here/../CMakeLists.txt")
name=osi-cuda-$version-linux-$(uname -m)
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for component in library development program bridges cbc engine; do
  cmake --install "$build" --prefix "$work/$name" --component "$component" --strip >"$work/log"
done
cd "$work/$name"
lib=$(dirname "$(find . -name 'libosi_cuda.so.0' | head -n 1)")
lib=${lib#./}
bundled=$lib/osi-cuda/libraries
mkdir -p "$bundled"

# What the loader takes on this machine, but for what every Linux has, NVIDIA's and our own.
for file in bin/osi-cuda "$lib"/*.so.* "$lib"/osi-cuda/*.so; do
  [ -L "$file" ] || ldd "$file" 2>/dev/null || true
done | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux-[a-z0-9-]*|libstdc\+\+|libgcc_s|libcu[A-Za-z]*|libnv[A-Za-z]*|libosi_cuda|libOsiCuda)\.so' |
  while read -r library; do cp -L "$library" "$bundled/"; done
chmod 644 "$bundled"/*
strip --strip-unneeded "$bundled"/*

# Everything finds them by where it lies itself.
patchelf --set-rpath "\$ORIGIN/../$bundled" bin/osi-cuda
for file in "$lib"/*.so.*; do
  [ -L "$file" ] || patchelf --set-rpath '$ORIGIN:$ORIGIN/osi-cuda/libraries' "$file"
done
for file in "$lib"/osi-cuda/*.so; do patchelf --set-rpath '$ORIGIN:$ORIGIN/libraries' "$file"; done
for file in "$bundled"/*; do patchelf --set-rpath '$ORIGIN' "$file"; done

# Licences: the copyright files of the packages that the libraries come from.
licences=share/doc/osi-cuda/licences
mkdir -p "$licences"
for library in "$bundled"/*; do
  base=$(basename "$library")
  package=$(dpkg -S "*/${base%%.so*}.so*" 2>/dev/null | grep -v -- -dev | head -n 1 | cut -d: -f1 | cut -d, -f1 || true)
  [ -z "$package" ] || cp -L "/usr/share/doc/$package/copyright" "$licences/$package" 2>/dev/null || true
done
cp "$here/../CITATION.cff" share/doc/osi-cuda/
python3 "$here/sbom.py" osi-cuda "$work/$name" share/doc/osi-cuda/osi-cuda.spdx.json
cd "$work"
tar --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name"
echo "$out/$name.tar.gz, $(du -k "$out/$name.tar.gz" | cut -f 1) KB"
