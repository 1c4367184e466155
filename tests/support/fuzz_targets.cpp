// SPDX-License-Identifier: EPL-2.0
#include "tests/support/fuzz_targets.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "osi_cuda/model/fingerprint.hpp"
#include "readers/basis_file.hpp"
#include "readers/input.hpp"
#include "readers/nl_reader.hpp"
#include "readers/read.hpp"
#include "readers/smps.hpp"
#include "readers/solution_file.hpp"
#include "readers/write.hpp"
#include "tests/readers/model_difference.hpp"

namespace osi_cuda::testing {
namespace {

using readers::FileFormat;
using readers::Format;

constexpr std::uint64_t decompressedLimit = std::uint64_t{1} << 20;

void require(bool condition, std::string const& what) {
  if (!condition) throw std::logic_error(what);
}

/// Written in `format` and read back, the model has to be the same, but for names.
void checkRoundTrip(LinearProgram const& lp, FileFormat fileFormat, Format format) {
  std::string text;
  readers::WriteResult written;
  try {
    text = readers::writeText(lp, fileFormat, {.keepShape = true}, &written);
  } catch (readers::WriteError const&) {
    return;  // crossed bounds of a row in MPS, rows without columns in LP
  }
  for (std::string const& notice : written.notices) {
    if (notice.find("is rounded") != notice.npos || notice.find("Priorit") != notice.npos) return;
  }
  for (int i = 0; fileFormat == FileFormat::cplexLp && i < lp.rows(); ++i)
    if (lp.rowLower[i] != lp.rowUpper[i] && std::isfinite(lp.rowLower[i]) &&
        std::isfinite(lp.rowUpper[i]))
      return;  // a row with two sides is written as two
  LinearProgram const back = readers::readText(text, "written", {.format = format}).lp;
  std::string const difference = firstDifference(lp, back, {.names = true});
  require(difference.empty(), difference + " in\n" + text);
}

/// In pieces the bytes have to be the same model, or the same error.
void checkPieces(std::string_view bytes, Format format) {
  auto const outcome = [&](readers::Pieces const& pieces) -> std::pair<LinearProgram, std::string> {
    readers::ReadOptions options{.format = format, .decompressedLimit = decompressedLimit};
    options.threads = 1;
    options.pieces = pieces;
    try {
      return {readers::readText(bytes, "fuzz", options).lp, {}};
    } catch (readers::ReadError const& error) {
      return {LinearProgram(), error.what()};
    }
  };
  auto const expected = outcome({.lineByLine = true});
  for (std::size_t const size : {1, 40}) {
    auto const found = outcome({.bytes = size});
    require(found.second == expected.second, found.second + " instead of " + expected.second);
    require(found.first == expected.first, "in pieces it is another model");
  }
}

void fuzzModel(std::string_view bytes, Format format) {
  checkPieces(bytes, format);
  LinearProgram lp;
  try {
    lp =
        readers::readText(bytes, "fuzz", {.format = format, .decompressedLimit = decompressedLimit})
            .lp;
  } catch (readers::ReadError const&) {
    return;
  }
  require(findFault(lp).empty(), findFault(lp));
  checkRoundTrip(lp, FileFormat::freeMps, Format::freeMps);
  checkRoundTrip(lp, FileFormat::cplexLp, Format::cplexLp);
  checkRoundTrip(lp, FileFormat::lpSolveLp, Format::lpSolveLp);
}

/// Columns x in [0, inf), y in [-1, 4], z free; rows: a <= 5, b >= 1, c = 2, "row d" free.
LinearProgram smallModel() {
  LinearProgram lp;
  lp.matrix = {4, 3, {0, 0, 0, 0}, {}, {}};
  lp.objective = {0, 0, 0};
  lp.columnLower = {0, -1, -infinity};
  lp.columnUpper = {infinity, 4, infinity};
  lp.rowLower = {-infinity, 1, 2, -infinity};
  lp.rowUpper = {5, infinity, 2, infinity};
  lp.rowNames = {"a", "b", "c", "row d"};
  lp.columnNames = {"x", "y", "z"};
  return lp;
}

/// `text` with `value` in the place of the rest of the first line that begins so, if there is one.
std::string withValue(std::string text, std::string_view beginning, std::string_view value) {
  std::size_t const at = text.find(beginning);
  if (at == text.npos) return text;
  std::size_t const begin = at + beginning.size(),
                    end = std::min(text.find('\n', begin), text.size());
  return text.replace(begin, end - begin, value);
}

/// A checkpoint's text as if it were whole and one of `lp`: else nothing behind its header would be
/// read.
std::string withFittingMarks(std::string_view bytes, LinearProgram const& lp) {
  constexpr std::string_view checksum = "\n* checksum ";
  std::string const text = withValue(std::string(bytes), "\n* model ", fingerprintOf(lp));
  std::size_t const at = text.find(checksum);
  if (at == text.npos) return text;
  std::size_t const end = std::min(text.find('\n', at + 1), text.size());
  Fingerprint print;
  print.add(text.substr(0, at + 1) + text.substr(std::min(end + 1, text.size())));
  return withValue(text, checksum, print.text());
}

/// Bytes of a text that come in pieces of at most `piece`, as those of a pipe do.
class Pieces final : public readers::Input {
 public:
  Pieces(std::string_view text, std::size_t piece) : rest_(text), piece_(piece) {}

