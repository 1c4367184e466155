#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Provokes each stop of packages/release.sh in a small repository whose ./dev does what it is told, and a release.
#
#     release.sh SOURCE
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
export GIT_CONFIG_GLOBAL=/dev/null
repository=$work/repository
mkdir -p "$repository/packages/debian" "$repository/c"
cd "$repository"
for file in CMakeLists.txt pyproject.toml CITATION.cff c/osi_cuda.h packages/release.sh packages/debian/control; do
  cp "$source/$file" "$file"
done
version=$(sed -n 's/^project(OsiCuda VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
printf '# Changelog\n\n## Unreleased\n\n## %s - 2026-01-02\n\n### Added\n\n- Something\n\n## 0.0.1 - 2026-01-01\n\n- Old\n' \
  "$version" >CHANGELOG.md
cat >dev <<'END'
#!/bin/sh
case $1,${BREAK:-} in
  test,test | package,package) exit 1 ;;
  package,none) mkdir -p build/packages ;;
  package,*) mkdir -p build/packages/debian; echo a >build/packages/a.whl; echo b >build/packages/debian/b.deb ;;
esac
[ "$1,${BREAK:-}" != package,tree ] || echo changed >>CHANGELOG.md
END
chmod +x dev
echo build >.gitignore
git init -q . && git add -A && git commit -q -m start
git remote add origin "$(sed -n 's/.*HOMEPAGE_URL "\(.*\)".*/\1/p' CMakeLists.txt).git"
git tag start

# stops STEP COMMAND...: after the command, committed, the release stops there and has made no tag.
stops() {
  expected=$1
  shift
  "$@"
  [ "$expected" = "clean tree" ] || { git add -A && git commit -q --allow-empty -m change; }
  ! packages/release.sh "$version" >"$work/said" 2>&1 || { echo "did not stop at $expected"; exit 1; }
  grep "stopped at $expected: " "$work/said" || { cat "$work/said"; exit 1; }
  ! git rev-parse -q --verify "v$version" >/dev/null || [ "$*" = "git tag v$version" ] || { echo "made a tag"; exit 1; }
  git reset -q --hard start
  git clean -qfd
}
stops "clean tree" touch stray
stops "clean tree" git tag "v$version"
git tag -d "v$version" >/dev/null
stops version sed -i 's/OsiCuda VERSION [0-9.]*/OsiCuda VERSION 9.9.9/' CMakeLists.txt
stops version sed -i 's/^version = .*/version = "9.9.9"/' pyproject.toml
stops version sed -i 's/cu12==[0-9.]*/cu12==9.9.9/' pyproject.toml
stops version sed -i 's/cu13==[0-9.]*/cu13==9.9.9/' pyproject.toml
stops version sed -i 's/^version: .*/version: 9.9.9/' CITATION.cff
stops version sed -i 's/\(OSI_CUDA_VERSION_MINOR\) .*/\1 77/' c/osi_cuda.h
stops changelog sed -i "s/^## $version .*/## $version/" CHANGELOG.md
stops changelog sed -i '/Something/d' CHANGELOG.md
stops address git remote set-url origin https://example.org/other
git remote set-url origin "$(sed -n 's/.*HOMEPAGE_URL "\(.*\)".*/\1/p' CMakeLists.txt)"
stops address sed -i '/^Homepage/d' packages/debian/control
export BREAK=test; stops tests true
export BREAK=package; stops packages true
export BREAK=none; stops checksums true
export BREAK=tree; stops tag true
unset BREAK

packages/release.sh "$version" --dry-run | grep -x 'Added'
! git rev-parse -q --verify "v$version" >/dev/null
packages/release.sh "$version" >"$work/said"
git tag -l -n9 "v$version" | grep Something
! git tag -l -n99 "v$version" | grep Old
(cd build/packages && sha256sum -c SHA256SUMS)
for arguments in "" "1.2" "$version --now"; do
  status=0
  packages/release.sh $arguments 2>"$work/said" || status=$?
  [ "$status" -eq 64 ]
done
