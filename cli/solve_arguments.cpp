// SPDX-License-Identifier: EPL-2.0
#include "cli/solve_arguments.hpp"

#include "cli/ranging_file.hpp"
#include "readers/output.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {
namespace {

/// What a run continues from may be renewed by what it writes of the same kind.
void checkFiles(SolveArguments const& a) {
  std::vector<NamedFile> inputs{{"FILE", a.file},
                                {"--basis-in", a.basisIn, a.basisOut},
                                {"--start", a.start, a.solution},
                                {"--resume", a.resume, a.checkpoint}};
  for (std::string const& path : a.analysis.objectives)
    if (path != "model") inputs.push_back({"--objective", path});  // which is no file
  bool const hasBasis = !readers::replacedFile(a.trace).empty();
  checkOutputs(inputs, {{"--basis-out", a.basisOut},
                        {"--solution", a.solution},
                        {"--proof", a.proof},
                        {"--ranging", a.analysis.ranging},
                        {"--iis", a.analysis.iis},
                        {"--relaxed", a.analysis.relaxed},
                        {"--checkpoint", a.checkpoint},
                        {"--trace", a.trace},
                        {"the basis of --trace", hasBasis ? a.trace + ".bas" : ""}});
}

/// What asks about the optimal basis of a linear program has nothing to say of integers.
void checkIntegers(SolveArguments const& arguments, SearchChoice search) {
  AnalysisArguments const& asked = arguments.analysis;
  if (!arguments.integers) return;
  bool const saves = !arguments.checkpoint.empty() || !arguments.resume.empty();
  if (saves && search == SearchChoice::cbc)
    throw Failure(ExitStatus::usage,
                  "--checkpoint and --resume with --integers: Cbc has none, use --search own");
  if (saves)
    refuseGiven({{"--proof", !arguments.proof.empty()}}, " is not for a search with checkpoints");
  refuseGiven({{"--ranging", !asked.ranging.empty()},
               {"--iis", !asked.iis.empty()},
               {"--relax", !asked.relax.empty()},
               {"a second --objective", asked.objectives.size() > 1},
               {"--basis-out", !arguments.basisOut.empty()},
               {"--trace", !arguments.trace.empty()}},
              " is not for --integers");
}

}  // namespace

void refuseGiven(std::initializer_list<std::pair<char const*, bool>> options,
                 std::string const& why) {
  for (auto const& [name, given] : options)
    if (given) throw Failure(ExitStatus::usage, name + why);
}

void checkArguments(SolveArguments const& arguments, SearchChoice search) {
  checkFiles(arguments);
  parseLoss(arguments.analysis.loss, "--loss");
  checkIntegers(arguments, search);
}

void addSolveArguments(CLI::App& app, SolveArguments& arguments) {
  addArgument(app, "FILE", arguments.file, "the linear program; - is standard input");
  CLI::Option* const basisIn = addValue(app, "--basis-in", arguments.basisIn, "FILE",
                                        "start from this basis (MPS basis format)");
  CLI::Option* const start =
      addValue(app, "--start", arguments.start, "FILE",
               "start from an approximate optimum: a solution file, or x and y in an .npz; "
               "with --integers: begin with its integers")
          ->excludes(basisIn);
  addValue(app, "--basis-out", arguments.basisOut, "FILE",
           "write the last basis (MPS basis format)");
  addValue(app, "--solution", arguments.solution, "FILE",
           "write values, duals and basis: .sol as text, .json, .glpsol as glpsol does");
  addValue(app, "--proof", arguments.proof, "FILE",
           "write what proves the status, as exact fractions: .json, or .vipr for viprchk; "
           "implies --exact on; with --integers the tree of the own search: .tree, or .vipr");
  CLI::Option* const checkpoint =
      addValue(app, "--checkpoint", arguments.checkpoint, "FILE",
               "save a restart basis periodically, on SIGUSR1 and at the end");
  addValue(app, "--checkpoint-interval", arguments.checkpointInterval, "SECONDS",
           "seconds between two checkpoints [60]")
      ->needs(checkpoint);
  addValue(app, "--resume", arguments.resume, "FILE",
           "continue from a checkpoint of the same problem")
      ->excludes(basisIn)
      ->excludes(start);
  addValue(app, "--trace", arguments.trace, "FILE",
           "write each step and why it ended, one JSON object per line; without a proved "
           "status also FILE.bas, the last basis");
  app.add_flag("--integers", arguments.integers,
               "keep integer columns: branch and bound, or branch and cut by the module with Cbc");
  app.add_flag("--certificate", arguments.certificate,
               "report the proof: row multipliers if infeasible, the ray if unbounded");
  app.add_flag("--json", arguments.json, "print one JSON object and nothing else");
  CLI::Option* const quiet =
      app.add_flag("--quiet", arguments.quiet, "no progress and no notices on standard error");
  app.add_flag("--verbose", arguments.verbose, "more on standard error")->excludes(quiet);
  addAnalysisOptions(app, arguments.analysis);
  addSolverOptions(app, arguments.optionTexts);
}

}  // namespace osi_cuda::cli
