#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Runs every command that README.md, CONTRIBUTING.md and the pages of docs/, examples/ and packages/ show, in small, and
looks whether their links lead to files.

usage: commands.py BIN    BIN is the folder of the programs.

A command is a line of an indented block that begins with one of PROGRAMS (a backslash at the end
goes on in the next line, two blanks end it: what follows is a remark), or a piece `osi-cuda ...` or
`./dev ...` of a text. Each has to stand in RUN, with what is run in its place (names of files, sizes
and engines that every machine has, the same program and options) or in LEFT with the reason why not.
A command that stands in neither fails the test, and so does an entry that no page shows any more.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {"osi-cuda", "dev", "cmake", "ctest", "shortest_path", "response", "traffic_matrix",
            "stress", "run.sh", "peers", "c++", "ncu", "awk", "bench_dense",
            "bench_batch", "bench_variants", "dea", "textbook", "cyclic_sweeps",
            "osi_mip_report", "osi_ahead_report", "osi_common_tests"}
GPU = "needs a GPU"
BUILDS = "builds the tree, in which this test runs"

# Command as shown -> what is run instead; "" where it is run as it stands. A list: one after the
# other. The exit status has to be 0, or the number after "=>".
RUN = {
    "osi-cuda solve FILE [options]": "osi-cuda solve afiro.mps --quiet",
    "osi-cuda solve model.mps --integers --time-limit 60 --solution model.sol":
        "osi-cuda solve small.mps --integers --time-limit 60 --solution small.sol",
    "osi-cuda solve --integers": "osi-cuda solve small.mps --integers",
    "osi-cuda compare FILE...": "osi-cuda compare afiro.mps small.mps",
    "osi-cuda regress LIST.csv": "osi-cuda regress list.csv --database results.sqlite --with clp",
    "osi-cuda regress LIST.csv --database part-3.sqlite --part 3/8 --continue":
        "osi-cuda regress list.csv --database part-3.sqlite --part 1/8 --continue",
    "osi-cuda regress": "osi-cuda regress list.csv --database peers.sqlite --with osi_cuda@host/dual,clp --peer-presolve",
    "osi-cuda merge results.sqlite part-1.sqlite part-2.sqlite": "osi-cuda merge merged.sqlite part-3.sqlite",
    "osi-cuda doctor": "osi-cuda doctor afiro.mps",
    "osi-cuda merge": "osi-cuda merge merged.sqlite part-3.sqlite",
    "osi-cuda merge DATABASE PART...": "osi-cuda merge merged.sqlite part-3.sqlite",
    "osi-cuda batch list.csv --part $SLURM_ARRAY_TASK_ID/100 --output part-$SLURM_ARRAY_TASK_ID.jsonl":
        "osi-cuda batch list.csv --part 1/100 --output part-1.jsonl",
    "osi-cuda batch list.csv --known part-*.jsonl > answers.jsonl": "osi-cuda batch list.csv --known part-1.jsonl",
    "osi-cuda report DATABASE": "osi-cuda report results.sqlite",
    "osi-cuda batch LIST.csv": "osi-cuda batch list.csv",
    "osi-cuda batch MODEL --changes CHANGES.csv|CHANGES.npz":
        "osi-cuda batch small.mps --changes changes.csv",
    "osi-cuda batch model.mps --changes changes.npz --results answers.npz":
        "osi-cuda batch small.mps --changes changes.csv --results answers.npz",
    "osi-cuda batch": "osi-cuda batch list.csv",
    "osi-cuda batch LIST.csv|MODEL --changes FILE": "osi-cuda batch list.csv",
    "response solve --cells 120 --degree 2 --sources 5000 --observations 20000 --radius 0.008 --svg story.svg":
        "response solve --cells 16 --degree 2 --sources 10 --observations 40 --radius 0.08 --svg story.svg",
    "dea generate units.csv --units 1000 --inputs 3 --outputs 2":
        "dea generate units.csv --units 20 --inputs 3 --outputs 2",
    "dea score units.csv --orientation output --returns variable --out scores.csv":
        "dea score units.csv --orientation output --returns variable --out scores.csv",
    "osi-cuda convert farm.cor farm.mps --from smps": "",
    "osi-cuda convert IN OUT": "osi-cuda convert afiro.mps afiro.lp",
    "osi-cuda ampl STUB": "osi-cuda ampl model",
    "osi-cuda doctor FILE": "osi-cuda doctor afiro.mps",
    "osi-cuda doctor model.mps": "",
    "osi-cuda solve model.mps --start point.sol":
        "osi-cuda solve model.mps --solution point.sol && osi-cuda solve model.mps --start point.sol",
    "osi-cuda solve model.mps --start point.npz":
        "osi-cuda solve model.mps --solution point.sol && osi-cuda solve model.mps --start point.sol",
    "osi-cuda ampl": "osi-cuda ampl model",
    "osi-cuda ampl model": "",
    "osi-cuda model -AMPL": "",
    "osi-cuda info": "",
    "osi-cuda solve model.npz": "osi-cuda convert afiro.mps model.npz && osi-cuda solve model.npz",
    "osi-cuda calibrate": "osi-cuda calibrate --print",
    "osi-cuda info --options-markdown": "",
    "osi-cuda info --memory 80000x40000": "",
    "osi-cuda info --memory 80000x40000 --devices 0,1": "",
    "osi-cuda info --memory": "osi-cuda info --memory 40x20",
    "osi-cuda info --memory ROWSxCOLUMNS": "osi-cuda info --memory 80000x40000",
    "osi-cuda info --manual > osi-cuda.1": "",
    "osi-cuda info --completions bash > osi-cuda.bash": "",
    "osi-cuda --help": "",
    "osi-cuda COMMAND --help": "osi-cuda solve --help",
    "osi-cuda compare e226.mps.gz": "osi-cuda compare afiro.mps",
    "osi-cuda regress LIST.csv --database results.sqlite --with osi_cuda@host/all,clp --jobs 4 "
    "--threads 1": "osi-cuda regress list.csv --database results.sqlite --with "
                   "osi_cuda@host/all,clp --jobs 4 --threads 1",
    "osi-cuda report results.sqlite --peer clp/dual": "",
    "osi-cuda solve model.mps --checkpoint model.checkpoint": "",
    "osi-cuda solve model.mps --checkpoint model.checkpoint --resume model.checkpoint": "",
    "osi-cuda solve FILE --exact on": "osi-cuda solve afiro.mps --exact on",
    "osi-cuda solve 25fv47.mps.gz --presolve on": "osi-cuda solve afiro.mps --presolve on",
    "osi-cuda solve FILE --json": "osi-cuda solve afiro.mps --json",
    "osi-cuda solve FILE --trace T": "osi-cuda solve afiro.mps --trace T",
    "osi-cuda solve FILE --trace T --json": "osi-cuda solve afiro.mps --trace T --json",
    "osi-cuda solve FILE --basis-in T.bas":
        ["osi-cuda solve afiro.mps --basis-out T.bas", "osi-cuda solve afiro.mps --basis-in T.bas"],
    "osi-cuda solve afiro.mps --ranging afiro.txt": "",
    "osi-cuda solve qual.mps --iis qual-iis.lp": "osi-cuda solve infeasible.mps --iis iis.lp => 1",
    "osi-cuda solve qual.mps --relax sum --relax-what both":
        "osi-cuda solve infeasible.mps --relax sum --relax-what both => 1",
    "osi-cuda solve plan.mps --objective model --objective goals.txt --loss 1%":
        "osi-cuda solve afiro.mps --objective model --objective goals.txt --loss 1%",
    "osi-cuda solve model.mps --solution model.json": "",
    "osi-cuda solve --help": "",
    "osi-cuda convert model.lp model.mps": "osi-cuda convert afiro.mps model.lp && osi-cuda convert model.lp model.mps",
    "osi-cuda solve model.mps --proof proof.json":
        f"osi-cuda solve afiro.mps --proof proof.json && PYTHONPATH={ROOT}/python python3 -m osi_cuda.check afiro.mps proof.json",
    "osi-cuda solve FILE --proof FILE.json": "osi-cuda solve afiro.mps --proof afiro.json",
    "osi-cuda convert --from": "osi-cuda convert afiro.mps afiro.lp --from mps",
    "osi-cuda compare": "osi-cuda compare small.mps",
    "osi-cuda compare FILE": "osi-cuda compare afiro.mps",
    "./dev stress --help": "stress --help",
    "build/bin/shortest_path solve --grid 20x30 --walls 0.25 --seed 4 --svg grid.svg":
        "shortest_path solve --grid 20x30 --walls 0.25 --seed 4 --svg grid.svg",
    "shortest_path solve --graph small.txt --method lp --bounds": "",
    "shortest_path solve --graph apart.txt --method lp":
        "shortest_path solve --graph apart.txt --method lp => 1",
    "shortest_path solve --graph cycle.txt --method lp":
        "shortest_path solve --graph cycle.txt --method lp => 1",
    "shortest_path solve": "shortest_path solve --graph small.txt",
    "shortest_path experiment": "shortest_path experiment lp --database paths.sqlite --sizes 10 --device host",
    "shortest_path report": "shortest_path report paths.sqlite",
    "shortest_path solve --grid 200x300 --walls 0.25 --method wave --device cuda":
        "shortest_path solve --grid 200x300 --walls 0.25 --method wave --device host",
    "shortest_path solve --dense 256 --method ants --ants 1024":
        "shortest_path solve --dense 30 --method ants --ants 64",
    "shortest_path experiment ants --database paths.sqlite --runs 20 --sizes 16,32 --numbers 32,256":
        "shortest_path experiment ants --database paths.sqlite --runs 2 --sizes 16 --numbers 32",
    "shortest_path experiment wave --database paths.sqlite --sizes 32,100":
        "shortest_path experiment wave --database paths.sqlite --sizes 32",
    "shortest_path report paths.sqlite --plots .": "",
    "textbook simplex --problem origin:40x20 --peer osi/host,clp,lp_solve": "",
    "textbook simplex --list": "",
    "cyclic_sweeps measure": "cyclic_sweeps measure --sizes 30x50 --repeats 1",
    "cyclic_sweeps wave --svg wave.svg": "cyclic_sweeps wave --cells 32 --svg wave.svg",
    "cyclic_sweeps measure --sizes 1000x71680 --forms fused,shares --devices 0,1":
        "cyclic_sweeps measure --sizes 200x40 --forms fused,shares --repeats 1",
    "cyclic_sweeps measure --results sweeps.csv --svg sweeps.svg":
        "cyclic_sweeps measure --sizes 30x50 --repeats 1 --results sweeps.csv --svg sweeps.svg",
    "cyclic_sweeps report sweeps.csv": "",
    "response solve --cells 60 --sources 40 --observations 400 --target spot --goal minimax --svg field.svg":
        "response solve --cells 16 --sources 10 --observations 40 --radius 0.08 --target spot --goal minimax --svg field.svg",
    "response run --cells 48 --steps 100 --state heat.state --every 0.5":
        "response run --cells 8 --sources 2 --radius 0.15 --steps 5 --state heat.state --every 0",
    **{f"response experiment {kind}": f"response experiment {small} --repeats 1"
       for kind, small in (
           ("integration --cells 600 --results response.csv", "integration --cells 8 --results response.csv"),
           ("storage --cells 400", "storage --cells 8 --degrees 1"), ("executors --cells 600", "executors --cells 8"),
           ("products --cells 400 --data DATA", "products --cells 8"),
           ("tiling --device host --cells 600 --degrees 1,3", "tiling --device host --cells 8 --degrees 1,3 --depths 1,2"),
           ("sharing --cells 800 --degrees 1", "sharing --cells 20 --degrees 1"))},
    "textbook simplex --place device --problem origin:2000x1000 --rule largest --precision double":
        "textbook simplex --place host --problem origin:20x10 --rule largest --precision double --results simplex.csv",
    "textbook product --size 128,256": "textbook product --size 128 --results product.csv",
    "textbook report simplex.csv product.csv --pictures .": "",
    "response solve --cells 24 --target uniform --upper 0.5 --within 0.05":
        "response solve --cells 24 --target uniform --upper 0.5 --within 0.05 => 1",
    "traffic_matrix generate --nodes 20 --out backbone":
        "traffic_matrix generate --nodes 20 --out .",
    "traffic_matrix estimate --network network.txt --loads loads.csv --prior gravity --totals "
    "totals.csv --balance --access --objective piecewise --truth truth.csv --out result.csv "
    "--pictures pictures": "",
    "awk -F, '$1 == \"L9\" && !n++ {$4 = 2 * $4} 1' OFS=, loads.csv > broken.csv": "",
    "traffic_matrix estimate --network network.txt --loads broken.csv --prior gravity --totals "
    "totals.csv --balance --access":
        "traffic_matrix estimate --network network.txt --loads broken.csv --prior gravity --totals "
        "totals.csv --balance --access => 1",
    "traffic_matrix generate --nodes 100 --seed 1 --out c100":
        "traffic_matrix generate --nodes 12 --seed 1 --out c100",
    "traffic_matrix estimate --network c100/network.txt --loads c100/loads.csv --prior "
    "c100/prior.csv --formulation deviations --objective sum --solver cuda --engine cuda":
        "traffic_matrix estimate --network c100/network.txt --loads c100/loads.csv --prior "
        "c100/prior.csv --formulation deviations --objective sum --solver cuda --engine host",
}
# What only generated tables, lab/README.md and the log show, in small.
ALSO = [
    "osi-cuda solve small.mps --integers --engine host --threads 1",
    "osi-cuda solve afiro.mps --presolve on --quiet",
    "osi-cuda regress list.csv --database on.sqlite --with osi_cuda/dual --engine host --presolve on --max-cells 1e8 --time-limit 20",
    "osi-cuda regress list.csv --database barrier.sqlite --with osi_cuda/all --engine host --presolve off --time-limit 10",
    "bench_batch --engine host --threads 1 --family uniform --size 5x5 --count 20",
    "osi-cuda doctor afiro.mps --engine host --threads 1 --json",
    "osi-cuda solve afiro.mps --engine host --threads 1 --json",
    "bench_dense --engine host --algorithm barrier --repeats 2 --size 40x20 --size 60x30",
    "osi-cuda solve afiro.mps --basis-out clp.bas",
    "osi-cuda solve afiro.mps --basis-in clp.bas --presolve off --exact on --time-limit 900 --json",
    "bench_dense --engine host --algorithm barrier --family origin --size 40x20 --repeats 2 --devices 0,0",
    "stress --engine tableau,factors --constructed 1 --seeds 1-1 --jobs 2 --kind scale4 --peers clp",
    "stress --kind magnitudes --constructed 1 --seeds 1-1 --jobs 2 --way all --peers ,",
    "bench_dense --engine host --pricing sketched --repeats 2 --size 40x20 --size 60x30",
    "bench_dense --engine host --algorithm dual --family signed --box 1 --repeats 2 --size 40x20 --size 60x30",
    "bench_dense --engine host --algorithm barrier --pricing steepest --repeats 2 --size 40x20 --size 60x30",
    "stress --kind nearly-flat --constructed 1 --seeds 1-1 --jobs 2 --way all --peers ,",
    "stress --set integers --solves 20 --seed 1 --jobs 2",
    "stress --set integers --seeds 740001-740001 --interface library --jobs 2",
    "osi-cuda solve afiro.mps --engine host --threads 1 --time-limit 8 --quiet",
    "osi_ahead_report --nodes 5 afiro.mps",
    "bench_batch --engine host --threads 1 --mixed 40 --check-bits --repeats 0",
    "bench_batch --engine host --threads 1 --mixed 30 --agree 10 --check-bits --repeats 1",
    "bench_batch --engine host --threads 1 --count 20 --distinct 20 --size 6x5 --agree 20 --check-bits --repeats 1 --family signed",
    "bench_variants --engine host --threads 1 --dense 12x8 --repeats 2 --single 0.1 --clp 0.1 --model afiro.mps",
    "bench_dense --engine host --repeats 2 --family signed --algorithm primal --size 40x20",
    "dea score units.csv --engine host --compare single --compare-seconds 0.1",
    "osi-cuda regress list.csv --database host.sqlite --engine host --threads 1 --max-cells 3.2e7 --representation tableau",
    'OSI_CUDA_OPTIONS="--threads 1 --engine host" OSI_CUDA_PROGRAM=$(command -v osi-cuda) lab/bench/peers --limit 240 afiro.mps',
]
LEFT = {
    "./dev cuda-toolkit": "downloads CUDA",
    "osi-cuda solve model.mps --engine cuda": GPU,
    "osi-cuda solve model.mps --integers --search own --proof model.tree": "the test trees does it",
    "osi-cuda solve FILE --integers --proof FILE.tree": "the test trees does it",
    "osi-cuda FILE [options]": "the test cli does it",
    "osi-cuda help COMMAND": "the test cli does it",
    "osi-cuda search 1": "the first line of a checkpoint",
    "./dev solve FILE": BUILDS,
    "osi-cuda batch --devices all": GPU,
    "osi-cuda solve --devices 0,1": GPU,
    "osi-cuda batch --output": "an example of batch has it with its file",
    "osi-cuda solve": "a name of the command",
    "./dev solve /usr/share/coin/Data/Sample/afiro.mps": BUILDS + "; the test documents solves it",
    "./dev test": BUILDS,
    "./dev test --long": BUILDS,
    "./dev test --preset asan": BUILDS,
    "./dev test --preset tsan": BUILDS,
    "./dev build": BUILDS,
    "./dev coverage": BUILDS,
    "./dev stress": BUILDS + "; stress itself is run",
    "./dev stress --set integers --solves 50000 --seed 1 --jobs 2": BUILDS + "; stress itself is run",
    "./dev mutations": BUILDS + "; the test mutations of label long does the same",
    "./dev format": "changes the sources; CI runs it with --check",
    "./dev format --check": BUILDS,
    "./dev bundle": BUILDS,
    "./dev bundle --evidence": BUILDS + "; the test evidence.run runs its parts in small",
    "./dev site": BUILDS + "; the test site of label long does it",
    "./dev package": BUILDS + "; the test install.packages makes them",
    "./dev package wheels": BUILDS + "; the test python.wheel makes them",
    "./dev package debian": BUILDS + "; the tests install.bookworm, install.trixie and install.noble make them",
    "./dev package archive": BUILDS + "; the test install.packages makes it",
    "./dev package recipes": BUILDS + "; the test install.recipes makes them",
    "./dev release VERSION": "makes a tag; the test install.release runs it in small",
    "./dev build --preset fuzz": BUILDS,
    "cmake --preset release && cmake --build --preset release && cmake --install build-release "
    "--prefix PREFIX": "the tests install.package and install.program do it for this build",
    "osi-cuda solution 1": "no command: the first line of a file",
    "cmake --preset library && cmake --build build-library && cmake --install build-library --prefix "
    "/opt/osi-cuda": "the tests install.package and install.program do it",
    "cmake --install build-library --component glpk": "the test install.program does it",
}


