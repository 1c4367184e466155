// SPDX-License-Identifier: EPL-2.0
//
// Reading in pieces, by any number of threads, is reading line by line: the same model, the same
// notices, the same error at the same place.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "readers/fast_number.hpp"
#include "readers/read.hpp"
#include "tests/readers/test_data.hpp"

namespace osi_cuda::testing {
namespace {

using readers::Format;

/// What reading comes to: a model with notices, or an error.
struct Outcome {
  LinearProgram lp;
  std::vector<std::string> notices;
  std::string error;
  bool operator==(Outcome const&) const = default;
};

Outcome outcomeOf(std::string_view text, readers::ReadOptions const& options) {
  try {
    readers::ReadResult result = readers::readText(text, "f", options);
    return {std::move(result.lp), std::move(result.notices), {}};
  } catch (readers::ReadError const& error) {
    return {{}, {}, error.what()};
  }
}

readers::ReadOptions lineByLine(Format format) {
  readers::ReadOptions options;
  options.format = format;
  options.pieces.lineByLine = true;
  return options;
}

readers::ReadOptions inPieces(Format format, int threads, std::size_t bytes) {
  readers::ReadOptions options;
  options.format = format;
  options.threads = threads;
  options.pieces.bytes = bytes;
  return options;
}

/// Pieces of one line, of few lines and of many, by one thread and by several.
void checkText(std::string_view text, Format format = Format::automatic) {
  Outcome const expected = outcomeOf(text, lineByLine(format));
  for (std::size_t const bytes : {0, 1, 37, 150, 1000, 20000}) {
    if (bytes > text.size()) break;
    for (int const threads : {1, 3}) {
      Outcome const found = outcomeOf(text, inPieces(format, threads, bytes));
      BOOST_TEST_CONTEXT("pieces of " << bytes << " bytes, " << threads << " threads") {
        BOOST_TEST(found.error == expected.error);
        BOOST_TEST(found.notices == expected.notices, boost::test_tools::per_element());
        BOOST_TEST((found.lp == expected.lp));
      }
    }
  }
}

std::string contentOf(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Rows r1 ... rm, columns x1 ... xn; a part of the entries, numbers of many shapes.
std::string sampleMps(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::ostringstream text;
  text << "NAME sample\nROWS\n N cost\n";
  for (int i = 0; i < rows; ++i) text << ' ' << "LGE"[random() % 3] << " r" << i << '\n';
  text << " N dropped\nCOLUMNS\n";
  char const* const numbers[] = {
      "1",  "-0.5", "3.25e2", "1e-300", "12345678901234567890", "0", "-17.000000000000001",
      "+4", ".5",   "1d2",    "7.E1"};
  bool inIntegers = false;
  for (int j = 0; j < columns; ++j) {
    if (random() % 9 == 0) {
      inIntegers = !inIntegers;
      text << " M" << j << " 'MARKER' " << (inIntegers ? "'INTORG'" : "'INTEND'") << '\n';
    }
    if (random() % 7 == 0) text << "* a comment\n";
    std::vector<int> order;
    for (int i = 0; i < rows; ++i)
      if (random() % 3 != 0) order.push_back(i);
    if (random() % 4 == 0) std::shuffle(order.begin(), order.end(), random);
    text << " x" << j << " cost " << numbers[random() % 11] << '\n';
    for (std::size_t k = 0; k < order.size(); ++k) {
      text << " x" << j << "  r" << order[k] << "\t" << numbers[random() % 11];
      if (k + 1 < order.size() && random() % 2) text << " r" << order[++k] << " 2.5";
      if (random() % 20 == 0) text << " \r";
      text << '\n';
    }
    if (random() % 5 == 0) text << " x" << j << " dropped 3\n";
  }
  if (inIntegers) text << " M 'MARKER' 'INTEND'\n";
  text << "RHS\n b r0 1 r1 2\nBOUNDS\n UP b x0 4\nENDATA\n";
  return text.str();
}

/// The text with a few bytes changed, doubled or left out.
std::string mutated(std::string text, std::mt19937& random) {
  static constexpr std::string_view bytes = " \n\r\t*$'-+.eE0129rxMA\0\x80";
  for (auto count = 1 + random() % 3; count > 0; --count) {
    std::size_t const place = random() % text.size();
    std::size_t const length = std::min<std::size_t>(1 + random() % 12, text.size() - place);
    switch (random() % 4) {
      case 0:
        text[place] = bytes[random() % bytes.size()];
        break;
      case 1:
        text.erase(place, length);
        break;
      case 2:
        text.insert(place, text.substr(place, length));
        break;
      default: {  // a line somewhere else, or once more
        std::size_t const begin = text.rfind('\n', place);
        std::size_t const end = text.find('\n', place);
        if (begin == text.npos || end == text.npos || end <= begin) break;
        std::string const line = text.substr(begin, end - begin);
        if (random() % 2) text.erase(begin, line.size());
        std::size_t const target = text.find('\n', random() % text.size());
        if (target != text.npos) text.insert(target, line);
      }
    }
    if (text.empty()) text = "\n";
  }
  return text;
}

std::vector<std::filesystem::path> corpusOf(std::string const& target) {
  return filesIn(std::filesystem::path(OSI_CUDA_TEST_FOLDER) / "fuzz" / "corpus" / target);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pieces)

BOOST_AUTO_TEST_CASE(corpus_of_the_fuzzers) {
  struct Kind {
    char const* folder;
    Format format;
  };
  for (auto const& [folder, format] :
       {Kind{"mps", Format::mps}, Kind{"mps", Format::freeMps}, Kind{"mps", Format::fixedMps},
        Kind{"cplex_lp", Format::cplexLp}, Kind{"lp_solve_lp", Format::lpSolveLp}}) {
    std::vector<std::filesystem::path> const files = corpusOf(folder);
    BOOST_TEST(files.size() > 0u);
    for (std::filesystem::path const& path : files) {
      BOOST_TEST_CONTEXT(path.string()) checkText(contentOf(path), format);
    }
  }
}

BOOST_AUTO_TEST_CASE(samples_and_what_becomes_of_them) {
  std::mt19937 random(19);
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::string const text = sampleMps(40, 25, seed);
    BOOST_TEST_CONTEXT("seed " << seed) {
      checkText(text);
      for (int k = 0; k < 60; ++k) {
        std::string const other = mutated(text, random);
        BOOST_TEST_CONTEXT("change " << k) checkText(other, k % 4 ? Format::mps : Format::fixedMps);
      }
    }
  }
}

// What pieces can't know by themselves.
BOOST_AUTO_TEST_CASE(columns_across_pieces) {
  std::string const head = "ROWS\n N c\n L a\n L b\n L d\nCOLUMNS\n";
  std::string const tail = "RHS\n s a 1\nENDATA\n";
  for (std::string const lines : {
           " x a 1\n x b 2\n x d 3\n y a 4\n",                // a column of three pieces
           " x d 1\n x b 2\n x a 3\n y d 4\n y a 5\n",        // not in order
           " x a 1\n x b 2\n x a 3\n",                        // a row twice, in other pieces
           " x a 1 a 2\n",                                    // in one line
           " x a 1\n y a 1\n x b 1\n",                        // a column in two places
           " x a 1\n y a 1\n y b 2\n y a 3\n z a 1\n",        // a row twice within a piece
           " x c 1\n x c 2\n",                                // the objective twice
           " x c 1\n x a 0\n x b 0\n x a 0\n",                // zeros count too
           " x a 1\n M 'MARKER' 'INTORG'\n x b 1\n y a 1\n",  // the mark within a column
           " M 'MARKER' 'INTORG'\n M 'MARKER' 'INTEND'\n x a 1\n",
           " M 'MARKER' 'INTORG' more\n x a 1\n",
           " M 'MARKER' 'SOSORG'\n x a 1\n",
           " x a 1 $ a comment\n y b 1\n",
           " x a 1 b 2 d 3\n",
           " x a\n",
           " x\n",
           " x nowhere 1\n",
           " x a 1e999\n",
           " x a nan\n",
           " x a inf\n",
           " x a 1x\n",
           " x a 1 b\n",
           " x a 1e\n",
           " x\x01 a 1\n",
           "\n\r\n   \n* comment\n x a 1\n",
           " x a 1\n\tx\tb\t2\n",
           "x a 1\n",
           " x a -0\n x b 0.0\n",
           // from here on fixed format, since names hold blanks
           "    x y       a                  1   b                  2\n"
           "    x y       d                  3\n    z         a                  4\n",
       }) {
    for (std::string const& end : {tail, std::string("ENDATA"), std::string()}) {
      std::string crlf;
      for (char const c : head + lines + end)
        crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
      BOOST_TEST_CONTEXT(lines << end) {
        checkText(head + lines + end, Format::mps);
        checkText(head + lines + end, Format::freeMps);
        checkText(head + lines + end, Format::fixedMps);
        checkText(crlf, Format::mps);
      }
    }
  }
  // A row called like the word of a mark.
  checkText("ROWS\n N c\n L 'MARKER'\nCOLUMNS\n x 'MARKER' 1\nENDATA\n", Format::mps);
  checkText(
      "NAME n FREEIEEE\nROWS\n N c\n L a\nCOLUMNS\n x a 000000000+++ c 000000000++3\n"
      " y a 1.5\nENDATA\n",
      Format::mps);
}

// Comments of several lines, numbers that are none, and what a changed byte makes of them.
BOOST_AUTO_TEST_CASE(lp_files_and_what_becomes_of_them) {
  std::string const lpSolve =
      "/* a comment\n of three\n lines */ max: 3 x + 2 y // more\n - 4 z;\n\n"
      "c1: 3 x + 2.5e1 y >= 2; /* one */ /* two\n*/ c2: x\n + y <= 4;\nR3: -x1 >= -10 /* * / "
      "\n/**/;\n"
      "x <= 40; int z;\n/* at the end */\n";
  std::string const cplex =
      "\\ a comment\nMaximize\n obj: 3 x + 2 y \\ more\n - 4 z\nSubject To\n c1: 3 x\n + 2.5e1 y "
      ">= "
      "2\n c2: x + y <= 4\n-x1 >= -10\nBounds\n x <= 40\n -inf <= y\nGenerals\n z\nEnd\n";
  std::mt19937 random(4);
  checkText(lpSolve, Format::lpSolveLp);
  checkText(cplex, Format::cplexLp);
  checkText(lpSolve + "/* no end\n x\n", Format::lpSolveLp);
  checkText("min: 1e999 x;\n", Format::lpSolveLp);
  for (int k = 0; k < 600; ++k) {
    std::string first = mutated(lpSolve, random), second = mutated(cplex, random);
    if (k % 5 == 0) first.insert(random() % first.size(), "/*");
    if (k % 7 == 0) first.insert(random() % first.size(), "*/");
    if (k % 9 == 0) first.insert(random() % first.size(), "1e999");
    BOOST_TEST_CONTEXT("change " << k) {
      checkText(first, Format::lpSolveLp);
      checkText(second, Format::cplexLp);
    }
  }
}

// Enough for threads without being asked for small pieces.
BOOST_AUTO_TEST_CASE(a_large_file) {
  std::string const text = sampleMps(300, 900, 7);
  BOOST_TEST(text.size() > std::size_t{2} << 20);
  Outcome const expected = outcomeOf(text, lineByLine(Format::mps));
  BOOST_TEST(expected.error == "");
  for (int const threads : {1, 2, 5, 16}) {
    Outcome const found = outcomeOf(text, inPieces(Format::mps, threads, 0));
    BOOST_TEST((found == expected));
  }
  std::string broken = text;
  broken.replace(text.size() / 2, 1, "\n");
  Outcome const error = outcomeOf(broken, lineByLine(Format::mps));
  BOOST_TEST(error.error != "");
  for (int const threads : {1, 2, 5}) {
    BOOST_TEST(outcomeOf(broken, inPieces(Format::mps, threads, 0)).error == error.error);
  }
}

BOOST_AUTO_TEST_CASE(a_line_longer_than_a_block) {
  std::string const text = "ROWS\n N c\n L a\n*" + std::string(3 << 20, 'x') +
                           "\nCOLUMNS\n x a 1\n*" + std::string(2 << 20, 'y') +
                           "\n x c 2\nENDATA\n";
  checkText(text, Format::mps);
}

// The callback may use what belongs to the thread that reads: no other one calls it.
BOOST_AUTO_TEST_CASE(interruption_is_asked_by_the_caller_alone) {
  std::string const text = sampleMps(300, 900, 3);
  int asked = 0;
  auto options = inPieces(Format::mps, 4, 0);
  std::thread::id const caller = std::this_thread::get_id();
  options.interrupted = [&] {
    BOOST_TEST((std::this_thread::get_id() == caller));
    return ++asked > 6;
  };
  BOOST_CHECK_THROW(readers::readText(text, "f", options), readers::ReadInterrupted);
}

// A writer that stops in the middle: reading waits for it until it is interrupted.
BOOST_AUTO_TEST_CASE(interruption_while_a_pipe_says_nothing) {
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  std::string const text = sampleMps(300, 900, 3);
  std::string const part = text.substr(0, text.size() * 3 / 4);
  std::atomic<bool> written = false;
  std::thread writer([&] {
    std::size_t done = 0;
    while (done < part.size()) {
      ssize_t const count = ::write(ends[1], part.data() + done, part.size() - done);
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    written = true;
  });
  auto options = inPieces(Format::mps, 4, 0);
  int askedInVain = 0;
  options.interrupted = [&] {
    constexpr int patience = 20;
    return written && ++askedInVain > patience;
  };
  BOOST_CHECK_THROW(readers::read("/dev/fd/" + std::to_string(ends[0]), options),
                    readers::ReadInterrupted);
  writer.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

BOOST_AUTO_TEST_CASE(fast_numbers_are_those_of_the_library) {
  std::mt19937_64 random(5);
  int taken = 0;
  for (int k = 0; k < 200000; ++k) {
    std::string word;
    auto const digits = [&](auto most) {
      for (auto count = random() % most; count > 0; --count)
        word += static_cast<char>('0' + random() % 10);
    };
    if (random() % 2) word += '-';
    digits(random() % 2 ? 4u : 20u);
    if (random() % 2) word += '.';
    digits(random() % 2 ? 9u : 22u);
    if (random() % 3 == 0) {
      word += random() % 2 ? 'e' : 'E';
      if (random() % 2) word += random() % 2 ? '-' : '+';
      digits(4u);
    }
    std::string const padded = word + std::string(16, ' ');
    char const* place = padded.data();
    double value = 0.0;
    if (!readers::takeFastNumber(place, value)) continue;
    double expected = 0.0;
    auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), expected);
    BOOST_TEST_CONTEXT(word) {
      BOOST_TEST((code == std::errc{}));
      BOOST_TEST(place - padded.data() == end - word.data());
      BOOST_TEST(value == expected);
      BOOST_TEST(std::signbit(value) == std::signbit(expected));
    }
    ++taken;
  }
  BOOST_TEST(taken > 50000);
}

BOOST_AUTO_TEST_SUITE_END()

// Every file that there is, cut in odd places.
BOOST_AUTO_TEST_SUITE(pieces_long)

BOOST_AUTO_TEST_CASE(every_file) {
  std::vector<std::filesystem::path> files = filesIn(coinSamples);
  for (char const* folder : {"netlib", "netlib-infeasible", "kennington", "lp-format", "miplib3"}) {
    if (dataFolder().empty()) break;
    for (auto const& path : filesIn(dataFolder() / folder)) files.push_back(path);
  }
  std::mt19937 random(3);
  for (std::filesystem::path const& path : files) {
    auto const outcome = [&](readers::ReadOptions const& options) -> Outcome {
      try {
        readers::ReadResult result = readers::read(path.string(), options);
        return {std::move(result.lp), std::move(result.notices), {}};
      } catch (readers::ReadError const& error) {
        return {{}, {}, error.what()};
      }
    };
    Outcome const expected = outcome(lineByLine(Format::automatic));
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{1}, 1 + random() % 5000}) {
      BOOST_TEST_CONTEXT(path.string() << " in pieces of " << bytes)
      BOOST_TEST((outcome(inPieces(Format::automatic, 1 + static_cast<int>(random() % 4), bytes)) ==
                  expected));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
