// SPDX-License-Identifier: EPL-2.0
//
// The program as its user meets it.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/csv.hpp"
#include "examples/traffic_matrix/estimation.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "examples/traffic_matrix/sndlib.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::traffic;
using osi_cuda::testing::ProgramResult;
using osi_cuda::testing::readWholeFile;
using osi_cuda::testing::TemporaryFolder;

namespace {

using Words = std::vector<std::string>;

std::string const fiveNodes = OSI_CUDA_TEST_FOLDER "/traffic_matrix/five_nodes.txt";

ProgramResult run(Words words) {
  auto const beside = std::filesystem::path(testing::osiCudaProgram()).parent_path();
  words.insert(words.begin(), (beside / "traffic_matrix").string());
  testing::Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

/// A generated case in a folder of its own.
struct Case {
  explicit Case(Words more = {}) {
    Words words{"generate", "--nodes", "12", "--seed", "4", "--out", folder.path().string()};
    words.insert(words.end(), more.begin(), more.end());
    ProgramResult const made = run(words);
    BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  }
  std::string file(std::string const& name) const { return folder.file(name); }
  /// The words of an estimate, and more.
  Words estimate(Words const& more = {}) const {
    Words words{"estimate",        "--network", file("network.txt"), "--loads",
                file("loads.csv"), "--prior",   file("prior.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Replaces the load of the k-th link.
  void setLoad(int k, double load) const {
    Network const network = readNetwork(file("network.txt"), {}).network;
    std::vector<double> loads;
    for (auto const& value : readLoads(file("loads.csv"), network)) loads.push_back(*value);
    loads[k] = load;
    folder.write("loads.csv", loadsText(loads, network));
  }
  TemporaryFolder folder;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(fromCountersToPictures) {
  Case const made;
  ProgramResult const result =
      run(made.estimate({"--truth", made.file("truth.csv"), "--out", made.file("result.csv"),
                         "--pictures", made.file("pictures"), "--worst", "3", "--json"}));
  BOOST_TEST_REQUIRE(result.status == 0, result.errors);
  auto const json = nlohmann::json::parse(result.output);
  BOOST_TEST(json["status"] == "optimal");
  BOOST_TEST(json["nodes"] == 12);
  BOOST_TEST(json["links"] == 42);
  BOOST_TEST(json["pairs"] == 132);
  BOOST_TEST(json["residual"].get<double>() <= 1e-8);
  BOOST_TEST(json["floor"]["pairs_below"] == 0);
  BOOST_TEST(json["worst"].size() == 3U);
  BOOST_TEST(json["solver"] == examples::solverNames().front());
  double const before = json["accuracy"]["prior"]["total_variation"];
  double const after = json["accuracy"]["result"]["total_variation"];
  BOOST_TEST((after > 0.0 && after < before));

  // The file says the same as the program: its loads are the counters'.
  Network const network = readNetwork(made.file("network.txt"), {}).network;
  std::vector<double> const matrix = readMatrix(made.file("result.csv"), network);
  std::vector<double> const loads = linkLoads(routingMatrix(network), matrix);
  auto const counted = readLoads(made.file("loads.csv"), network);
  for (int i = 0; i < network.linkCount(); ++i)
    BOOST_TEST(std::abs(loads[i] - *counted[i]) <= 1e-8 * *counted[i]);

  for (char const* name : {"matrices.svg", "errors.svg", "network.svg"}) {
    std::string const svg = readWholeFile(made.file(std::string("pictures/") + name));
    BOOST_TEST(svg.starts_with("<svg "));
    BOOST_TEST(svg.ends_with("</svg>\n"));
    BOOST_TEST(!contains(svg, "nan"));
    BOOST_TEST(!contains(svg, "inf"));
  }
}

BOOST_AUTO_TEST_CASE(everySolverAndFormulationHasOneOptimum) {
  Case const made;
  std::vector<double> optima;
  for (std::string const& solver : examples::solverNames())
    for (char const* formulation : {"rows", "deviations"}) {
      ProgramResult const result =
          run(made.estimate({"--solver", solver, "--formulation", formulation, "--objective",
                             "asymmetric-piecewise", "--json"}));
      BOOST_TEST_REQUIRE(result.status == 0, result.errors);
      optima.push_back(nlohmann::json::parse(result.output)["objective_value"]);
    }
  for (double const optimum : optima)
    BOOST_TEST(std::abs(optimum - optima.front()) <= 1e-9 * optima.front());
}

BOOST_AUTO_TEST_CASE(aNetworkOfSndlib) {
  TemporaryFolder const folder;
  ProgramResult const made =
      run({"generate", "--network", fiveNodes, "--out", folder.path().string(), "--json"});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  BOOST_TEST(nlohmann::json::parse(made.output)["traffic"] == 12310.0);  // the file's demands
  BOOST_TEST(!std::filesystem::exists(folder.file("network.txt")));
  ProgramResult const result =
      run({"estimate", "--network", fiveNodes, "--loads", folder.file("loads.csv"), "--prior",
           "gravity", "--totals", folder.file("totals.csv"), "--balance", "--truth",
           folder.file("truth.csv"), "--pictures", folder.file("pictures")});
  BOOST_TEST(result.status == 0, result.errors);
  BOOST_TEST(contains(result.output, "status       optimal"));
  std::string const map = readWholeFile(folder.file("pictures/network.svg"));
  BOOST_TEST(contains(map, "paris-lyon (Paris -&gt; Lyon)"));
}

BOOST_AUTO_TEST_CASE(contradictingLoads) {
  Case const made;
  Network const network = readNetwork(made.file("network.txt"), {}).network;
  double const truth = *readLoads(made.file("loads.csv"), network)[7];
  made.setLoad(7, 1e6);  // more than its source sends and receives
  Words const access{"--access", "--totals", made.file("totals.csv")};
  auto const with = [&](Words more) {
    more.insert(more.end(), access.begin(), access.end());
    return run(made.estimate(more));
  };
  for (std::string const& solver : examples::solverNames()) {
    ProgramResult const result = with({"--json", "--solver", solver});
    BOOST_TEST_REQUIRE(result.status == 1, result.errors);
    auto const json = nlohmann::json::parse(result.output);
    BOOST_TEST(json["status"] == "infeasible");
    BOOST_TEST(json["objective_value"].is_null());
    std::string const sentence = json["contradiction"]["sentence"];
    BOOST_TEST(contains(sentence, "load of L4 (N1 -> N4)"));
    bool found = false;
    for (auto const& link : json["contradiction"]["links"])
      found = found || (link["link"] == "L4" && link["load"] == 1e6 && link["multiplier"] > 0.0);
    BOOST_TEST(found);
    BOOST_TEST(contains(with({"--solver", solver}).output, sentence));

    ProgramResult const elastic = with({"--elastic", "--json", "--solver", solver});
    BOOST_TEST_REQUIRE(elastic.status == 0, elastic.errors);
    auto const corrected = nlohmann::json::parse(elastic.output);
    BOOST_TEST(corrected["residual"].get<double>() <= 1e-8);
    BOOST_TEST_REQUIRE(corrected["corrections"].size() == 1U);  // the smallest one is the truth
    BOOST_TEST(corrected["corrections"][0]["link"] == "L4");
    double const repaired = corrected["corrections"][0]["corrected"];
    BOOST_TEST(std::abs(repaired - truth) <= 1e-6 * truth);
    BOOST_TEST(corrected["contradiction"]["sentence"] == sentence);
  }
}

BOOST_AUTO_TEST_CASE(aMissingLoad) {
  Case const made;
  std::string text = readWholeFile(made.file("loads.csv"));
  std::size_t const begin = text.find("L4,");
  text.erase(begin, text.find('\n', begin) - begin + 1);
  made.folder.write("loads.csv", text);
  ProgramResult const refused = run(made.estimate());
  BOOST_TEST(refused.status == 65);
  BOOST_TEST(contains(refused.errors, "loads.csv: link L4 ("));
  BOOST_TEST(contains(refused.errors, "has no load (--ignore-missing estimates without it)"));
  ProgramResult const done = run(made.estimate({"--ignore-missing", "--json"}));
  BOOST_TEST_REQUIRE(done.status == 0, done.errors);
  BOOST_TEST(nlohmann::json::parse(done.output)["counters"] == 41);
}

BOOST_AUTO_TEST_CASE(faultsInFilesAreNamed) {
  Case const made;
  auto const loads = [&](std::string const& text) {
    made.folder.write("bad.csv", text);
    ProgramResult const result = run({"estimate", "--network", made.file("network.txt"), "--loads",
                                      made.file("bad.csv"), "--prior", made.file("prior.csv")});
    BOOST_TEST(result.status == 65);
    return result.errors.substr(result.errors.find("bad.csv"));
  };
  std::string const header = "link,source,target,load\n";
  BOOST_TEST(loads(header + "L1,N1,N99,5\n") ==
             "bad.csv:2:7: expected the name of a node of the network, found \"N99\"\n");
  BOOST_TEST(loads(header + "L77,N1,N2,5\n") ==
             "bad.csv:2:1: expected a link of the network from this source to this target, found "
             "\"L77\"\n");
  BOOST_TEST(loads(header + "L1,N1,N2,-5\n") ==
             "bad.csv:2:10: expected a number >= 0, found \"-5\"\n");
  BOOST_TEST(loads(header + "L1,N1,N2,5\n# a remark\n\nL1,N1,N2,5\n") ==
             "bad.csv:5:1: expected a link that has no line yet, found \"L1\"\n");
  BOOST_TEST(loads(header + "L1,N1,N2\n") ==
             "bad.csv:2:1: expected 4 cells as in the header, found 3\n");
  BOOST_TEST(loads("link,source,target\n") ==
             "bad.csv:1:1: expected a column 'load' in the header, found \"link,source,target\"\n");
  BOOST_TEST(run({"estimate", "--network", "none.txt", "--loads", "a", "--prior", "b"}).status ==
             66);
}

BOOST_AUTO_TEST_CASE(wrongUsageIsOneSentence) {
  Case const made;
  auto const fault = [&](Words const& more) {
    ProgramResult const result = run(made.estimate(more));
    BOOST_TEST(result.status == 64);
    return result.errors.substr(0, result.errors.find('\n'));
  };
  BOOST_TEST(fault({"--objective", "minimx"}) ==
             "traffic_matrix: --objective must be minimax, sum, asymmetric, piecewise or "
             "asymmetric-piecewise, not 'minimx'; did you mean 'minimax'?");
  BOOST_TEST(fault({"--alpha", "2"}) == "traffic_matrix: --alpha means nothing to --objective sum");
  BOOST_TEST(fault({"--q", "1.5"}) == "traffic_matrix: --q must be from 0 to 1, not 1.5");
  BOOST_TEST(fault({"--objective", "piecewise", "--beta", "0.5"}) ==
             "traffic_matrix: --beta must be at least 1, not 0.5");
  BOOST_TEST(fault({"--objective", "piecewise", "--q", "0.5"}) ==
             "traffic_matrix: --gamma is needed with --q below 1, as its unit is that of "
             "traffic^(1 - q)");
  BOOST_TEST(fault({"--objectiv", "sum"}) ==
             "traffic_matrix: unknown option '--objectiv'; did you mean '--objective'?");
  BOOST_TEST(fault({"--solver", "clip"}) ==
             "traffic_matrix: --solver must be cuda or clp, not 'clip'; did you mean 'clp'?");
  BOOST_TEST(contains(fault({"--engine", "hots"}), "host"));
  BOOST_TEST(fault({"--totals", made.file("totals.csv")}) ==
             "traffic_matrix: --totals belongs to --prior gravity and to --access");
  BOOST_TEST(fault({"--access"}) ==
             "traffic_matrix: --access needs --totals: what each node sends and receives");
  BOOST_TEST(fault({"--balance"}) ==
             "traffic_matrix: --friction and --balance belong to --prior gravity");
  BOOST_TEST(run({"estimate"}).status == 64);
  BOOST_TEST(run({"generate", "--out", made.file("new"), "--nodes", "2"}).errors ==
             "traffic_matrix: --nodes must be from 3 to 2000, not 2\nRun traffic_matrix generate "
             "--help for "
             "help.\n");
}

BOOST_AUTO_TEST_CASE(helpNamesEverything) {
  ProgramResult const help = run({"estimate", "--help"});
  BOOST_TEST(help.status == 0);
  for (char const* option :
       {"--network", "--loads",   "--prior",          "--totals",      "--friction",
        "--balance", "--truth",   "--objective",      "--alpha",       "--beta",
        "--gamma",   "--q",       "--floor",          "--formulation", "--solver",
        "--engine",  "--elastic", "--ignore-missing", "--out",         "--pictures",
        "--mps",     "--worst",   "--json",           "--weights",     "--directed"})
    BOOST_TEST(contains(help.output, option), option);
  for (char const* command : {"generate", "estimate"})
    BOOST_TEST(contains(run({"--help"}).output, command));
}

BOOST_AUTO_TEST_SUITE_END()
