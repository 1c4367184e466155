# SPDX-License-Identifier: EPL-2.0
"""Numbers in sentences of README.md and docs/evidence. A result belongs into a table, which pages.py makes of lab/data. What a sentence
may say is the condition of a measurement, a size, a tolerance, or a number of rows: PHRASES has each, and pages.py --check fails where a
page has another one. A phrase with {} is completed from lab/data."""
import re

from data import rows_of

PHRASES = {
    "README.md": ["Debian 12, Ubuntu 24.04", "Python 3.10 or later", "CUDA 13", "more than 10 million nonzeros", "hundreds of thousands of rows",
                  "within 1e-4", "Three examples"],
    "docs/index.md": ["start in five minutes"],
    "analysis.md": ["strategies 2 (from the elasticity) and 6 (meant", "those of strategy 6", "from 2^-52 to 2^52"],
    "applications.md": ["built twice"],
    "batch.md": ["all answers to 1e-8", "Up to 50 x 50", "from 100 x 100 on", "From 200 x 200 on", "`uniform` 50 x 50", "some hundred problems"],
    "dense.md": ["x >= 0 with half as many columns", "from 2 million entries on", "At 1000 x 500", "30 rows and 30 columns", "over 200 random problems"],
    "exact.md": ["`iterations` 0 and", "ten processor seconds each"],
    "gpus.md": ["do two and four GPUs give", "on one, two and four GPUs", "two devices, or four, over one", "Eight devices",
                "20000 x 10000"],
    "cards.md": ["A solve of 5000 x 2500", "from CUDA 13.0.2 on", "these two parts"],
    "integers.md": ["MIPLIB 3", ("all {}", lambda: len(rows_of("integers.csv"))), "agree to 1e-6", "below 1e4 entries", "means of two seeds",
                    "a tenth of their entries"],
    "netlib.md": ["1e-8 in the objective and 1e-9 in the residuals", "seconds (10 ms)", "from 3e5 entries on", "below 5e4 entries", "limit 10 s",
                  "points of 1e-4", "each of the three sets", "that half of the point"],
    "osi.md": ["seven cut generators", "with 16 threads"],
    "python.md": ["90 % of the optimum", "each to 1e-8", "Three hidden layers", "A layer of 100 programs", "16 threads are faster"],
    "install.md": ["Debian 12"],
    "reliability.md": ["above 1e-6", "tolerances of 1e-7", "of 14 families", "two BOUNDS sets", "some million inputs"],
    "sparse.md": ["processor seconds (10 ms)", "within 15 s, which count as 15 s", "agree to 1e-9, Clp's to 1e-6", "shifted by 0.1 s", "within 20 s",
                  "four threads are idle", "on one thread"],
    "tall.md": ["16 cores", "the least of five calls", "on two cores", "on one thread"],
    "variants.md": ["answers to 1e-8", "With nine variants", "A million tiny problems", "below 1 it gains"],
}
WORDS = ("two three four five six seven eight nine ten eleven twelve fifteen sixteen twenty thirty forty fifty sixty hundreds? thousands? millions? "
         "half third quarter fifth tenth twice thrice dozens?").split()
NUMBER = re.compile(rf"(?<![\w.:^-])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?|\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
# Links' targets and names with a version; names like ken-11 are no numbers anyway.
NAMES = re.compile(r"\]\([^)]*\)|\b(?:HiGHS|Clp|Cbc|cuOpt|SciPy|EPL)[ -]\d+(?:\.\d+)+|`[^`]*`")
# Ratios and rates, which guides and explanations leave to the pages of evidence.
CLAIM = re.compile(rf"\b(?:\d[\d.,]*|{'|'.join(WORDS)}) (?:times|per cent|%) (?:as (?:fast|long|slow)|faster|slower|quicker|fewer)\b|"
                   r"\b\d+(?:,\d\d\d)+ (?:\w+ )?a second\b", re.IGNORECASE)


def sentences(text, block):
    """A page without tables between marks, code and blocks: one line."""
    text = re.sub(r"^```.*?^```", "", block.sub("", text), flags=re.DOTALL | re.MULTILINE)
    return " ".join(" ".join(line for line in text.splitlines() if not line.startswith("    ")).split())


def others(name, text):
    """A sentence for each number that is no phrase of this page, and each phrase that the page lacks."""
    taken = set()
    for phrase in PHRASES.get(name, ()):
        phrase = phrase if isinstance(phrase, str) else phrase[0].format(phrase[1]())
        places = [match.span() for match in re.finditer(rf"(?<![\w.,]){re.escape(phrase)}(?![\w%]|[.,]\d)", text)]
        if not places:
            yield f"{name}: `{phrase}` of conditions.py is not there"
        taken.update(k for begin, end in places for k in range(begin, end))
    names = {k for match in NAMES.finditer(text) for k in range(*match.span())}
    for match in NUMBER.finditer(text):
        if match.start() not in taken | names:
            yield f"{name}: `{text[max(0, match.start() - 30):match.end() + 30]}`: {match.group()} is in no table, and no phrase of conditions.py"
