// SPDX-License-Identifier: EPL-2.0
// `osi-cuda batch`: lists of files and variants of a model.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::runOsiCuda;
using testing::TemporaryFolder;

std::vector<Json> linesOf(std::string const& output) {
  std::vector<Json> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

/// max 3 x + 2 y, x + y <= 4, x - y <= 1, x, y >= 0 (as a minimisation): optimum -10.5.
constexpr char feasibleMps[] = R"(NAME          FEASIBLE
ROWS
 N  COST
 L  R1
 L  R2
COLUMNS
    X         COST              -3.0   R1                 1.0
    X         R2                 1.0
    Y         COST              -2.0   R1                 1.0
    Y         R2                -1.0
RHS
    RHS       R1                 4.0   R2                 1.0
ENDATA
)";

struct Folder : TemporaryFolder {
  std::string model = write("feasible.mps", feasibleMps);
  std::string infeasible = write("infeasible.mps", testing::infeasibleMps());
  std::string unbounded = write("unbounded.mps", testing::unboundedMps());
};

BOOST_AUTO_TEST_SUITE(batch)

BOOST_AUTO_TEST_CASE(a_list_of_files_gives_a_line_each_in_order) {
  Folder const folder;
  std::string const list = folder.write(
      "list.csv", "file\nfeasible.mps\ninfeasible.mps\nunbounded.mps\nmissing.mps\nfeasible.mps\n");
  auto const result = runOsiCuda({"batch", list, "--jobs", "3", "--quiet"});
  std::vector<Json> const lines = linesOf(result.output);
  BOOST_REQUIRE(lines.size() == 5u);
  char const* const expected[] = {"optimal", "infeasible", "unbounded", "error", "optimal"};
  for (std::size_t k = 0; k < lines.size(); ++k) {
    BOOST_TEST(lines[k]["index"] == k);
    BOOST_TEST(lines[k]["status"] == expected[k]);
  }
  BOOST_TEST(lines[0]["objective"].get<double>() == -10.5);
  BOOST_TEST(lines[0]["proof"] == "tolerance");
  BOOST_TEST(lines[1]["proof"] == "exact");
  BOOST_TEST(lines[1]["objective"].is_null());
  BOOST_TEST(lines[3]["exit_status"] == 66);
  BOOST_TEST(result.status == 66);
  BOOST_TEST(result.errors.empty(), result.errors);
}

BOOST_AUTO_TEST_CASE(the_exit_status_is_that_of_the_worst_problem) {
  Folder const folder;
  std::string const good = folder.write("good.csv", "file\nfeasible.mps\n"),
                    proved = folder.write("proved.csv", "file\nunbounded.mps\nfeasible.mps\n"),
                    empty = folder.write("empty.csv", "file\n");
  BOOST_TEST(runOsiCuda({"batch", good}).status == 0);
  BOOST_TEST(runOsiCuda({"batch", proved}).status == 1);
  BOOST_TEST(runOsiCuda({"batch", proved, "--iteration-limit", "0"}).status == 2);
  auto const nothing = runOsiCuda({"batch", empty});
  BOOST_TEST(nothing.status == 0);
  BOOST_TEST(nothing.output.empty());
}

BOOST_AUTO_TEST_CASE(variants_change_costs_bounds_and_right_hand_sides) {
  Folder const folder;
  // max 3 x + 2 y, x + y <= 4, x - y <= 1, as a minimisation
  std::string const changes = folder.write("changes.csv",
                                           "name,cost:X,upper:X,rhs:R1,row-lower:R2\n"
                                           "as it is,,,,\n"
                                           "cheap,-1,,,\n"
                                           "narrow,,1,,\n"
                                           "wide,,inf,8,\n"
                                           "impossible,,,-1,\n"
                                           "fixed,,,,1\n");
  auto const result =
      runOsiCuda({"batch", folder.model, "--changes", changes, "--values", "--jobs", "2"});
  std::vector<Json> const lines = linesOf(result.output);
  BOOST_REQUIRE(lines.size() == 6u);
  double const optima[] = {-10.5, -8.0, -9.0, -20.5, 0.0, -10.5};
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (k == 4) continue;
    BOOST_TEST(lines[k]["status"] == "optimal");
    BOOST_TEST(std::fabs(lines[k]["objective"].get<double>() - optima[k]) <= 1e-12);
  }
  BOOST_TEST(lines[0]["name"] == "as it is");
  BOOST_TEST(lines[2]["columns"]["Y"].get<double>() == 3.0);
  BOOST_TEST(lines[4]["status"] == "infeasible");
  BOOST_TEST(result.status == 1);
  BOOST_TEST(result.errors.find("the model itself: optimal") != std::string::npos, result.errors);
}

