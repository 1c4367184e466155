# SPDX-License-Identifier: EPL-2.0
"""How Sphinx makes the site of the pages in CONTRIBUTING.md, CHANGELOG.md, docs/, examples/ and packages/.

The source folder is the repository itself, so that links between pages are right on the site, in an
editor and where the repository is shown. `./dev site` calls it; Doxygen's XML of the C and C++
headers is expected in OSI_CUDA_DOXYGEN, the Python package on PYTHONPATH.
"""
import os
import pathlib
import re

from docutils import nodes
from sphinx import addnodes

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "osi_cuda"
copyright = "the authors of osi_cuda, EPL-2.0"
release = re.search(r"project\(.*?VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text(),
                    re.DOTALL).group(1)
version = release

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
              "sphinx_copybutton", "nbsphinx"]
include_patterns = ["CONTRIBUTING.md", "CHANGELOG.md", "docs/**", "examples/README.md", "examples/*/README.md",
                    "packages/README.md", "lab/log/**"]
exclude_patterns = ["build*", ".cache", ".git", "docs/site", "**.ipynb_checkpoints"]
root_doc = "docs/index"
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4

highlight_language = "text"  # of blocks that name none: commands, formulas

html_theme = "furo"
html_title = f"osi_cuda {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_theme_options = {"navigation_with_keys": True}
html_copy_source = False
html_show_sourcelink = False

breathe_projects = {"osi_cuda": os.environ["OSI_CUDA_DOXYGEN"]}
breathe_default_project = "osi_cuda"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}

autodoc_member_order = "bysource"
autodoc_typehints = "description"
nbsphinx_execute = "always"
nbsphinx_allow_errors = False


def plain(node):
    """The text of a title or paragraph in one line."""
    return " ".join(node.astext().split())


def write_llms(app, error):
    """llms.txt: what there is to read, in the order of the sidebar, each page with its first sentence."""
    if error or app.builder.format != "html":
        return
    front = app.env.get_doctree(root_doc)
    lines = [f"# {project}", "", f"> {plain(next(iter(front.findall(nodes.paragraph))))}"]
    for tree in front.findall(addnodes.toctree):
        lines += ["", f"## {tree['caption']}", ""]
        for _, page in tree["entries"]:
            text = next((plain(p) for p in app.env.get_doctree(page).findall(nodes.paragraph)
                         if isinstance(p.parent, nodes.section)), "")
            first = re.split(r"(?<=[.?!]) |:$", text)[0]
            lines.append(f"- [{plain(app.env.titles[page])}]({page}.html)" + (f": {first}" if first else ""))
    pathlib.Path(app.outdir, "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def out_of_sidebar(app, page, source):
    """The log is on the site, but not in the sidebar."""
    if page.startswith("lab/log/") and not source[0].startswith("---"):
        source[0] = f"---\norphan: true\n---\n\n{source[0]}"


def setup(app):
    app.connect("source-read", out_of_sidebar)
    app.connect("build-finished", write_llms)
