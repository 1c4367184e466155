#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# What the program prints for shells and for man, used by those of them that are here.
#
#     completions.sh OSI_CUDA
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for shell in bash zsh fish; do "$program" info --completions "$shell" >"$folder/$shell"; done

cat >"$folder/ask.bash" <<'END'
source "$1/bash"
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _osi_cuda; echo "${COMPREPLY[*]}"; }
cd "$1"
[[ $(ask osi-cuda sol) == solve ]] || { echo "bash: no command: $(ask osi-cuda sol)"; exit 1; }
[[ $(ask osi-cuda solve --engi) == --engine ]] || { echo "bash: no option"; exit 1; }
[[ $(ask osi-cuda solve --engine '') == "auto cuda host" ]] || { echo "bash: no words: $(ask osi-cuda solve --engine '')"; exit 1; }
[[ $(ask osi-cuda solve --basis-in fi) == fish ]] || { echo "bash: no files"; exit 1; }
END
bash "$folder/ask.bash" "$folder"
if command -v zsh >/dev/null; then zsh -n "$folder/zsh"; else echo "no zsh: its text is not tried"; fi
if command -v fish >/dev/null; then
  fish -c "source $folder/fish; complete -C 'osi-cuda solve --engine '" | grep -q '^cuda'
else
  echo "no fish: its text is not tried"
fi
# Each command and each option of help is in all of them.
for command in $("$program" --help | sed -n '/^Subcommands/,$s/^  \([a-z]*\) .*/\1/p'); do
  for option in $("$program" "$command" --help | grep -oE '^  (-h,)?--[a-z-]+' | sed 's/.*--/--/'); do
    grep -q -- "$option" "$folder/bash" && grep -q -- "$option" "$folder/zsh" &&
      grep -q -- "-l ${option#--}" "$folder/fish" || { echo "$command $option is missing"; exit 1; }
  done
done
status=0
"$program" info --completions csh 2>"$folder/errors" || status=$?
[ "$status" -eq 64 ] && grep -q "expected bash, zsh or fish, found 'csh'" "$folder/errors"

"$program" info --manual >"$folder/osi-cuda.1"
if command -v man >/dev/null; then
  man --warnings=w -l "$folder/osi-cuda.1" >"$folder/page" 2>"$folder/warnings" </dev/null
  [ ! -s "$folder/warnings" ] || { cat "$folder/warnings"; exit 1; }
  grep -q 'EXIT STATUS' "$folder/page" && grep -q -- '--engine' "$folder/page"
else
  echo "no man: the page is not tried"
fi
echo "completions and manual page"