BOOST_AUTO_TEST_CASE(a_line_a_change_gathers_the_changes_of_a_variant) {
  Folder const folder;
  // max 3 x + 2 y, x + y <= 4, x - y <= 1, as a minimisation
  std::string const changes = folder.write("changes.csv",
                                           "variant,kind,name,value,row\n"
                                           "same\n"
                                           "mixed,cost,X,-1\n"
                                           "narrow,upper,X,1\n"
                                           "mixed,rhs,R1,8\n"
                                           "steep,coefficient,X,2,R1\n"
                                           "crossed,lower,X,3\n"
                                           "crossed,upper,X,2\n"
                                           "never,lower,X,inf\n");
  auto const result = runOsiCuda({"batch", folder.model, "--changes", changes, "--values"});
  std::vector<Json> const lines = linesOf(result.output);
  BOOST_REQUIRE(lines.size() == 6u);
  // narrow: x = 1, y = 3; steep: 2 x + y <= 4, x - y <= 1: the best is x = 0, y = 4.
  double const optima[] = {-10.5, -16.0, -9.0};
  char const* const names[] = {"same", "mixed", "narrow", "steep", "crossed", "never"};
  for (std::size_t k = 0; k < lines.size(); ++k) BOOST_TEST(lines[k]["name"] == names[k]);
  for (std::size_t k = 0; k < 3; ++k)
    BOOST_TEST(std::fabs(lines[k]["objective"].get<double>() - optima[k]) <= 1e-12);
  BOOST_TEST(std::fabs(lines[3]["objective"].get<double>() + 8.0) <= 1e-12);
  BOOST_TEST(lines[4]["status"] == "infeasible");
  BOOST_TEST(lines[5]["status"] == "error");
  BOOST_TEST(result.status == 65);
  std::string const bad = folder.write("bad.csv", "variant,kind,name,value\na,price,X,1\n");
  auto const fault = runOsiCuda({"batch", folder.model, "--changes", bad, "--quiet"});
  BOOST_TEST(fault.status == 65);
  BOOST_TEST(fault.errors.substr(bad.size()).starts_with(":2:3: expected cost, lower, upper"));
}

BOOST_AUTO_TEST_CASE(options_that_batches_lack_are_for_the_ordinary_solver) {
  Folder const folder;
  std::string const changes = folder.write("changes.csv", "upper:X\n1\n\n2\n");
  auto const together = linesOf(runOsiCuda({"batch", folder.model, "--changes", changes}).output);
  auto const each = linesOf(
      runOsiCuda({"batch", folder.model, "--changes", changes, "--algorithm", "primal"}).output);
  BOOST_REQUIRE(together.size() == 2u);
  BOOST_REQUIRE(each.size() == 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(together[k]["status"] == "optimal");
    BOOST_TEST(std::fabs(together[k]["objective"].get<double>() -
                         each[k]["objective"].get<double>()) <= 1e-12);
  }
  BOOST_TEST(each[0].contains("seconds"));
}

