#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Makes Debian's packages and the archive and uses them in clean roots: Debian's in one of debootstrap's, or of
# this machine's own packages where that is not there, the archive in one that has the C and C++ run
# times and nothing else. Exit status 77, skipped, where no such root can be made.
#
#     packages.sh BUILD SOURCE MODEL
set -eu
build=$1 source=$2 model=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in dpkg-buildpackage dh dh_python3 patchelf unshare; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
unshare --user --map-root-user --mount true 2>/dev/null ||
  { echo "skipped: a root can't be made here"; exit 77; }

# inside ROOT COMMAND...: in the root, as if nothing else were there.
inside() {
  root=$1
  shift
  mkdir -p "$root/proc" "$root/dev" "$root/tmp"
  unshare --user --map-root-user --mount --fork sh -c '
    root=$1; shift
    mount --bind "$root" "$root"
    mount --rbind /proc "$root/proc" 2>/dev/null || true
    exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/opt/osi-cuda/bin HOME=/tmp "$@"
  ' sh "$root" "$@"
}

# files PACKAGE... of this machine, with all that they depend on, into $root.
copy_packages() {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances "$@" 2>/dev/null | grep -E '^[a-z]' | sed 's/:.*//' | sort -u |
    while read -r package; do
      dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || continue
      dpkg -L "$package" 2>/dev/null
    done | sort -u | grep -vE '^/(usr/share/(doc|man|locale|info)|var|dev|proc|sys)(/|$)' >"$work/list" || true
  # Folders first; then files and links with where links lead.
  mkdir -p "$root/etc"
  for folder in lib lib64 lib32 libx32 bin sbin; do
    mkdir -p "$root/usr/$folder"
    [ -L "$root/$folder" ] || ln -s "usr/$folder" "$root/$folder"
  done
  while read -r path; do
    [ -e "$path" ] || [ -L "$path" ] || continue
    if [ -d "$path" ] && [ ! -L "$path" ]; then mkdir -p "$root$path"; else
      mkdir -p "$root$(dirname "$path")"
      cp -a "$path" "$root$path" 2>/dev/null || true
    fi
  done <"$work/list"
  # Alternatives: BLAS and LAPACK.
  mkdir -p "$root/etc/alternatives"
  cp -a /etc/alternatives/lib* "$root/etc/alternatives/" 2>/dev/null || true
  for link in /usr/lib/*/libblas.so.3 /usr/lib/*/liblapack.so.3 /usr/lib/*/libopenblas.so.0; do
    [ ! -L "$link" ] || cp -a "$link" "$root$link"
  done
}

cp "$model" "$work/model.mps"
echo "packages of Debian"
"$source/packages/make.sh" "$build" "$work/out" debian archive
packages=$(find "$work/out/debian" -name '*.deb' ! -name '*-dbgsym_*')
! command -v lintian >/dev/null || lintian --allow-root --fail-on error,warning \
  --suppress-tags initial-upload-closes-no-bugs "$work"/out/debian/*.changes
for package in $packages; do
  echo "$(dpkg-deb -f "$package" Package) $(dpkg-deb -f "$package" Depends | cut -c 1-300)"
done
for name in libosi-cuda0 libosicuda0.1 libosi-cuda-dev osi-cuda python3-osi-cuda; do
  echo "$packages" | grep -q "/${name}_" || { echo "there is no package $name"; exit 1; }
done
# No file is in two packages.
for package in $packages; do
  dpkg-deb --contents "$package" | awk '$1 !~ /^d/ {print $6}'
done | sort | uniq -d >"$work/twice"
[ ! -s "$work/twice" ] || { echo "in two packages:"; cat "$work/twice"; exit 1; }

root=$work/debian
mkdir -p "$root"
# The dependencies that the packages name, and nothing else of this machine.
needed=$(for package in $packages; do
  case $package in */libosi-cuda-dev_* | */osi-cuda-cuda_*) continue ;; esac
  dpkg-deb -f "$package" Depends
done | tr ',' '\n' | sed 's/|.*//; s/(.*//; s/ //g' | grep -vE '^(libosi-cuda0|libosicuda0.1|osi-cuda|python3.*)$' | sort -u)
# shellcheck disable=SC2086
copy_packages coreutils dash bash $needed
for package in $packages; do dpkg-deb --extract "$package" "$root.new"; done
cp -a "$root.new"/usr/. "$root/usr/"
inside "$root" /usr/bin/osi-cuda --version
mkdir -p "$root/tmp"; cp "$work/model.mps" "$root/tmp/"
inside "$root" /usr/bin/osi-cuda solve /tmp/model.mps --quiet | grep status
inside "$root" /usr/bin/osi-cuda compare /tmp/model.mps
test -s "$root/usr/share/man/man1/osi-cuda.1" || test -s "$root/usr/share/man/man1/osi-cuda.1.gz"

echo "the archive"
bare=$work/bare
root=$bare
mkdir -p "$bare/opt"
copy_packages coreutils dash bash libstdc++6
tar -C "$bare/opt" -xzf "$work"/out/*.tar.gz
mv "$bare"/opt/osi-cuda-* "$bare/opt/osi-cuda"
mkdir -p "$bare/tmp"
cp "$work/model.mps" "$bare/tmp/"
inside "$bare" osi-cuda --version
inside "$bare" osi-cuda solve /tmp/model.mps --quiet | grep status
inside "$bare" osi-cuda compare /tmp/model.mps
grep -q '"SPDX-2.3"' "$bare/opt/osi-cuda/share/doc/osi-cuda/osi-cuda.spdx.json"
! find "$bare/opt" -name '*glpk*' | grep . || { echo "GLPK is in the archive"; exit 1; }
