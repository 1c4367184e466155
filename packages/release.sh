#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Makes a release of the last commit: looks at everything that has to agree, runs the tests, makes the packages with
# their checksums in build/packages and the tag vVERSION. The first step that fails ends it; nothing is published.
#
#     release.sh VERSION [--dry-run]     --dry-run: the checks, and what would follow
set -eu
root=$(dirname "$(cd "$(dirname "$0")" && pwd)")
cd "$root"
version=${1:-} mode=${2:-}
{ echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' && [ "${mode:---dry-run}" = --dry-run ]; } ||
  { echo "usage: release.sh VERSION [--dry-run]" >&2; exit 64; }
out=build/packages
message=$(mktemp)
trap 'rm -f "$message"' EXIT

step() { name=$1; echo "release: $name"; }
stop() { echo "release: stopped at $name: $*" >&2; exit 1; }
agree() {  # FILE WHAT FOUND: whether what a file says is the version
  [ "$3" = "$version" ] || stop "$1 has $2 ${3:-missing}, not $version"
}
field() { sed -n "s,$2,\\1,p" "$1" | head -n 1; }  # FILE EXPRESSION

step "clean tree"
[ -z "$(git status --porcelain)" ] || stop "uncommitted changes: $(git status --porcelain | head -n 3 | tr '\n' ' ')"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || stop "the tag v$version is there already"

step "version"
agree CMakeLists.txt version "$(field CMakeLists.txt '^project(OsiCuda VERSION \([0-9.]*\).*')"
agree pyproject.toml version "$(field pyproject.toml '^version = "\(.*\)"')"
for module in osi-cuda-cu12 osi-cuda-cu13; do
  agree pyproject.toml "$module" "$(field pyproject.toml ".*$module==\\([0-9.]*\\)\".*")"
done
agree CITATION.cff version "$(field CITATION.cff '^version: \(.*\)')"
agree c/osi_cuda.h version "$(sed -n 's/^#define OSI_CUDA_VERSION_[A-Z]* \([0-9]*\)$/\1/p' c/osi_cuda.h | paste -s -d .)"

step "changelog"
awk -v heading="## $version " 'index($0, heading) == 1 {on = 1; next} /^## / {on = 0} on' CHANGELOG.md |
  sed 's/^### //' >"$message"
grep -qE "^## $version[ (-]+[0-9]{4}-[0-9]{2}-[0-9]{2}" CHANGELOG.md || stop "CHANGELOG.md has no \"## $version - DATE\""
grep -q '^- ' "$message" || stop "CHANGELOG.md says nothing about $version"

step "address"
address=$(field CMakeLists.txt '.*HOMEPAGE_URL "\(.*\)".*')
origin=$(git remote get-url origin 2>/dev/null || true)
[ "${origin%.git}" = "$address" ] || stop "packages name $address, origin is ${origin:-missing}"
for file in pyproject.toml CITATION.cff packages/debian/control; do
  grep -qF "$address" "$file" || stop "$file does not name $address"
done

if [ -n "$mode" ]; then
  echo "release: would run ./dev test and ./dev package, sum up $out and make the tag v$version with this message:"
  cat "$message"
  exit
fi

step "tests"
./dev test || stop "./dev test failed"
step "packages"
rm -rf "$out"
./dev package archive wheels debian recipes || stop "./dev package failed"
step "checksums"
(cd "$out" && find . -type f ! -name '*.log' ! -name SHA256SUMS | sort | xargs sha256sum) >"$root/$out/SHA256SUMS" ||
  stop "no checksums"
grep -q '\.whl$' "$out/SHA256SUMS" && grep -q '\.deb$' "$out/SHA256SUMS" || stop "packages are missing in $out"
step "tag"
[ -z "$(git status --porcelain)" ] || stop "tests or packages changed the tree"
{ echo "osi_cuda $version"; echo; cat "$message"; } | git tag -a "v$version" --cleanup=verbatim -F - ||
  stop "no tag"
echo "release: done. Publish with: git push origin v$version; the files are in $out"