BOOST_AUTO_TEST_CASE(jobs_and_order_leave_no_trace_in_a_variant) {
  TemporaryFolder const folder;
  std::string const model = folder.write("assignment.mps", testing::assignmentMps(12));
  std::string header = "cost:C1", forward, backward;
  for (int k = 0; k < 30; ++k) {
    std::string const line = std::to_string(k % 7 - 3) + "." + std::to_string(k) + "\n";
    forward += line;
    backward.insert(0, line);
  }
  auto const read = runOsiCuda({"convert", model, folder.file("plain.lp")});
  BOOST_REQUIRE(read.status == 0);
  std::string const text = testing::readWholeFile(model);
  std::size_t const columns = text.find("COLUMNS");
  std::istringstream words(text.substr(text.find('\n', columns)));
  std::string name;
  words >> name;
  header = "cost:" + name + "\n";
  std::string const one = folder.write("one.csv", header + forward),
                    two = folder.write("two.csv", header + backward);
  auto const a = linesOf(runOsiCuda({"batch", model, "--changes", one, "--values"}).output);
  auto const b =
      linesOf(runOsiCuda({"batch", model, "--changes", two, "--values", "--jobs", "1"}).output);
  BOOST_REQUIRE(a.size() == 30u);
  BOOST_REQUIRE(b.size() == 30u);
  for (std::size_t k = 0; k < 30; ++k)
    for (char const* const key : {"status", "objective", "iterations", "columns", "duals"})
      BOOST_TEST(a[k][key] == b[29 - k][key]);
}

BOOST_AUTO_TEST_CASE(faults_of_a_file_of_changes_are_told_with_their_place) {
  Folder const folder;
  auto const faultOf = [&](std::string const& text) {
    std::string const changes = folder.write("changes.csv", text);
    auto const result = runOsiCuda({"batch", folder.model, "--changes", changes, "--quiet"});
    BOOST_TEST(result.status == 65);
    BOOST_TEST(result.output.empty());
    return result.errors.substr(changes.size());
  };
  BOOST_TEST(faultOf("cost:Z\n1\n").starts_with(":1:1: expected cost: and the name of a column"));
  BOOST_TEST(faultOf("name,prize:X\na,1\n").starts_with(":1:6: expected name, cost:COLUMN"));
  BOOST_TEST(faultOf("cost:X\nmuch\n").starts_with(":2:1: expected a number"));
  BOOST_TEST(
      faultOf("cost:X,upper:X\n1,nan\n").starts_with(":2:3: expected a number, inf or -inf"));
  BOOST_TEST(faultOf("cost:X\ninf\n").starts_with(":2:1: expected a number"));
  auto const missing = runOsiCuda({"batch", folder.model, "--changes", folder.file("none.csv")});
  BOOST_TEST(missing.status == 66);
}

BOOST_AUTO_TEST_CASE(a_limit_for_the_whole_and_a_signal_leave_lines_for_all) {
  TemporaryFolder const folder;
  folder.write("long.mps", testing::assignmentMps(250));
  std::string const list = folder.write("list.csv", "file\nlong.mps\nlong.mps\nlong.mps\n");
  std::vector<std::string> const slow{"--algorithm", "primal",           "--pricing",
                                      "dantzig",     "--representation", "tableau"};
  auto const words = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"batch", list, "--jobs", "1"};
    all.insert(all.end(), slow.begin(), slow.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  auto const late = runOsiCuda(words({"--total-time-limit", "0.3"}));
  std::vector<Json> const lines = linesOf(late.output);
  BOOST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines.back()["status"] == "time_limit");
  BOOST_TEST(late.status == 2);

  std::vector<std::string> all = words({});
  all.insert(all.begin(), testing::osiCudaProgram());
  testing::Program program(all);
  BOOST_REQUIRE(program.hasSaid("3 problems, up to 1 at a time"));
  program.signal(SIGINT);
  BOOST_TEST(program.wait() == 2);
  std::vector<Json> const stopped = linesOf(program.output());
  BOOST_REQUIRE(stopped.size() == 3u);
  BOOST_TEST(stopped.back()["status"] == "interrupted");
}

