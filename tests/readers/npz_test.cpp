// SPDX-License-Identifier: EPL-2.0
//
// Models as arrays of NumPy: what is written comes back, every kind of array is read, and what is
// wrong gets one sentence that names the array.
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "readers/npy_header.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "readers/zip_archive.hpp"

namespace osi_cuda::testing {
namespace {

using readers::FileFormat;

/// The bytes of a .npy file: NumPy's description, order, shape, elements.
std::string npy(std::string const& descr, std::string const& shape, std::string const& elements,
                bool fortranOrder = false) {
  std::string dictionary = "{'descr': '" + descr +
                           "', 'fortran_order': " + (fortranOrder ? "True" : "False") +
                           ", 'shape': " + shape + ", }";
  dictionary += std::string(64 - (dictionary.size() + 11) % 64, ' ') + '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary + elements;
}

template <class Value>
std::string bytes(std::vector<Value> const& values, bool swapped = false) {
  std::string text;
  for (Value const value : values) {
    std::string element(sizeof value, '\0');
    std::memcpy(element.data(), &value, sizeof value);
    if (swapped) element = std::string(element.rbegin(), element.rend());
    text += element;
  }
  return text;
}

std::string doubles(std::vector<double> const& values) {
  return npy("<f8", "(" + std::to_string(values.size()) + ",)", bytes(values));
}

using Arrays = std::map<std::string, std::string>;  // name of an array, bytes of its file

std::string archive(Arrays const& arrays) {
  std::string text;
  readers::ZipWriter zip([&text](std::string_view part) { text += part; });
  for (auto const& [name, content] : arrays)
    zip.add(name + ".npy", [&content](auto const& sink) { sink(content); });
  zip.finish();
  return text;
}

std::string number(std::uint64_t value, int size) {
  std::string text;
  for (int k = 0; k < size; ++k) text += static_cast<char>(value >> (8 * k));
  return text;
}

/// The same archive deflated and with 32-bit sizes, as zip programs write it.
std::string deflatedArchive(Arrays const& arrays) {
  std::string text, directory;
  for (auto const& [array, content] : arrays) {
    std::string const name = array + ".npy";
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    std::string const common = number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) +
                               number(readers::zipCheckSum(0, content), 4) +
                               number(packed.size(), 4) + number(content.size(), 4) +
                               number(name.size(), 2) + number(0, 2);
    directory += number(0x02014b50, 4) + number(20, 2) + common + number(0, 2) + number(0, 2) +
                 number(0, 2) + number(0, 4) + number(text.size(), 4) + name;
    text += number(0x04034b50, 4) + common + name + packed;
  }
  std::string const end = number(0x06054b50, 4) + number(0, 4) + number(arrays.size(), 2) +
                          number(arrays.size(), 2) + number(directory.size(), 4) +
                          number(text.size(), 4) + number(7, 2) + "comment";
  return text + directory + end;
}

/// min x + 2 y, 1 <= 3 x <= 4, x + 5 y >= 2
Arrays const plain{{"A", npy("<f8", "(2, 2)", bytes<double>({3, 0, 1, 5}))},
                   {"c", doubles({1, 2})},
                   {"row_lower", doubles({1, 2})},
                   {"row_upper", doubles({4, infinity})}};

LinearProgram const plainModel = [] {
  LinearProgram lp;
  lp.matrix = {2, 2, {0, 2, 3}, {0, 1, 1}, {3, 1, 5}};
  lp.objective = {1, 2};
  lp.columnLower = {0, 0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {1, 2};
  lp.rowUpper = {4, infinity};
  return lp;
}();

LinearProgram modelOf(std::string const& text) {
  return readers::readText(text, "f").lp;
}

std::string errorOf(std::string const& text, readers::ReadOptions const& options = {}) {
  try {
    readers::readText(text, "f", options);
  } catch (readers::ReadError const& error) {
    return error.what();
  }
  return "no error";
}

Arrays changed(std::string const& name, std::string const& content) {
  Arrays arrays = plain;
  arrays[name] = content;
  return arrays;
}

LinearProgram randomModel(int rows, int columns, double density, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> share(0, 1), value(-5, 5);
  LinearProgram lp;
  lp.matrix.rows = rows;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (share(random) >= density) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(value(random));
    }
    lp.matrix.starts.push_back(std::ssize(lp.matrix.indices));
    lp.objective.push_back(value(random));
    lp.columnLower.push_back(share(random) < 0.3 ? -infinity : -share(random));
    lp.columnUpper.push_back(share(random) < 0.3 ? infinity : share(random));
  }
  lp.matrix.columns = columns;
  for (int i = 0; i < rows; ++i) {
    lp.rowLower.push_back(share(random) < 0.3 ? -infinity : -share(random));
    lp.rowUpper.push_back(share(random) < 0.3 ? infinity : share(random));
  }
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(npz)

BOOST_AUTO_TEST_CASE(what_is_written_comes_back) {
  for (double const density : {1.0, 0.8, 0.3, 0.0}) {
    LinearProgram lp = randomModel(37, 23, density, 5);
    std::string const text = readers::writeText(lp, FileFormat::npz);
    BOOST_TEST((modelOf(text) == lp));
    lp.sense = Sense::maximize;
    lp.objectiveOffset = -2.5;
    lp.name = "a problem";
    lp.objectiveName = "cost";
    for (int i = 0; i < lp.rows(); ++i) lp.rowNames.push_back("row " + std::to_string(i));
    for (int j = 0; j < lp.columns(); ++j)
      lp.columnNames.push_back("sp\xc3\xa4t" + std::to_string(j));
    lp.integer.assign(23, 0);
    lp.integer[4] = 1;
    BOOST_TEST((modelOf(readers::writeText(lp, FileFormat::npz)) == lp));
  }
  LinearProgram const empty = randomModel(0, 0, 1.0, 1);
  BOOST_TEST((modelOf(readers::writeText(empty, FileFormat::npz)) == empty));
}

BOOST_AUTO_TEST_CASE(a_file_read_by_several_threads) {
  LinearProgram const lp = randomModel(700, 500, 1.0, 3);
  std::string const path =
      (std::filesystem::temp_directory_path() / ("npz_test_" + std::to_string(::getpid())))
          .string();
  readers::write(path, lp, FileFormat::npz);
  for (int const threads : {1, 2, 7}) {
    readers::ReadOptions options;
    options.threads = threads;
    BOOST_TEST((readers::read(path, options).lp == lp));
  }
  // Cut off in the middle, in the directory, and where a number was changed.
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t const size : {text.size() / 2, text.size() - 100, text.size() - 1}) {
    std::ofstream(path, std::ios::binary) << text.substr(0, size);
    BOOST_CHECK_THROW(readers::read(path), readers::ReadError);
  }
  text[text.size() / 2] ^= 1;
  std::ofstream(path, std::ios::binary) << text;
  BOOST_CHECK_EXCEPTION(readers::read(path), readers::ReadError, [&](auto const& error) {
    BOOST_TEST(error.what() == path +
                                   ": array A: expected data with the check sum of the archive, "
                                   "found other data");
    return true;
  });
  readers::ReadOptions options;
  options.interrupted = [] { return true; };
  BOOST_CHECK_THROW(readers::read(path, options), readers::ReadInterrupted);
  std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(orders_kinds_and_methods) {
  BOOST_TEST((modelOf(archive(plain)) == plainModel));
  BOOST_TEST((modelOf(deflatedArchive(plain)) == plainModel));
  for (auto const& a : {npy("<f8", "(2, 2)", bytes<double>({3, 1, 0, 5}), true),
                        npy(">f8", "(2, 2)", bytes<double>({3, 0, 1, 5}, true)),
                        npy("<f4", "(2, 2)", bytes<float>({3, 0, 1, 5})),
                        npy(">f4", "(2, 2)", bytes<float>({3, 0, 1, 5}, true)),
                        npy("|i1", "(2, 2)", bytes<std::int8_t>({3, 0, 1, 5})),
                        npy("<i2", "(2, 2)", bytes<std::int16_t>({3, 0, 1, 5})),
                        npy(">i4", "(2, 2)", bytes<std::int32_t>({3, 0, 1, 5}, true)),
                        npy("<i8", "(2, 2)", bytes<std::int64_t>({3, 0, 1, 5})),
                        npy("|u1", "(2,2)", bytes<std::uint8_t>({3, 0, 1, 5})),
                        npy("<u2", "(2, 2,)", bytes<std::uint16_t>({3, 0, 1, 5})),
                        npy("<u4", "(2, 2)", bytes<std::uint32_t>({3, 0, 1, 5})),
                        npy(">u8", "(2, 2)", bytes<std::uint64_t>({3, 0, 1, 5}, true))}) {
    BOOST_TEST((modelOf(archive(changed("A", a))) == plainModel), a.substr(0, 60));
    BOOST_TEST((modelOf(deflatedArchive(changed("A", a))) == plainModel));
  }
  // Signs of integers of all widths, and truth values.
  LinearProgram const lp =
      modelOf(archive({{"A", npy("|b1", "(2, 3)", std::string("\1\0\1\0\1\1", 6))},
                       {"c", npy("<i2", "(3,)", bytes<std::int16_t>({-1, 2, -300}))},
                       {"lower", npy("<i8", "(3,)", bytes<std::int64_t>({-1, -5000000000, 0}))},
                       {"upper", npy("<f4", "()", bytes<float>({0.5}))},
                       {"integer", npy("|b1", "(3,)", std::string("\0\1\0", 3))},
                       {"offset", npy("|i1", "()", "\xff")}}));
  BOOST_TEST((lp.objective == std::vector<double>{-1, 2, -300}));
  BOOST_TEST((lp.columnLower == std::vector<double>{-1, -5e9, 0}));
  BOOST_TEST((lp.columnUpper == std::vector<double>{0.5, 0.5, 0.5}));
  BOOST_TEST((lp.integer == std::vector<char>{0, 1, 0}));
  BOOST_TEST(lp.objectiveOffset == -1);
  BOOST_TEST(lp.matrix.nonzeros() == 4);
  BOOST_TEST((lp.rowLower == std::vector<double>{-infinity, -infinity}));
}

BOOST_AUTO_TEST_CASE(sparse_matrices) {
  Arrays arrays = plain;
  arrays.erase("A");
  arrays["shape"] = npy("<i8", "(2,)", bytes<std::int64_t>({2, 2}));
  arrays["format"] = npy("|S3", "()", "csc");
  arrays["indptr"] = npy("<i4", "(3,)", bytes<std::int32_t>({0, 2, 3}));
  arrays["indices"] = npy("<i4", "(3,)", bytes<std::int32_t>({1, 0, 1}));  // in any order
  arrays["data"] = doubles({1, 3, 5});
  BOOST_TEST((modelOf(archive(arrays)) == plainModel));
  arrays["format"] = npy("<U3", "()", std::string("c\0\0\0s\0\0\0r\0\0\0", 12));
  arrays["indptr"] = npy("<i8", "(3,)", bytes<std::int64_t>({0, 2, 4}));
  arrays["indices"] = npy("<i8", "(4,)", bytes<std::int64_t>({0, 1, 1, 0}));
  arrays["data"] = doubles({3, 0, 5, 1});  // a zero says nothing
  BOOST_TEST((modelOf(archive(arrays)) == plainModel));

  auto const errorWith = [&](std::string const& name, std::string const& content) {
    Arrays other = arrays;
    if (content.empty())
      other.erase(name);
    else
      other[name] = content;
    return errorOf(archive(other));
  };
  BOOST_TEST(
      errorWith("indices", npy("<i8", "(4,)", bytes<std::int64_t>({0, 0, 1, 0}))) ==
      "f: array indices: expected one entry per row and column (scipy's sum_duplicates makes "
      "it so), found two for one place");
  BOOST_TEST(errorWith("indices", npy("<i8", "(4,)", bytes<std::int64_t>({0, 1, 2, 0}))) ==
             "f: array indices: expected numbers from 0 to 1, found 2");
  BOOST_TEST(errorWith("indices", npy("<i8", "(4,)", bytes<std::int64_t>({0, -1, 1, 0}))) ==
             "f: array indices: expected numbers from 0 to 1, found -1");
  BOOST_TEST(
      errorWith("indptr", npy("<i8", "(3,)", bytes<std::int64_t>({0, 5, 4}))) ==
      "f: array indptr: expected numbers that begin with 0 and do not descend, found others");
  BOOST_TEST(errorWith("indptr", npy("<i8", "(3,)", bytes<std::int64_t>({0, 2, 5}))) ==
             "f: array indices: expected 5 numbers, as indptr says, found 4");
  BOOST_TEST(errorWith("indptr", doubles({0, 2, 4})) ==
             "f: array indptr: expected integers, found floating point numbers");
  BOOST_TEST(errorWith("indptr", "") == "f: array indptr: expected this array, found none");
  BOOST_TEST(errorWith("data", doubles({3, 0, 5})) == "f: array data: expected 4 numbers, found 3");
  BOOST_TEST(errorWith("data", doubles({3, 0, 5, NAN})) ==
             "f: array data: expected finite numbers, found another one at place 3");
  BOOST_TEST(errorWith("format", npy("|S3", "()", "coo")) ==
             "f: array format: expected csc or csr, found \"coo\"");
  BOOST_TEST(errorWith("format", "") ==
             "f: array format: expected csc or csr, found no such array");
  BOOST_TEST(errorWith("shape", npy("<i8", "(2,)", bytes<std::int64_t>({-2, 2}))) ==
             "f: array shape: expected numbers of rows and columns, found a negative one");
  BOOST_TEST(errorWith("shape", npy("<i8", "(2,)", bytes<std::int64_t>({2, 1LL << 40}))) ==
             "f: array shape: expected at most 2147483647 rows and columns together, found 2 x "
             "1099511627776");
  BOOST_TEST(errorWith("shape", npy("<i8", "(2,)", bytes<std::int64_t>({2, 2000000000})))
                 .starts_with("f: array shape: expected a model of at most "));
  BOOST_TEST(errorWith("A", plain.at("A")) ==
             "f: array A: expected one matrix, found a dense and a sparse one");
}

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
                "expected lower bounds below 1e30, found infinity at place 1 (counted from 0)"},
           Case{"row_upper", doubles({-infinity, 0}),
                "expected upper bounds above -1e30, found infinity at place 0 (counted from 0)"},
           Case{"upper", doubles({NAN, 0}),
                "expected upper bounds above -1e30, found NaN at place 0 (counted from 0)"},
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
           Case{"sense", doubles({1}), "expected one text, found numbers"},
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
      "f: archive: expected the array A, or data, indices, indptr, shape and format, found no "
      "matrix");
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
