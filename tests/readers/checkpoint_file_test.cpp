// SPDX-License-Identifier: EPL-2.0

#include <boost/test/unit_test.hpp>
#include <string>

#include "osi_cuda/model/fingerprint.hpp"
#include "readers/basis_file.hpp"
#include "readers/read.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using enum VariableStatus;
using readers::SavedSolve;

LinearProgram const& model() {
  static testing::TemporaryFolder const folder;
  static LinearProgram const lp = readers::read(folder.write("small.mps", testing::smallMps())).lp;
  return lp;
}

SavedSolve state() {
  return {fingerprintOf(model()), {},  SolveAlgorithm::primal,
          1234567890123,          0.1, Basis{{atUpper, basic}, {atUpper, basic}}};
}

std::string errorOf(std::string const& text) {
  try {
    readers::readCheckpointText(text, "f", model());
  } catch (readers::ReadError const& error) {
    return error.what();
  }
  return "no error";
}

/// With the checksum that fits, as somebody would write it who wants a wrong file to be read.
std::string forged(std::string text, std::string const& from, std::string const& to) {
  text.replace(text.find(from), from.size(), to);
  std::size_t const line = text.find("* checksum "), rest = text.find('\n', line) + 1;
  Fingerprint print;
  print.add(std::string_view(text.substr(0, line) + text.substr(rest)));
  return text.substr(0, line) + "* checksum " + print.text() + "\n" + text.substr(rest);
}

BOOST_AUTO_TEST_SUITE(checkpoint_file)

BOOST_AUTO_TEST_CASE(whatIsWrittenIsReadBack) {
  SavedSolve const saved = state();
  testing::TemporaryFolder const folder;
  std::string const path = folder.write("checkpoint", readers::writeCheckpointText(model(), saved));
  SavedSolve const found = readers::readCheckpoint(path, model());
  BOOST_TEST(found.model == saved.model);
  BOOST_TEST((found.status == saved.status));
  BOOST_TEST((found.algorithm == saved.algorithm));
  BOOST_TEST(found.iterations == saved.iterations);
  BOOST_TEST(found.seconds == saved.seconds);
  BOOST_CHECK(found.basis == saved.basis);
}

BOOST_AUTO_TEST_CASE(itIsAnMpsBasisFile) {
  std::string const text = readers::writeCheckpointText(model(), state());
  BOOST_TEST(text.rfind("* osi-cuda checkpoint 1\n"
                        "* problem small, 2 rows, 2 columns, 4 nonzeros\n* model ",
                        0) == 0u,
             text);
  BOOST_CHECK(readers::readBasisText(text, "f", model()) == state().basis);
}

BOOST_AUTO_TEST_CASE(everyTruncationIsSeen) {
  std::string const text = readers::writeCheckpointText(model(), state());
  for (std::size_t length = 0; length < text.size(); ++length) {
    std::string const error = errorOf(text.substr(0, length));
    BOOST_TEST(error.rfind("f:", 0) == 0u, length << ": " << error);
  }
  BOOST_TEST(
      errorOf("") ==
      "f:1:1: expected \"* osi-cuda checkpoint 1\", a line of a checkpoint, found the end of "
      "the file");
  BOOST_TEST(errorOf(text.substr(0, text.size() - 3)) ==
             "f:8:1: expected a checkpoint that ends with ENDATA, found a truncated one");
}

BOOST_AUTO_TEST_CASE(everyDamagedByteIsSeen) {
  std::string const text = readers::writeCheckpointText(model(), state());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int const bit : {1, 32, 128}) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      std::string const error = errorOf(damaged);
      BOOST_TEST(error.rfind("f:", 0) == 0u, at << ", " << bit << ": " << error);
    }
  }
}

BOOST_AUTO_TEST_CASE(anotherProblemIsRefused) {
  std::string const text = readers::writeCheckpointText(model(), state());
  LinearProgram other = model();
  other.name = "other";
  other.objective[0] = 7;
  try {
    readers::readCheckpointText(text, "f", other);
    BOOST_ERROR("was read");
  } catch (readers::ReadError const& error) {
    BOOST_TEST(error.what() ==
               std::string("f:8:1: expected a checkpoint of this problem (other, 2 rows, 2 "
                           "columns, 4 nonzeros), found one of another problem (small, 2 rows, 2 "
                           "columns, 4 nonzeros)"));
  }
}

BOOST_AUTO_TEST_CASE(whatIsNoCheckpointIsRefused) {
  BOOST_TEST(errorOf(readers::writeBasisText(model(), state().basis)) ==
             "f:1:1: expected \"* osi-cuda checkpoint 1\", a line of a checkpoint, found "
             "\"NAME          small\"");
  testing::TemporaryFolder const folder;
  BOOST_CHECK_THROW(readers::readCheckpoint(folder.file("none"), model()), readers::OpenError);
  std::string const path = folder.write("cut.gz", "\x1f\x8b\x08");
  BOOST_CHECK_THROW(readers::readCheckpoint(path, model()), readers::ReadError);
}

BOOST_AUTO_TEST_CASE(numbersThatMakeNoSenseAreRefused) {
  std::string const text = readers::writeCheckpointText(model(), state());
  for (std::string const number : {"-1", "1e3", "", "99999999999999999999", "7 8"})
    BOOST_TEST(errorOf(forged(text, "iterations 1234567890123", "iterations " + number)) ==
               "f:8:1: expected a number >= 0 as iterations, found \"" + number + "\"");
  for (std::string const number : {"-1", "inf", "nan", "1e999", "x"})
    BOOST_TEST(errorOf(forged(text, "seconds 0.1", "seconds " + number)) ==
               "f:8:1: expected a number >= 0 as seconds, found \"" + number + "\"");
  BOOST_TEST(errorOf(forged(text, "XL", "YL")) ==
             "f:11:2: expected XU, XL, UL, LL or BS, found "
             "\"YL\"");
  BOOST_TEST(errorOf(forged(text, "small, 2", "small\x01, 2")) == "no error");
}

BOOST_AUTO_TEST_CASE(aNameWithALineEndStaysOnItsLine) {
  LinearProgram lp = model();
  lp.name = "two\nlines";
  SavedSolve saved = state();
  std::string const text = readers::writeCheckpointText(lp, saved);
  BOOST_TEST(text.find("* problem two?lines, 2 rows") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(aBasisOfOtherSizesIsNotWritten) {
  SavedSolve saved = state();
  saved.basis.rows.pop_back();
  BOOST_CHECK_THROW(readers::writeCheckpointText(model(), saved), readers::WriteError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
