// SPDX-License-Identifier: EPL-2.0
//
// The stress set: makes problems that are hard on numerics, solves them, has every claim judged by
// what shares nothing with the solver, and prints the counts by kind.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "bridges/bridge.hpp"
#include "lab/stress/campaign.hpp"
#include "lab/stress/document.hpp"
#include "lab/stress/integer_campaign.hpp"
#include "lab/stress/integer_families.hpp"
#include "lab/stress/integer_interfaces.hpp"
#include "lab/stress/kinds.hpp"
#include "lab/stress/summary.hpp"
#include "lab/stress/ways.hpp"
#include "lab/stress/worker.hpp"

namespace {

using namespace osi_cuda::stress;

/// File descriptor on which a worker answers; its standard output is the solvers'.
constexpr int replyDescriptor = 3;

struct Settings {
  Campaign campaign;
  std::string kindNames, baseNames, seeds = "1-1", algorithms = "primal,dual", pricings = "auto",
                                    engines = "host", peerNames = "clp,highs", set = "samples";
  std::string ways, csv, document, commandLine;
  std::int64_t maxCells = 310000;
  WorkerSettings worker;
  double missingLimit = 1.0 / 500.0;
  std::string interfaces = "library,c,program,osi,cbc";
  bool check = false, asWorker = false, asIntegerWorker = false, list = false;
};

std::vector<std::string> words(std::string const& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    if (!word.empty()) all.push_back(word);
  return all;
}

/// The wanted files, those that are too large left out.
std::vector<BaseFile> basesOf(Settings const& settings) {
  std::vector<BaseFile> files = sampleFiles();
  if (settings.set != "samples") {
    auto const netlib = netlibFiles();
    if (netlib.empty())
      std::cerr << "stress: Netlib's problems are left out: OSI_CUDA_DATA names no folder that has "
                   "them\n";
    // A sample that is a Netlib problem too is taken once.
    for (BaseFile const& file : netlib)
      if (std::none_of(files.begin(), files.end(),
                       [&](BaseFile const& other) { return other.name == file.name; }))
        files.push_back(file);
  }
  auto const wanted = words(settings.baseNames);
  for (std::string const& name : wanted)
    if (std::none_of(files.begin(), files.end(),
                     [&](BaseFile const& file) { return file.name == name; }))
      throw std::invalid_argument("there is no base model " + name + " (--list shows them)");
  std::vector<BaseFile> chosen;
  for (BaseFile const& file : files)
    if ((wanted.empty() || std::find(wanted.begin(), wanted.end(), file.name) != wanted.end()) &&
        cellsOf(file) <= settings.maxCells)
      chosen.push_back(file);
  return chosen;
}

void readSeeds(std::string const& text, Campaign& campaign) {
  std::istringstream stream(text);
  char dash = '-';
  bool const first = static_cast<bool>(stream >> campaign.firstSeed);
  campaign.lastSeed = campaign.firstSeed;
  if (first && !stream.eof()) stream >> dash >> campaign.lastSeed;
  if (!first || stream.fail() || !stream.eof() || dash != '-' || campaign.firstSeed < 1 ||
      campaign.lastSeed < campaign.firstSeed)
    throw std::invalid_argument("--seeds wants FIRST-LAST, whole numbers from 1 on, not " + text);
}

void complete(Settings& settings, char const* program) {
  Campaign& campaign = settings.campaign;
  campaign.kinds = words(settings.kindNames);
  if (campaign.kinds.empty())
    for (Kind const& kind : kinds()) campaign.kinds.push_back(kind.name);
  for (std::string const& name : campaign.kinds)
    if (findKind(name) == nullptr) throw std::invalid_argument("there is no kind " + name);
  campaign.bases = basesOf(settings);
  readSeeds(settings.seeds, campaign);
  for (std::string const& engine : words(settings.engines))
    for (std::string const& algorithm : words(settings.algorithms))
      for (std::string const& pricing : words(settings.pricings))
        campaign.variants.push_back({engine, algorithm, pricing});
  for (std::string const& way : settings.ways == "all" ? wayNames() : words(settings.ways)) {
    if (!isWay(way)) throw std::invalid_argument("there is no way " + way);
    campaign.variants.push_back({way, "auto", "none"});
  }
  for (std::string const& peer : words(settings.peerNames)) {
    if (std::string const reason = osi_cuda::whyUnavailable(peer); !reason.empty()) {
      std::cerr << "stress: " << peer << " is left out: " << reason << '\n';
      continue;
    }
    campaign.peers.push_back(peer);
  }
  campaign.worker = {program, "--worker"};
  campaign.worker.insert(campaign.worker.end(),
                         {"--truth-time", std::to_string(settings.worker.truthTime)});
  if (!settings.worker.peerPresolve) campaign.worker.push_back("--no-peer-presolve");
}

int runCampaign(Settings const& settings) {
  Campaign const& campaign = settings.campaign;
  if (!campaign.writeFailures.empty()) std::filesystem::create_directories(campaign.writeFailures);
  std::ofstream csv;
  if (!settings.csv.empty()) {
    csv.open(settings.csv);
    if (!csv) throw std::runtime_error(settings.csv + " can't be written");
    csv << csvHeading();
  }
  std::size_t const tasks = tasksOf(campaign).size();
  Summary summary;
  std::size_t done = 0, notMade = 0;
  auto const start = std::chrono::steady_clock::now();
  auto lastReport = start;
  run(campaign, [&](ProblemResult const& result) {
    summary.add(result);
    if (csv) csv << csvLines(result) << std::flush;
    ++done;
    notMade += !result.failure.empty();
    auto const now = std::chrono::steady_clock::now();
    if (now - lastReport > std::chrono::seconds(20)) {
      lastReport = now;
      auto const counts = summary.total();
      std::cerr << "stress: " << done << " of " << tasks << " problems, " << counts.solves
                << " solves, " << counts.wrong << " false, " << counts.missing << " missing, "
                << std::chrono::duration_cast<std::chrono::seconds>(now - start).count() << " s\n";
    }
  });
  auto const counts = summary.total();
  summary.print(std::cout, campaign.peers);
  std::ostringstream sentence;
  sentence << counts.solves << " solves, " << counts.wrong << " false claims, " << counts.missing
           << " of " << counts.wanted
           << " without an answer where another solver or exact arithmetic has one ("
           << counts.numerical << " numerical, " << counts.timeLimit << " at the time limit, "
           << counts.crash << " crashes, " << counts.hang << " without end, " << counts.unsettled
           << " unsettled claims); " << notMade << " problems could not be made; "
           << summary.enclosures();
  std::cout << "\n" << sentence.str() << "\n";
  if (!settings.document.empty()) {
    std::ostringstream section;
    section << "    " << settings.commandLine << "\n\n"
            << dateAndMachine() << ": " << sentence.str() << ".\n\n";
    summary.printShort(section, campaign.peers);
    replaceSection(settings.document, "stress set", section.str());
  }
  if (!settings.check) return 0;
  bool const fails = counts.wrong > 0 || counts.solves == 0 ||
                     counts.missing > settings.missingLimit * counts.wanted;
  return fails ? 1 : 0;
}

int runIntegers(Settings const& settings) {
  Campaign const& campaign = settings.campaign;
  IntegerCampaign integers;
  integers.families = words(settings.kindNames);
  if (integers.families.empty())
    for (IntegerFamily const& family : integerFamilies()) integers.families.push_back(family.name);
  integers.interfaces = words(settings.interfaces);
  for (std::string const& name : integers.interfaces)
    if (!isIntegerInterface(name)) throw std::invalid_argument("there is no interface " + name);
  integers.firstSeed = campaign.firstSeed;
  integers.lastSeed = campaign.lastSeed;
  integers.solves = campaign.solves;
  integers.jobs = campaign.jobs;
  integers.writeFailures = campaign.writeFailures;
  integers.csv = settings.csv;
  integers.worker = {"/proc/self/exe", "--integer-worker"};
  if (!integers.writeFailures.empty()) std::filesystem::create_directories(integers.writeFailures);
  std::ostringstream text;
  auto const counts = run(integers, settings.document.empty() ? std::cout : text);
  if (!settings.document.empty())
    replaceSection(settings.document, "integer stress set",
                   "    " + settings.commandLine + "\n\n" + dateAndMachine() + ":\n" + text.str());
  bool const fails = counts.wrong + counts.crash + counts.hang > 0 || counts.solves == 0;
  return settings.check && fails ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Campaign& campaign = settings.campaign;
  CLI::App app("Solves problems that are hard on numerics and judges every claim.");
  app.add_option("--kind", settings.kindNames, "kinds, with commas between; all without it");
  app.add_option("--set", settings.set,
                 "base models: samples, or all (with OSI_CUDA_DATA's Netlib); or integers: small "
                 "problems with integer columns, held against their enumeration")
      ->check(CLI::IsMember({"samples", "all", "integers"}));
  app.add_option("--base", settings.baseNames, "names of base models; all of the set without it");
  app.add_option("--max-cells", settings.maxCells, "base models of at most rows x columns");
  app.add_option(
      "--interface", settings.interfaces,
      "of integers, with commas between: library, c, program, python, osi, cbc, clp, the "
      "last two also with cut generators, as in cbc:gomory+clique");
  app.add_option("--seeds,--seed", settings.seeds, "FIRST-LAST");
  app.add_option("--constructed", campaign.constructedPerSeed,
                 "problems of each kind without base, a seed");
  app.add_option(
      "--solves", campaign.solves,
      "as many seeds, from the first one on, as make so many solves; 0: those of --seeds");
  app.add_option("--engine", settings.engines,
                 "host, cuda, or of the host tableau or factors alone, with commas between");
  app.add_option("--algorithm", settings.algorithms,
                 "with commas between; interior is the barrier without crossover");
  app.add_option("--way", settings.ways,
                 "batch, variants, ranging, iis, relaxation, ranks, or all, besides the solves");
  app.add_option("--truth-time", settings.worker.truthTime,
                 "seconds for what is true of a problem, in rational numbers; 0: it is not asked");
  app.add_option("--pricing", settings.pricings, "with commas between");
  app.add_option("--time-limit", campaign.timeLimit, "seconds a solve");
  app.add_option("--time-per-cell", campaign.timeLimitPerCell,
                 "seconds that are added for each entry of the dense matrix");
  app.add_option("--exact-time", campaign.exactTime, "seconds for exact arithmetic; 0: none");
  app.add_option("--jobs", campaign.jobs, "processes at a time");
  app.add_option("--peers", settings.peerNames, "clp, highs");
  app.add_flag("--peer-presolve,!--no-peer-presolve", settings.worker.peerPresolve,
               "the peers with presolve, as their own programs solve");
  app.add_option("--csv", settings.csv, "a file with a line for each claim");
  app.add_option("--write-failures", campaign.writeFailures,
                 "a folder for the problems with a false claim or without an answer");
  app.add_option("--document", settings.document,
                 "a Markdown file whose section between <!-- stress set --> and <!-- end of stress "
                 "set --> gets the command, the date, the machine and the table");
  app.add_flag("--check", settings.check,
               "exit status 1 on a false claim, or too many missing answers");
  app.add_option("--missing-limit", settings.missingLimit, "share of missing answers for --check");
  app.add_flag("--list", settings.list, "print the kinds and the base models");
  app.add_flag("--worker", settings.asWorker)->group("");
  app.add_flag("--integer-worker", settings.asIntegerWorker)->group("");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return app.exit(error) == 0 ? 0 : 64;
  }
  settings.commandLine = "stress";
  for (int k = 1; k < argc; ++k) settings.commandLine += std::string(" ") + argv[k];
  try {
    if (settings.asWorker) {
      serve(STDIN_FILENO, replyDescriptor, settings.worker);
      return 0;
    }
    if (settings.asIntegerWorker) {
      serveIntegers(STDIN_FILENO, replyDescriptor);
      return 0;
    }
    std::signal(SIGPIPE, SIG_IGN);  // a worker that crashed shows in what write() returns
    if (settings.set == "integers" && !settings.list) {
      readSeeds(settings.seeds, campaign);
      return runIntegers(settings);
    }
    complete(settings, "/proc/self/exe");
    if (settings.list) {
      for (Kind const& kind : kinds()) std::cout << kind.name << ": " << kind.what << "\n";
      for (BaseFile const& base : campaign.bases)
        std::cout << base.name << " " << base.path << "\n";
      for (IntegerFamily const& family : integerFamilies())
        std::cout << family.name << ": " << family.what << " (--set integers)\n";
      return 0;
    }
    return runCampaign(settings);
  } catch (std::exception const& error) {
    std::cerr << "stress: " << error.what() << "\n";
    return 64;
  }
}
