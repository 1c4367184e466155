#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# The report of a few runs, opened in a headless Chromium: are the tables and plots filled, does
# everything lie inside the page, is nothing loaded from elsewhere? Leaves a screenshot where
# OSI_CUDA_SCREENSHOT says. Usage: report_in_browser.sh OSI-CUDA
set -eu
program=$1

browser=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then browser=$name; break; fi
done
if [ -z "$browser" ]; then
  echo "skipped: no Chromium"
  exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME="$folder"

# Transportation problems: K sources, K sinks, costs from a small generator.
echo "file" > "$folder/list.csv"
for k in 3 5 8 12 16 20 25 30; do
  awk -v k="$k" 'BEGIN {
    print "NAME TRANSPORT"; print "ROWS"; print " N COST"
    for (i = 1; i <= k; ++i) print " L S" i
    for (j = 1; j <= k; ++j) print " G D" j
    print "COLUMNS"
    seed = k
    for (i = 1; i <= k; ++i) for (j = 1; j <= k; ++j) {
      seed = (seed * 1103 + 12345) % 65536
      print " X" i "_" j " COST " (seed % 97 + 1) " S" i " 1"
      print " X" i "_" j " D" j " 1"
    }
    print "RHS"
    for (i = 1; i <= k; ++i) { print " RHS S" i " 12"; print " RHS D" i " 10" }
    print "ENDATA" }' > "$folder/transport$k.mps"
  echo "transport$k.mps" >> "$folder/list.csv"
done
solvers=osi_cuda@host/primal,osi_cuda@host/dual,glpk,lp_solve,clp
for batch in 1 2; do  # the second has something to be compared with
  "$program" regress "$folder/list.csv" --database "$folder/runs.sqlite" --with $solvers \
    --time-factor 1000 2>/dev/null
done
"$program" report "$folder/runs.sqlite" --peer clp/dual

# Chromium measures the page after layout and leaves what it found in the title.
sed 's|</body>|<script>\
const all = (q) => [...document.querySelectorAll(q)];\
const box = (e) => e.getBoundingClientRect();\
const inside = (e) => { const b = box(e), s = box(e.closest("svg"));\
  return b.left >= s.left - 1 \&\& b.right <= s.right + 1 \&\& b.top >= s.top - 1 \&\& b.bottom <= s.bottom + 1; };\
const drawn = (e) => box(e).width + box(e).height > 2;\
document.title = JSON.stringify({\
  summary: all("#summary tbody tr").length, results: all("#results tbody tr").length,\
  cells: all("#results tbody td").filter((c) => c.textContent === "").length,\
  curves: all("#profile .curve").filter((e) => e.tagName === "path" \&\& drawn(e)).length,\
  points: all("#scatter circle, #scatter .unsolved").filter(drawn).length,\
  outside: all("svg text, svg circle, svg path").filter((e) => !inside(e)).length,\
  overflow: document.documentElement.scrollWidth > innerWidth,\
  loaded: performance.getEntriesByType("resource").length});\
</script></body>|' "$folder/runs.html" > "$folder/measured.html"

flags="--headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,2600"
timeout 120 "$browser" $flags --dump-dom "file://$folder/measured.html" \
  > "$folder/dom.html" 2> "$folder/browser.log" || { cat "$folder/browser.log"; exit 1; }
found=$(sed -n 's|.*<title>\(.*\)</title>.*|\1|p' "$folder/dom.html" | head -n 1)
expected='{"summary":5,"results":8,"cells":0,"curves":5,"points":32,"outside":0,"overflow":false,"loaded":0}'
if [ "$found" != "$expected" ]; then
  echo "expected $expected"
  echo "found    $found"
  exit 1
fi

shot=${OSI_CUDA_SCREENSHOT:-$folder/report.png}
timeout 120 "$browser" $flags --screenshot="$shot" "file://$folder/runs.html" 2>/dev/null
bytes=$(wc -c < "$shot")
if [ "$bytes" -lt 50000 ]; then
  echo "the screenshot has only $bytes bytes: an empty page"
  exit 1
fi
echo "report looks filled: $found, screenshot of $bytes bytes"
