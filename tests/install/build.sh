#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Builds Debian's source package on a bare system of debootstrap's, lets that release's lintian read the result,
# and puts the packages into OUT. As root. Exit status 77, skipped, where there is no debootstrap or no mirror.
#
#     build.sh SUITE FOLDER DSC OUT     FOLDER keeps the bare system, and the one with what a build needs
set -eu
suite=$1 folder=$2 source=$3 out=$4
. "$(dirname "$0")/bare_system.sh"
bare_system
root=$folder/$suite-build
[ -d "$root" ] || { cp -a "$folder/$suite" "$root.new" && mv "$root.new" "$root"; }
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
rm -rf "$root/build"
mkdir -p "$root/build" "$out"
cp "$(dirname "$source")"/osi-cuda_* "$root/build/"
get update
get install -y dpkg-dev lintian
get build-dep -y "/build/$(basename "$source")"
inside env DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" sh -c "cd /build && dpkg-source -x $(basename "$source") tree &&
  cd tree && dpkg-buildpackage -b -us -uc" >"$out/build.log" || { tail -n 40 "$out/build.log" >&2; exit 1; }
inside sh -c 'lintian --allow-root --fail-on error,warning \
  --suppress-tags initial-upload-closes-no-bugs,package-depends-on-hardcoded-libc /build/*.changes'
rm -f "$out"/*.deb
cp "$root"/build/*.deb "$root"/build/*_*.changes "$root"/build/*.buildinfo "$out/"