BOOST_AUTO_TEST_CASE(an_engine_that_is_not_there_is_each_problems_error) {
  Folder const folder;
  std::string const list = folder.write("list.csv", "file\nfeasible.mps\n");
  testing::Program program({"env", "OSI_CUDA_ENGINE_PATH=" + folder.file(""),
                            testing::osiCudaProgram(), "batch", list, "--engine", "cuda"});
  BOOST_TEST(program.wait() == 69);
  BOOST_TEST(linesOf(program.output()).at(0)["exit_status"] == 69);
}

/// A list with `count` lines of the three problems in turn.
std::string listOf(Folder const& folder, int count) {
  char const* const files[] = {"feasible.mps", "infeasible.mps", "unbounded.mps"};
  std::string text = "file\n";
  for (int k = 0; k < count; ++k) text += std::string(files[k % 3]) + '\n';
  return folder.write("many.csv", text);
}

/// The lines without what differs from run to run.
std::vector<Json> comparable(std::string const& output) {
  std::vector<Json> lines = linesOf(output);
  for (Json& line : lines) line.erase("seconds");
  return lines;
}

BOOST_AUTO_TEST_CASE(parts_come_together) {
  Folder const folder;
  std::string const list = listOf(folder, 11);
  auto const whole = runOsiCuda({"batch", list, "--quiet"});
  std::vector<std::string> together{"batch", list, "--quiet", "--known"};
  std::size_t lines = 0;
  for (int part = 1; part <= 3; ++part) {
    std::string const name = folder.file("part-" + std::to_string(part) + ".jsonl");
    auto const result = runOsiCuda({"batch", list, "--quiet", "--part", std::to_string(part) + "/3",
                                    "--output", name, "--jobs", "1"});
    BOOST_TEST(result.output.empty());
    for (Json const& line : linesOf(testing::readWholeFile(name))) {
      BOOST_TEST(line["index"].get<int>() % 3 == part - 1);
      ++lines;
    }
    together.push_back(name);
  }
  BOOST_TEST(lines == 11u);
  // Nothing is left to be solved: the files need not be there any more.
  for (char const* const file : {"feasible.mps", "infeasible.mps", "unbounded.mps"})
    std::filesystem::remove(folder.file(file));
  auto const merged = runOsiCuda(together);
  BOOST_TEST((comparable(merged.output) == comparable(whole.output)));
  BOOST_TEST(merged.status == whole.status);
  // A part is printed in order, too.
  auto const second = runOsiCuda(
      {"batch", list, "--quiet", "--part", "2/3", "--known", folder.file("part-2.jsonl")});
  BOOST_TEST(second.output == testing::readWholeFile(folder.file("part-2.jsonl")));
}

BOOST_AUTO_TEST_CASE(a_killed_batch_goes_on_where_it_was) {
  Folder const folder;
  std::string const list = listOf(folder, 6);
  std::string const output = folder.file("answers.jsonl");
  std::vector<std::string> const words{"batch", list, "--output", output, "--jobs", "1"};
  BOOST_TEST(runOsiCuda(words).status == 1);
  std::string const all = testing::readWholeFile(output);
  // What a kill leaves: three answers, half of one, and one that a limit ended.
  std::size_t end = 0;
  for (int line = 0; line < 3; ++line) end = all.find('\n', end) + 1;
  std::string const stopped = R"({"index":5,"file":")" + folder.file("unbounded.mps") +
                              R"(","status":"time_limit","iterations":0})" + '\n';
  folder.write("answers.jsonl", stopped + all.substr(0, end + 20));
  auto const again = runOsiCuda(words);
  BOOST_TEST(again.status == 1);
  BOOST_TEST(again.errors.find("3 problems,") != std::string::npos, again.errors);
  std::string const now = testing::readWholeFile(output);
  BOOST_TEST(now.starts_with(stopped + all.substr(0, end)));
  std::vector<Json> lines = comparable(now.substr(stopped.size()));
  BOOST_TEST((lines == comparable(all)));
  BOOST_TEST(runOsiCuda(words).errors.find("0 problems,") != std::string::npos);
  BOOST_TEST(testing::readWholeFile(output) == now);
}

