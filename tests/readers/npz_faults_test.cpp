// SPDX-License-Identifier: EPL-2.0
//
// Arrays of NumPy in which something is wrong: one sentence that names the array.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "readers/npz_file.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "readers/zip_archive.hpp"
#include "tests/readers/npz_files.hpp"

namespace osi_cuda::testing {

BOOST_AUTO_TEST_SUITE(npz_faults)

BOOST_AUTO_TEST_CASE(errors_name_the_array) {
  std::string const numbersOrTexts = "expected an array of numbers or texts, found ";
  struct Case {
    char const* array;
    std::string content;
    std::string message;
  };
  for (auto const& [array, content, message] : {
           Case{"c", doubles({1, 2, 3}), "expected 2 numbers, found 3"},
           Case{"c", npy("<f8", "(1, 2)", bytes<double>({1, 2})),
                "expected 2 numbers, found 1 x 2"},
           Case{"c", npy("|S1", "(2,)", "ab"),
                "expected an array of numbers, found an array of texts"},
           Case{"c", doubles({1, NAN}),
                "expected finite numbers, found NaN at place 1 (counted from 0)"},
           Case{"c", doubles({infinity, 1}),
                "expected finite numbers, found infinity at place 0 (counted from 0)"},
           Case{"lower", doubles({0, 1e30}),
                "expected bounds that can be reached (1e+20 and more is infinity), found infinity "
                "at place 1 (counted from 0)"},
           Case{"row_upper", doubles({-infinity, 0}),
                "expected bounds that can be reached (1e+20 and more is infinity), found infinity "
                "at place 0 (counted from 0)"},
           Case{"upper", doubles({NAN, 0}),
                "expected bounds that can be reached (1e+20 and more is infinity), found NaN at "
                "place 0 (counted from 0)"},
           Case{"A", npy("<f8", "(2, 2)", bytes<double>({3, 0, NAN, 5})),
                "expected finite numbers, found another one in row 1, column 0 (counted from 0)"},
           Case{"A", npy("<f8", "(2, 2)", bytes<double>({3, 0, infinity, 5}), true),
                "expected finite numbers, found another one in row 0, column 1 (counted from 0)"},
           Case{"A", doubles({1, 2}), "expected two dimensions, found 2"},
           Case{"A", npy("<f8", "(2, 2)", bytes<double>({3, 0, 1})),
                "expected 32 bytes for shape 2 x 2, found 24"},
           Case{"A", npy("<f8", "(4294967296, 4294967296)", ""),
                "expected an array that fits memory, found a shape of too many elements"},
           Case{"A", npy("<c16", "(1, 1)", std::string(16, 'x')),
                numbersOrTexts + "elements of type \"<c16\""},
           Case{"A", npy("<f2", "(1, 1)", "xx"), numbersOrTexts + "elements of type \"<f2\""},
           Case{"A", npy("<f16", "(1, 1)", std::string(16, 'x')),
                numbersOrTexts + "elements of type \"<f16\""},
           Case{"A", npy("<M8[ns]", "(1,)", "12345678"),
                numbersOrTexts + "elements of type \"<M8[ns]\""},
           Case{"column_names", npy("|O", "(2,)", "xx"),
                numbersOrTexts +
                    "an array of Python objects (save lists of names as arrays of strings)"},
           Case{"column_names", npy("|S1", "(3,)", "xyz"), "expected 2 names, found 3"},
           Case{"column_names", npy("|S1", "(2,)", "xx"),
                "expected different names, found \"x\" twice"},
           Case{"column_names", npy("|S1", "(2,)", std::string("x\0", 2)),
                "expected names that are not empty, found an empty one"},
           Case{"row_names", npy("|S2", "(2,)", "a\nbb"),
                "expected names without control characters, found \"a?\""},
           Case{"row_names", npy("<U1", "(2,)", std::string("\0\0\x11\0a\0\0\0", 8)),
                "expected Unicode characters, found something else"},
           Case{"row_names", doubles({1, 2}),
                "expected an array of texts, found an array of numbers"},
           Case{"integer", doubles({0, 0.5}),
                "expected 0 or 1 for each column, found another number"},
           Case{"sense", npy("|S4", "()", "most"), "expected min or max, found \"most\""},
           Case{"sense", doubles({2}), "expected min or max, or 1 or -1, found other numbers"},
           Case{"offset", doubles({1, 2}), "expected one number, found 2"},
           Case{"offset", doubles({NAN}), "expected a finite number, found another one"},
           Case{"name", npy("|S1", "(2,)", "ab"), "expected one text, found 2"},
           Case{"c", "not an array at all", "expected an array of NumPy, found something else"},
           Case{"c", "short", "expected an array of NumPy, found something else"},
       }) {
    BOOST_TEST(errorOf(archive(changed(array, content))) ==
               std::string("f: array ") + array + ": " + message);
  }
  BOOST_TEST(errorOf(archive(changed("row_uper", doubles({1, 2}))))
                 .ends_with("objective_name, found an array called \"row_uper\""));
  BOOST_TEST(
      errorOf(archive({{"c", doubles({1})}})) ==
      "f: archive: expected the array A, or data, indices, indptr, shape and format, or the "
      "arguments of linprog (A_ub, b_ub, A_eq, b_eq, bounds; sparse: A_ub_data, A_ub_indices, "
      "A_ub_indptr, A_ub_shape), found no matrix");
}

// One header after the other that a careless program may write.
BOOST_AUTO_TEST_CASE(headers) {
  auto const message = [](std::string const& dictionary) {
    std::string header = "\x93NUMPY\x01";
    header += '\0';
    header += static_cast<char>(dictionary.size());
    header += '\0';
    return errorOf(archive(changed("c", header + dictionary + bytes<double>({1, 2}))));
  };
  BOOST_TEST(message("{'shape': (2,), 'fortran_order': False, 'descr': '<f8'}\n") == "no error");
  BOOST_TEST(message("{\"shape\":(2),\"fortran_order\":True,\"descr\":\"<f8\"}") == "no error");
  std::string const start = "f: array c: expected ";
  BOOST_TEST(message("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }") ==
             start + "an array of numbers or texts, found an array of records");
  BOOST_TEST(message("{'descr': '<f8', 'fortran_order': None, 'shape': (2,), }") ==
             start + "True or False, found \"None, 'shape': (2,), }\"");
  BOOST_TEST(message("{'descr': '<f8', 'fortran_order': False, }") ==
             start + "descr, fortran_order and shape, found a header without one of them");
  BOOST_TEST(message("{'descr': '<f8', 'descr': '<f8'}") ==
             start + "each of descr, fortran_order and shape once, found \"descr\"");
  BOOST_TEST(message("{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }") ==
             start + "the size of a dimension, found \"-2,), }\"");
  BOOST_TEST(message("{'descr': '<f8', 'fortran_order': False, 'shape': (2,) 1}") ==
             start + "a comma, found \"1}\"");
  BOOST_TEST(message("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} 1") ==
             start + "the end of the header, found \"1\"");
  BOOST_TEST(message("{'descr'") == start + "the character :, found the end of the header");
  BOOST_TEST(message("{descr") == start + "a name in quotes, found \"descr\"");
  BOOST_TEST(message("[]") == start + "the character {, found \"[]\"");
}

BOOST_AUTO_TEST_CASE(archives_that_are_none) {
  std::string const good = deflatedArchive(plain);
  BOOST_TEST(errorOf(good) == "no error");
  for (std::size_t size = 4; size < good.size(); ++size)
    BOOST_TEST(
        errorOf(good.substr(0, size)).starts_with("f: archive: expected a whole zip archive"));
  // Every byte in turn is something else: an error or the same model, never a crash.
  std::mt19937 random(2);
  for (std::string const& text : {good, archive(plain)}) {
    for (std::size_t k = 4; k < text.size(); ++k) {
      std::string other = text;
      other[k] ^= static_cast<char>(1 + random() % 255);
      try {
        BOOST_TEST((findFault(modelOf(other)) == ""));
      } catch (readers::ReadError const&) {
      }
    }
  }
  auto const with = [&](std::size_t behindMark, char const* mark, int value) {
    std::string other = good;
    other[other.find(mark) + behindMark] = static_cast<char>(value);
    return errorOf(other);
  };
  char const* const entry = "PK\x01\x02";
  BOOST_TEST(with(8, entry, 1) ==
             "f: archive: expected a zip archive without a password, found an encrypted file");
  BOOST_TEST(with(10, entry, 12) ==
             "f: archive: expected files that are stored or deflated, found compression method 12");
  BOOST_TEST(with(27, entry, 1) ==
             "f: archive: expected a zip archive, found a size that the packed bytes can't have");
  BOOST_TEST(with(4, "PK\x05\x06", 1) ==
             "f: archive: expected a zip archive in one file, found a volume of several");
}

BOOST_AUTO_TEST_CASE(a_bomb_stops_at_the_limit) {
  Arrays const bomb{{"A", npy("|i1", "(1000, 1000)", std::string(1000000, '\0'))}};
  BOOST_TEST(errorOf(deflatedArchive(bomb)) == "no error");
  BOOST_TEST(errorOf(deflatedArchive(bomb), {.decompressedLimit = 1000000}) ==
             "f: array A: expected arrays of at most 1000000 bytes together, found more (a "
             "decompression bomb? the limit can be raised)");
}

// Integers and texts take more room in memory than in the file, deflated or not: their sizes are
// known before one of them is read.
BOOST_AUTO_TEST_CASE(sizes_are_looked_at_before_anything_is_read) {
  std::size_t const count = 3000000;
  std::string const zeros(count, '\0');
  for (auto const& [array, type] : {std::pair("indptr", "|i1"), std::pair("indices", "|u1"),
                                    std::pair("integer", "|b1"), std::pair("row_names", "|S1")}) {
    Arrays bomb{{"format", npy("|S3", "()", "csc")},
                {"shape", npy("<i8", "(2,)", bytes<std::int64_t>({1, 2999999}))},
                {array, npy(type, "(3000000,)", zeros)}};
    BOOST_TEST_CONTEXT(array) {
      std::string const limited = errorOf(deflatedArchive(bomb), {.decompressedLimit = 20000000});
      BOOST_TEST(limited == "f: array " + std::string(array) +
                                ": expected arrays of at most 20000000 bytes together, found more "
                                "(a decompression bomb? the limit can be raised)");
    }
  }
}

BOOST_AUTO_TEST_CASE(arrays_of_integers_and_texts_are_read_until_somebody_says_stop) {
  int const columns = 2000000;
  Arrays large{{"format", npy("|S3", "()", "csc")},
               {"shape", npy("<i8", "(2,)", bytes<std::int64_t>({1, columns}))},
               {"indptr", npy("<i8", "(2000001,)", std::string(8 * (columns + 1), '\0'))},
               {"indices", npy("<i4", "(0,)", "")},
               {"data", npy("<f8", "(0,)", "")}};
  int asked = 0;
  readers::ReadOptions options;
  options.threads = 1;
  options.interrupted = [&asked] { return ++asked > 3; };
  BOOST_CHECK_THROW(readers::readText(archive(large), "f", options), readers::ReadInterrupted);
  options.interrupted = nullptr;
  BOOST_TEST(readers::readText(archive(large), "f", options).lp.columns() == columns);
}

BOOST_AUTO_TEST_CASE(names_that_can_not_be_held) {
  LinearProgram lp = plainModel;
  lp.columnNames = {"x\n", "y"};
  readers::WriteResult written;
  std::string const text = readers::writeText(lp, FileFormat::npz, {}, &written);
  BOOST_TEST(written.renamed.size() == 1u);
  BOOST_TEST(modelOf(text).columnNames[0] == "C1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