def commands(text):
    """Every command of a page, as RUN and LEFT name it. Those of generated tables are the evidence run's, which the test
    evidence.run repeats in small."""
    text = re.sub(r"<!-- table: .*?<!-- end -->", "", text, flags=re.DOTALL)
    lines = text.splitlines()
    found, k, fenced = [], 0, False
    while k < len(lines):
        line = lines[k]
        k += 1
        fenced ^= line.startswith("```")
        if not line.startswith("    ") or fenced:
            continue
        line = line.strip()
        while line.endswith("\\") and k < len(lines):
            line = line[:-1].rstrip() + " " + lines[k].strip()
            k += 1
        found.append(line)
    found += re.findall(r"`((?:osi-cuda|\./dev|cmake) [^`]+)`", text.replace("\n", " "))
    for line in found:
        command = re.split(r"  +", line.removeprefix("$ "))[0]
        words = re.sub(r'^([A-Z_]+=("[^"]*"|\S*) +)+', "", command).split()
        if words and words[0].split("/")[-1] in PROGRAMS:
            yield re.sub(r" +\(.*\)$", "", command)


def prepare(folder):
    sample = pathlib.Path("/usr/share/coin/Data/Sample/afiro.mps")
    if not sample.exists():
        print(f"skipped: there is no {sample}")
        sys.exit(77)
    for name in ("afiro.mps", "model.mps"):
        (folder / name).write_bytes(sample.read_bytes())
    (folder / "model.nl").write_bytes((ROOT / "tests/fuzz/corpus/nl/small.nl").read_bytes())
    (folder / "small.mps").write_text(
        "NAME SMALL\nROWS\n N COST\n L MOST\nCOLUMNS\n X COST -1 MOST 1\nRHS\n R MOST 4\nENDATA\n")
    (folder / "changes.csv").write_text("name\nas it is\n")
    (folder / "list.csv").write_text("file,objective\nafiro.mps,-464.7531428571\n")
    (folder / "infeasible.mps").write_text(
        "NAME T\nROWS\n N COST\n L MOST\n G LEAST\nCOLUMNS\n X COST -1 MOST 1\n X LEAST 1\n"
        "RHS\n R MOST 4 LEAST 5\nENDATA\n")
    (folder / "goals.txt").write_text("minimize first\nX01 1\n")
    farm = (ROOT / "tests/fuzz/corpus/smps/blocks").read_text().split("%%\n")
    for ending, text in zip(("cor", "tim", "sto"), farm, strict=True):
        (folder / f"farm.{ending}").write_text(text)
    graphs = {"small": "0 1 1\n1 2 2\n2 3 1\n0 2 5\n1 3 4\n", "apart": "0 1 1\n1 0 1\n2 1 3\n2 3 1\n",
              "cycle": "0 1 1\n1 2 -5\n2 1 3\n2 3 1\n"}
    for name, text in graphs.items():
        (folder / f"{name}.txt").write_text(text)


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md",
             *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("README.md")), ROOT / "packages/README.md"]
    shown = {}
    for page in pages:
        for command in commands(page.read_text(encoding="utf-8")):
            shown.setdefault(command, page.relative_to(ROOT))
    faults = [f"{page}: `{command}` stands neither in RUN nor in LEFT of {__file__}"
              for command, page in shown.items() if command not in RUN and command not in LEFT]
    faults += [f"no page shows `{command}`" for command in [*RUN, *LEFT] if command not in shown]

    for page in [*pages, *sorted((ROOT / "lab").rglob("*.md"))]:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in link and not (page.parent / link).exists():
                faults.append(f"{page.relative_to(ROOT)}: there is no {link}")

    ran = 0
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as name:
        prepare(pathlib.Path(name))
        for command, instead in [*RUN.items(), *((line, "") for line in ALSO)]:
            for line in [instead or command] if isinstance(instead, str) else instead:
                line, _, status = line.partition(" => ")
                line = re.sub(r"(?<!\S)(\./dev|lab/bench/peers)(?!\S)", rf"{ROOT}/\1", line)
                result = subprocess.run(["bash", "-c", line], cwd=name, env=environment, text=True,
                                        capture_output=True, timeout=300)
                ran += 1
                if result.returncode != int(status or 0):
                    faults.append(f"`{line}` (for `{command}`): exit status {result.returncode}: "
                                  f"{(result.stdout + result.stderr)[-400:]}")
    print("\n".join(faults) or
          f"{ran} commands run; {len(LEFT)} left out:\n" +
          "\n".join(f"  {command}: {reason}" for command, reason in LEFT.items()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