BOOST_AUTO_TEST_CASE(variants_have_parts_and_known_answers) {
  Folder const folder;
  std::string text = "name,rhs:R1\n";
  for (int k = 0; k < 10; ++k) text += "v" + std::to_string(k) + "," + std::to_string(k) + "\n";
  std::string const changes = folder.write("changes.csv", text);
  std::vector<std::string> const words{"batch", folder.model, "--changes", changes, "--quiet"};
  auto const run = [&](std::vector<std::string> const& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return runOsiCuda(all);
  };
  auto const whole = run({});
  auto const odd = run({"--part", "2/2"});
  std::string const known = folder.write("odd.jsonl", odd.output);
  BOOST_TEST(linesOf(odd.output).size() == 5u);
  BOOST_TEST(linesOf(odd.output)[0]["name"] == "v1");
  BOOST_TEST(run({"--known", known}).output == whole.output);
}

BOOST_AUTO_TEST_CASE(faults_of_parts_and_answers_have_a_message) {
  Folder const folder;
  std::string const list = listOf(folder, 3);
  for (char const* const part : {"0/3", "4/3", "1", "1/", "/2", "a/b", "1/3x", "-1/3"}) {
    auto const result = runOsiCuda({"batch", list, "--part", part});
    BOOST_TEST(result.status == 64, part);
    BOOST_TEST(result.errors.find("I/N") != std::string::npos, result.errors);
  }
  std::string const bad = folder.write("bad.jsonl", "{\"index\":0,\"status\":\"optimal\"}\n[1]\n");
  auto const noAnswer = runOsiCuda({"batch", list, "--known", bad});
  BOOST_TEST(noAnswer.status == 65);
  BOOST_TEST(noAnswer.errors.starts_with(bad + ":2:1: "), noAnswer.errors);
  std::string const other =
      folder.write("other.jsonl", "{\"index\":1,\"file\":\"else.mps\",\"status\":\"optimal\"}\n");
  auto const mixed = runOsiCuda({"batch", list, "--known", other});
  BOOST_TEST(mixed.status == 65);
  BOOST_TEST(mixed.errors.find("else.mps") != std::string::npos, mixed.errors);
  BOOST_TEST(runOsiCuda({"batch", list, "--known", folder.file("none.jsonl")}).status == 66);
  BOOST_TEST(runOsiCuda({"batch", list, "--output", folder.file("no/folder")}).status == 73);
  BOOST_TEST(
      runOsiCuda({"batch", list, "--part", "1/2", "--results", folder.file("a.npz")}).status == 64);
}

BOOST_AUTO_TEST_CASE(devices_are_checked) {
  Folder const folder;
  std::string const list = listOf(folder, 1);
  auto const onHost = runOsiCuda({"batch", list, "--devices", "0"});
  BOOST_TEST(onHost.status == 64);
  BOOST_TEST(onHost.errors.find("--engine cuda") != std::string::npos, onHost.errors);
  for (char const* const devices : {"0,", "none", "1;2"}) {
    auto const bad = runOsiCuda({"batch", list, "--engine", "cuda", "--devices", devices});
    BOOST_TEST(bad.status == 64);
    BOOST_TEST(bad.errors.find("one, all or numbers") != std::string::npos, bad.errors);
  }
}

BOOST_AUTO_TEST_CASE(one_process_writes_a_file_of_answers) {
  Folder const folder;
  std::string const list = listOf(folder, 3), output = folder.file("answers.jsonl");
  int const held = open(output.c_str(), O_RDWR | O_CREAT, 0666);
  BOOST_REQUIRE(flock(held, LOCK_EX) == 0);
  auto const refused = runOsiCuda({"batch", list, "--output", output});
  BOOST_TEST(refused.status == 73);
  BOOST_TEST(refused.errors.find("another process") != std::string::npos, refused.errors);
  close(held);
  BOOST_TEST(runOsiCuda({"batch", list, "--output", output}).status == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