  std::size_t read(std::span<char> space) override {
    std::size_t const count = std::min({space.size(), rest_.size(), piece_});
    std::copy_n(rest_.data(), count, space.data());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t piece_;
};

/// What `bytes` expand to, read in pieces and asked for in blocks; nothing if they are refused.
std::optional<std::string> expanded(std::string_view bytes, std::uint64_t limit, std::size_t piece,
                                    std::size_t block, int threads = 1) {
  std::string text;
  std::vector<char> space(block);
  try {
    auto const input = readers::decompress(std::make_unique<Pieces>(bytes, piece), limit, threads);
    while (std::size_t const count = input->read(space)) {
      require(count <= block, "more bytes than there was room for");
      text.append(space.data(), count);
    }
  } catch (readers::InputFault const&) {
    return std::nullopt;
  }
  return text;
}

}  // namespace

void fuzzMps(std::string_view bytes) {
  fuzzModel(bytes, Format::mps);
}

void fuzzCplexLp(std::string_view bytes) {
  fuzzModel(bytes, Format::cplexLp);
}

void fuzzLpSolveLp(std::string_view bytes) {
  fuzzModel(bytes, Format::lpSolveLp);
}

void fuzzBasis(std::string_view bytes) {
  LinearProgram const lp = smallModel();
  Basis basis;
  try {
    basis = readers::readBasisText(bytes, "fuzz", lp);
  } catch (readers::ReadError const&) {
    return;
  }
  require(basis.columns.size() == 3 && basis.rows.size() == 4, "the basis has other lengths");
  for (int j = 0; j < lp.columns(); ++j) {
    basis.columns[j] =
        readers::restingPlace(basis.columns[j], lp.columnLower[j], lp.columnUpper[j]);
  }
  for (int i = 0; i < lp.rows(); ++i) {
    basis.rows[i] = readers::restingPlace(basis.rows[i], lp.rowLower[i], lp.rowUpper[i]);
  }
  std::string const text = readers::writeBasisText(lp, basis);
  Basis back;
  try {
    back = readers::readBasisText(text, "written", lp);
  } catch (readers::ReadError const& error) {
    throw std::logic_error(error.what());
  }
  require(back == basis, text);
}

void fuzzSolution(std::string_view bytes) {
  LinearProgram const lp = smallModel();
  Solution solution;
  try {
    solution = readers::readSolutionText(bytes, "fuzz", lp);
  } catch (readers::ReadError const&) {
    return;
  }
  std::string const text = readers::writeSolutionText(lp, solution, readers::SolutionFormat::text);
  try {
    Solution const back = readers::readSolutionText(text, "written", lp);
    require(back.status == solution.status && back.basis == solution.basis &&
                back.columnValues == solution.columnValues && back.rowDuals == solution.rowDuals,
            text);
  } catch (readers::ReadError const& error) {
    throw std::logic_error(error.what());
  }
}

// Written and read back a model is the same: names too, since archives hold what they can hold.
void fuzzNpz(std::string_view bytes) {
  LinearProgram lp;
  try {
    lp = readers::readText(bytes, "fuzz",
                           {.format = Format::npz, .decompressedLimit = decompressedLimit})
             .lp;
  } catch (readers::ReadError const&) {
    return;
  }
  require(findFault(lp).empty(), findFault(lp));
  std::string const written = readers::writeText(lp, FileFormat::npz);
  require(readers::readText(written, "written").lp == lp,
          "written and read back it is another model");
  LinearProgram const array =
      readers::readText(
          bytes, "fuzz",
          {.format = Format::npz, .decompressedLimit = decompressedLimit, .denseArrays = true})
          .lp;
  require(findFault(array).empty(), findFault(array));
  require(readers::writeText(array, FileFormat::npz) == written, "on an array it is another model");
}

// A model in binary form is that of the text, but there is no writer to compare with: what is
// accepted has to be sound, and to survive the other formats.
void fuzzNl(std::string_view bytes) {
  readers::NlFile file;
  try {
    file = readers::readNl(bytes, "fuzz", {.expansionLimit = decompressedLimit});
  } catch (readers::ReadError const&) {
    return;
  }
  LinearProgram const& lp = file.lp;
  require(findFault(lp).empty(), findFault(lp));
  require(file.start.empty() || (file.start.columns.size() == lp.columnLower.size() &&
                                 file.start.rows.size() == lp.rowLower.size()),
          "the basis has other lengths");
  checkRoundTrip(lp, FileFormat::freeMps, Format::freeMps);
  Solution solution;
  solution.basis = file.start;
  solution.columnValues = lp.columnLower;
  std::string const text = readers::amplSolutionText(file.header, lp, solution, "words", 1);
  require(text.starts_with("words\n\nOptions\n"), text);
}

void fuzzSmps(std::string_view bytes) {
  constexpr std::string_view between = "%%\n";
  std::string_view parts[3];
  for (std::string_view& part : parts) {
    std::size_t const end = std::min(bytes.find(between), bytes.size());
    part = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + between.size(), bytes.size()));
  }
  try {
    auto const core = readers::readText(
        parts[0], "core", {.format = Format::mps, .decompressedLimit = decompressedLimit});
    auto time = readers::LineSource::ofText(parts[1], "time");
    auto stoch = readers::LineSource::ofText(parts[2], "stoch");
    readers::ScenarioTree const tree = readers::readTree(core, time, stoch, {});
    LinearProgram const lp = readers::deterministicEquivalent(core.lp, tree);
    require(findFault(lp).empty(), findFault(lp));
    require(lp.columns() >= core.lp.columns() && lp.rows() >= core.lp.rows(), "lines are missing");
    double probability = 0.0;
    for (readers::Scenario const& scenario : tree.scenarios) {
      probability += scenario.probability;
      require(scenario.nodes.size() == tree.periods.size(), "a scenario has no node");
      for (int const node : scenario.nodes)
        require(node >= 0 && node < tree.nodes, "there is no such node");
    }
    require(std::fabs(probability - 1.0) < 1.0, "probabilities do not sum to 1");
  } catch (readers::ReadError const&) {
  }
}

