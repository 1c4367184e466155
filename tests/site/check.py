#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Builds the site and looks at it: every link between its pages leads somewhere, and two pages keep
to the width of a phone in a browser, where the search finds something; the sidebar has nothing twice,
the index of the search has what people look for, and llms.txt names every page of the sidebar.

usage: check.py FOLDER    FOLDER takes the site. Exit status 77 where no browser is installed (Debian:
chromium), after all that needs none was looked at.
"""
import functools
import html.parser
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHONE = 390  # CSS pixels
LOOKED_AT = ["docs/index.html", "docs/guide/install.html", "docs/guide/osi.html", "docs/evidence/netlib.html", "docs/evidence/gpus.html"]
SKIPPED = 77
# What is looked for, and the stems of its words in the index.
SEARCHED = {"infeasible": ["infeas"], "quantile regression": ["quantil", "regress"], "Cbc": ["cbc"], "barrier": ["barrier"]}

# Loads a page as wide as a phone and says how wide its content is, and how many headings are cut off.
FRAME = """<!doctype html><meta charset="utf-8"><body><iframe width="{width}" height="800" src="/{page}"></iframe>
<script>
const frame = document.querySelector("iframe");
frame.onload = () => {{
  const root = frame.contentDocument.documentElement;
  const cut = [...frame.contentDocument.querySelectorAll("h1, h2, h3")].filter(head => head.scrollWidth > head.clientWidth + 1).length;
  document.body.textContent = "content " + root.scrollWidth + " cut " + cut + " heading " + frame.contentDocument.querySelector("h1").innerText;
}};
</script>"""


class Links(html.parser.HTMLParser):
    """What a page refers to, and the names by which it can be referred to."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("href", "src") and value:
                self.targets.append(value)
            if key in ("id", "name") and value:
                self.names.add(value)


def broken_links(folder):
    pages = {path.resolve(): Links(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    for path, links in pages.items():
        for target in links.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            goal = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not goal.exists():
                yield f"{path.relative_to(folder)}: no {target}"
            elif parts.fragment and goal in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[goal].names:
                    yield f"{path.relative_to(folder)}: no place {target}"


def sidebar(folder):
    """What is wrong with it: a title or a page twice; llms.txt has the same pages in the same order."""
    text = (folder / "docs/index.html").read_text(encoding="utf-8")
    entries = re.findall(r'<li class="toctree-l1[^"]*"><a class="[^"]*" href="([^"]*)">(.*?)</a>', text)
    for part in zip(*entries):
        yield from (f"sidebar: {what} is there twice" for what in sorted(set(part)) if part.count(what) > 1)
    listed = re.findall(r"^- \[.*?\]\(([^)]*)\)", (folder / "llms.txt").read_text(encoding="utf-8"), re.MULTILINE)
    pages = [str((folder / "docs" / page).resolve().relative_to(folder)) for page, _ in entries]
    if listed != pages or not pages:
        yield f"llms.txt: not the pages of the sidebar: {sorted(set(listed) ^ set(pages))}"


def not_indexed(folder):
    index = (folder / "searchindex.js").read_text(encoding="utf-8")
    for query, stems in SEARCHED.items():
        found = [set(re.findall(r"\d+", " ".join(re.findall(rf'[{{, ]"?{stem}"?: *(\[[\d, ]*\]|\d+)', index)))) for stem in stems]
        if not set.intersection(*found):
            yield f"search: nothing about {query}"


def rendered(browser, url):
    """The document after its scripts have run."""
    return subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000",
         "--dump-dom", url], capture_output=True, text=True, timeout=180).stdout


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def look(browser, folder):
    """What a browser finds wrong."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}"
        for page in LOOKED_AT:
            (folder / "frame.html").write_text(FRAME.format(width=PHONE, page=page), encoding="utf-8")
            found = re.search(r"content (\d+) cut (\d+) heading (.+?)<", rendered(browser, f"{base}/frame.html"))
            (folder / "frame.html").unlink()
            if not found:
                yield f"{page}: the browser did not show it"
            elif int(found[1]) > PHONE:
                yield f"{page}: {found[1]} pixels wide on a phone of {PHONE}"
            elif found[2] != "0":
                yield f"{page}: {found[2]} headings are wider than a phone"
        for query in SEARCHED:
            address = f"{base}/search.html?q={urllib.parse.quote(query)}"
            if not re.search(r"found \d+ page", rendered(browser, address)):
                yield f"search.html: nothing found for {query}"
        server.shutdown()


def main(folder):
    subprocess.run([str(ROOT / "dev"), "site", str(folder)], check=True)
    site = (folder / "html").resolve()
    faults = [*broken_links(site), *sidebar(site), *not_indexed(site)]
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser:
        faults += look(browser, site)
    for fault in faults:
        print(fault)
    print(f"{len(list(site.rglob('*.html')))} pages, {len(faults)} faults" +
          ("" if browser else "; no browser to look with"))
    return 1 if faults else 0 if browser else SKIPPED


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
