// SPDX-License-Identifier: EPL-2.0
// `osi-cuda batch` with arrays: variants from a NumPy archive, and answers into one.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "readers/formats.hpp"
#include "readers/npz_arrays.hpp"
#include "readers/npz_file.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::runOsiCuda;
using testing::TemporaryFolder;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// min -3 x - 2 y, R1: x + y <= 4, R2: x - y <= 1, R3: -1 <= y <= 5, x, y >= 0: -10.5.
constexpr char modelMps[] = R"(NAME          ARRAYS
ROWS
 N  COST
 L  R1
 L  R2
 L  R3
COLUMNS
    X         COST              -3.0   R1                 1.0
    X         R2                 1.0
    Y         COST              -2.0   R1                 1.0
    Y         R2                -1.0   R3                 1.0
RHS
    RHS       R1                 4.0   R2                 1.0
    RHS       R3                 5.0
RANGES
    RNG       R3                 6.0
ENDATA
)";

struct Folder : TemporaryFolder {
  std::string model = write("model.mps", modelMps);
  std::string changes = file("changes.npz");

  /// What the program says of a file of changes.
  testing::ProgramResult run(std::function<void(readers::NpzFile&)> const& fill,
                             std::vector<std::string> more = {}) const {
    readers::NpzFile file(changes);
    fill(file);
    file.close();
    std::vector<std::string> words{"batch", model, "--changes", changes, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runOsiCuda(words);
  }
};

std::vector<Json> linesOf(std::string const& output) {
  std::vector<Json> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

/// The arrays of an archive.
class Archive {
 public:
  explicit Archive(std::string const& path)
      : file_(readers::openRandomAccess(path, readers::zipStart)) {
    BOOST_REQUIRE(file_);
    members_ = readers::zipDirectory(*file_);
    for (auto const& member : members_) arrays_.emplace_back(*file_, member);
  }
  readers::NpzArray const& operator[](std::string const& name) const {
    for (auto const& array : arrays_)
      if (array.name() == name) return array;
    throw std::runtime_error("no array " + name);
  }
  std::size_t size() const { return arrays_.size(); }

 private:
  std::unique_ptr<readers::RandomAccess> file_;
  std::vector<readers::ZipMember> members_;
  std::vector<readers::NpzArray> arrays_;
};

void expectFault(testing::ProgramResult const& result, std::string const& sentence) {
  BOOST_TEST(result.status == 65);
  BOOST_TEST(result.output.empty());
  BOOST_TEST(result.errors.find(sentence) != std::string::npos, result.errors);
  BOOST_TEST(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

BOOST_AUTO_TEST_SUITE(batch_arrays)

// The same variants as arrays and as CSV have the same lines.
BOOST_AUTO_TEST_CASE(arrays_and_csv_say_the_same) {
  Folder const folder;
  std::vector<double> const c{nan, nan, -1.0, nan, nan, -5.0, nan, nan},
      upper{nan, nan, nan, nan, 0.5, nan, inf, nan},
      rhs{nan, nan, nan, 8.0, nan, nan, nan, 2.0, nan, -9.0, nan, nan},
      rowLower{nan, nan, nan, nan, nan, nan, nan, nan, 2.0, nan, nan, nan};
  std::vector<std::string> const names{"as it is", "cheap", "", "none"};
  auto const arrays = folder.run([&](readers::NpzFile& file) {
    file.add("c", {4, 2}, c);
    file.add("upper", {4, 2}, upper);
    file.add("rhs", {4, 3}, rhs);
    file.add("row_lower", {4, 3}, rowLower);
    file.add("names", names);
  });
  std::string const csv = folder.write("changes.csv",
                                       "name,cost:X,cost:Y,upper:X,upper:Y,rhs:R1,rhs:R2,"
                                       "row-lower:R3\n"
                                       "as it is,,,,,,,\ncheap,-1,,,,8,,\n,,-5,0.5,,,2,2\n"
                                       "none,,,inf,,-9,,\n");
  auto const table = runOsiCuda({"batch", folder.model, "--changes", csv, "--quiet"});
  BOOST_TEST(arrays.errors.empty(), arrays.errors);
  BOOST_TEST(arrays.status == table.status);
  BOOST_TEST(arrays.output == table.output);
  std::vector<Json> const lines = linesOf(arrays.output);
  BOOST_REQUIRE(lines.size() == 4u);
  BOOST_TEST(lines[0]["objective"].get<double>() == -10.5);
  BOOST_TEST(lines[1]["name"] == "cheap");
  BOOST_TEST(lines[3]["status"] == "infeasible");
}

// In either order of the indices, and as whole numbers.
BOOST_AUTO_TEST_CASE(orders_and_kinds_of_numbers) {
  Folder const folder;
  std::vector<std::int64_t> const whole{-3, -2, -1, -2};
  auto const result = folder.run([&](readers::NpzFile& file) { file.add("c", {2, 2}, whole); });
  std::vector<Json> const lines = linesOf(result.output);
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0]["objective"].get<double>() == -10.5);
  BOOST_TEST(lines[1]["objective"].get<double>() == -8.0);
  BOOST_TEST(!lines[0].contains("name"));
}

BOOST_AUTO_TEST_CASE(answers_as_arrays) {
  Folder const folder;
  std::string const out = folder.file("answers.npz");
  std::vector<double> const rhs{nan, nan, nan, -9.0, nan, nan};
  for (std::vector<std::string> const& more :
       {std::vector<std::string>{"--results", out, "--values"},
        std::vector<std::string>{"--results", out, "--values", "--algorithm", "dual"}}) {
    auto const result = folder.run(
        [&](readers::NpzFile& file) {
          file.add("rhs", {2, 3}, rhs);
        },
        more);
    BOOST_TEST(result.status == 1);
    std::vector<Json> const lines = linesOf(result.output);
    Archive const archive(out);
    BOOST_TEST(archive.size() == 11u);
    BOOST_TEST((archive["status"].texts({}) == std::vector<std::string>{"optimal", "infeasible"}));
    BOOST_TEST((archive["proof"].texts({}) == std::vector<std::string>{"tolerance", "extended"}));
    auto const objective = archive["objective"].numbers({});
    BOOST_TEST(objective[0] == -10.5);
    BOOST_TEST(std::isnan(objective[1]));
    BOOST_TEST(archive["iterations"].integers({})[0] == lines[0]["iterations"].get<int>());
    BOOST_TEST(archive["x"].shapeText() == "2 x 2");
    auto const x = archive["x"].numbers({}), y = archive["y"].numbers({});
    BOOST_TEST(std::fabs(x[0] - 2.5) < 1e-9);
    BOOST_TEST(std::fabs(x[1] - 1.5) < 1e-9);
    BOOST_TEST(std::isnan(x[2]));
    BOOST_TEST(archive["y"].shapeText() == "2 x 3");
    BOOST_TEST(std::fabs(y[0] + 2.5) < 1e-9);
    BOOST_TEST(!archive["x"].header().fortranOrder);
  }
  // A list of files: of different sizes, so without points.
  std::string const list = folder.write("list.csv", "file\nmodel.mps\nmissing.mps\n");
  BOOST_TEST(runOsiCuda({"batch", list, "--results", out, "--values", "--quiet"}).status == 66);
  Archive const archive(out);
  BOOST_TEST(archive.size() == 9u);
  BOOST_TEST((archive["status"].texts({}) == std::vector<std::string>{"optimal", "error"}));
  BOOST_TEST(archive["objective"].numbers({})[0] == -10.5);
}

BOOST_AUTO_TEST_CASE(faults_name_the_array) {
  Folder const folder;
  std::vector<double> const two{nan, nan}, four(4, nan), cost{nan, inf}, side{nan, nan, 3.0};
  std::vector<std::string> const names{"a", "b", "c"};
  using File = readers::NpzFile;
  expectFault(folder.run([&](File& f) {
    f.add("costs", {1, 2}, two);
  }),
              "archive: expected c, lower, upper, row_lower, row_upper, rhs or names, found an "
              "array called");
  expectFault(folder.run([&](File& f) {
    f.add("lower", {2, 1}, two);
  }),
              "array lower: expected numbers of shape 2 x 2, found 2 x 1");
  expectFault(folder.run([&](File& f) { f.add("lower", {2}, two); }),
              "array lower: expected numbers of shape 2 x 2, found 2");
  expectFault(folder.run([&](File& f) { f.add("upper", names); }),
              "array upper: expected numbers of shape 3 x 2, found texts");
  expectFault(folder.run([&](File& f) {
    f.add("lower", {1, 2}, two);
    f.add("upper", {2, 2}, four);
  }),
              "array upper: expected 1 variants, as in lower, found 2");
  expectFault(folder.run([&](File& f) {
    f.add("lower", {1, 2}, two);
    f.add("names", names);
  }),
              "array names: expected 1 variants, as in lower, found 3");
  expectFault(folder.run([&](File& f) {
    f.add("lower", {1, 2}, two);
    f.add("names", {1}, std::vector<double>{1.0});
  }),
              "array names: expected 1 texts, found numbers");
  expectFault(folder.run([&](File& f) {
    f.add("c", {1, 2}, cost);
  }),
              "array c: expected a finite number or NaN at [0, 1], found inf");
  expectFault(folder.run([&](File& f) {
    f.add("rhs", {1, 3}, side);
  }),
              "array rhs: expected NaN at [0, 2], for row R3 has no single right-hand side");
  expectFault(folder.run([&](File& f) {
    f.add("lower", {1, 2}, two);
    f.add("lower", {1, 2}, two);
  }),
              "array lower: expected each array once, found a second one");
  expectFault(folder.run([](File&) {}), "archive: expected ");
}

BOOST_AUTO_TEST_CASE(files_that_are_cut_off_or_cannot_be_written) {
  Folder const folder;
  std::vector<double> const two{nan, nan};
  auto const good = folder.run([&](readers::NpzFile& f) { f.add("c", {1, 2}, two); });
  BOOST_TEST(good.status == 0);
  std::string const whole = testing::readWholeFile(folder.changes);
  for (std::size_t const length : {std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
    std::string const cut = folder.write("cut.npz", whole.substr(0, length));
    expectFault(runOsiCuda({"batch", folder.model, "--changes", cut, "--quiet"}), "cut.npz");
  }
  auto const unwritable = folder.run(
      [&](readers::NpzFile& f) {
        f.add("c", {1, 2}, two);
      },
      {"--results", folder.file("no folder") + "/answers.npz"});
  BOOST_TEST(unwritable.status == 73);
  BOOST_TEST(unwritable.output.empty());
  BOOST_TEST(!unwritable.errors.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