void fuzzCheckpoint(std::string_view bytes) {
  LinearProgram const lp = smallModel();
  readers::SavedSolve saved;
  try {
    saved = readers::readCheckpointText(withFittingMarks(bytes, lp), "fuzz", lp);
  } catch (readers::ReadError const&) {
    return;
  }
  require(saved.basis.columns.size() == 3 && saved.basis.rows.size() == 4,
          "the basis has other lengths");
  std::string const text = readers::writeCheckpointText(lp, saved);
  try {
    readers::SavedSolve const back = readers::readCheckpointText(text, "written", lp);
    require(back.status == saved.status && back.algorithm == saved.algorithm &&
                back.iterations == saved.iterations && back.seconds == saved.seconds,
            text);
  } catch (readers::ReadError const& error) {
    throw std::logic_error(error.what());
  }
}

void fuzzCompressed(std::string_view bytes) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 18;
  std::optional<std::string> const whole = expanded(bytes, limit, bytes.size() + 1, 1 << 16);
  std::optional<std::string> const pieces = expanded(bytes, limit, 13, 61);
  require(whole == pieces, "in pieces it is something else");
  require(whole == expanded(bytes, limit, bytes.size() + 1, 1 << 16, 2),
          "by two threads it is something else");
  bool const plain = whole && *whole == bytes;  // plain text has no limit
  require(!whole || plain || whole->size() <= limit, "more than the limit");
}

}  // namespace osi_cuda::testing
