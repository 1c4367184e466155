// SPDX-License-Identifier: EPL-2.0
//
// Models as arrays of NumPy: what is written comes back, and every kind of array is read.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/model/fingerprint.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "readers/zip_archive.hpp"
#include "tests/readers/npz_files.hpp"

namespace osi_cuda::testing {

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

// A matrix of few zeros stays as it lay in the file, and is the same problem everywhere.
BOOST_AUTO_TEST_CASE(arrays_stay_as_they_were_read) {
  readers::ReadOptions options;
  options.denseArrays = true;
  for (bool const fortran : {false, true})
    for (auto const& [type, elements] :
         {std::pair("<f8", bytes<double>({3, 4, 1, 5})),
          std::pair(">f8", bytes<double>({3, 4, 1, 5}, true)),
          std::pair("<f4", bytes<float>({3, 4, 1, 5})), std::pair("|i1", std::string("\3\4\1\5")),
          std::pair("<f8", bytes<double>({3, 0, 1, 5}))}) {
      Arrays const arrays = changed("A", npy(type, "(2, 2)", elements, fortran));
      for (std::string const& text : {archive(arrays), deflatedArchive(arrays)}) {
        LinearProgram const lp = readers::readText(text, "f", options).lp, listed = modelOf(text);
        BOOST_TEST(lp.matrix.isDense());
        BOOST_TEST(!lp.matrix.dense.byRows);
        BOOST_TEST(!listed.matrix.isDense());
        BOOST_TEST(countNonzeros(lp.matrix) == listed.matrix.nonzeros());
        BOOST_TEST(fingerprintOf(lp) == fingerprintOf(listed));
        for (FileFormat const format : {FileFormat::freeMps, FileFormat::cplexLp, FileFormat::npz})
          BOOST_TEST((readers::writeText(lp, format) == readers::writeText(listed, format)));
      }
    }
  Arrays const sparse = changed("A", npy("<f8", "(2, 2)", bytes<double>({3, 0, 0, 5})));
  BOOST_TEST(!readers::readText(archive(sparse), "f", options).lp.matrix.isDense());
  Arrays const empty{{"A", npy("<f8", "(2, 0)", "")}};
  BOOST_TEST(!readers::readText(archive(empty), "f", options).lp.matrix.isDense());
}

// Stored by rows or by columns, or deflated: nothing is held twice.
BOOST_AUTO_TEST_CASE(reading_takes_the_memory_of_one_array) {
  int const rows = 3000, columns = 2000;
  std::size_t const size = sizeof(double) * static_cast<std::size_t>(rows) * columns;
  std::string elements(size, '\x3f');  // finite, not zero
  std::string const path =
      (std::filesystem::temp_directory_path() / ("npz_memory_" + std::to_string(::getpid())))
          .string();
  auto const status = [](std::string const& key) {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
      if (word == key) {
        std::size_t kibibytes = 0;
        file >> kibibytes;
        return kibibytes << 10;
      }
    return std::size_t{0};
  };
  readers::ReadOptions options;
  options.denseArrays = true;
  for (bool const fortran : {false, true})
    for (auto const& pack : {archive, deflatedArchive}) {
      std::ofstream(path, std::ios::binary)
          << pack({{"A", npy("<f8", "(3000, 2000)", elements, fortran)}});
      std::ofstream("/proc/self/clear_refs") << "5";  // the peak is that from now on
      std::size_t const before = status("VmRSS:"), peak = status("VmHWM:");
      LinearProgram const lp = readers::read(path, options).lp;
      BOOST_TEST(lp.matrix.isDense());
      if (peak < before + size / 8) BOOST_TEST(status("VmHWM:") - before < size + size / 4);
    }
  std::filesystem::remove(path);
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

/// min x + 2 y, 3 x <= 4, x + 5 y = 2, 0 <= x, y <= 7, as SciPy's linprog takes it.
Arrays const asLinprog{
    {"c", doubles({1, 2})},
    {"A_ub", npy("<f8", "(1, 2)", bytes<double>({3, 0}))},
    {"b_ub", doubles({4})},
    {"A_eq", npy("<f8", "(1, 2)", bytes<double>({1, 5}))},
    {"b_eq", doubles({2})},
    {"bounds", npy("<f8", "(2, 2)", bytes<double>({0, infinity, -infinity, 7}))}};

BOOST_AUTO_TEST_CASE(arguments_of_linprog) {
  LinearProgram expected = plainModel;
  expected.rowLower = {-infinity, 2};
  expected.rowUpper = {4, 2};
  expected.columnLower = {0, -infinity};
  expected.columnUpper = {infinity, 7};
  BOOST_TEST((modelOf(archive(asLinprog)) == expected));

  Arrays sparse = asLinprog;
  sparse.erase("A_eq");
  sparse["A_eq_data"] = doubles({1, 5});
  sparse["A_eq_indices"] = npy("<i4", "(2,)", bytes<std::int32_t>({0, 1}));
  sparse["A_eq_indptr"] = npy("<i4", "(2,)", bytes<std::int32_t>({0, 2}));  // csr
  sparse["A_eq_shape"] = npy("<i8", "(2,)", bytes<std::int64_t>({1, 2}));
  BOOST_TEST((modelOf(archive(sparse)) == expected));
  sparse["A_eq_indices"] = npy("<i4", "(2,)", bytes<std::int32_t>({0, 0}));
  sparse["A_eq_indptr"] = npy("<i4", "(3,)", bytes<std::int32_t>({0, 1, 2}));  // csc
  BOOST_TEST((modelOf(archive(sparse)) == expected));

  // A stands for A_ub; one pair of bounds is for all, and what is no array of the model is told.
  Arrays short_ = asLinprog;
  short_["A"] = short_["A_ub"];
  for (char const* const name : {"A_ub", "A_eq", "b_eq"}) short_.erase(name);
  short_["bounds"] = doubles({-1, 1});
  short_["node_lb"] = doubles({0});
  short_["sense"] = npy("<i8", "(1,)", bytes<std::int64_t>({-1}));
  short_["obj_offset"] = doubles({2.5});
  readers::ReadResult const read = readers::readText(archive(short_), "f");
  BOOST_TEST(read.lp.columnLower == std::vector({-1.0, -1.0}), boost::test_tools::per_element());
  BOOST_TEST(read.lp.rowUpper == std::vector({4.0}), boost::test_tools::per_element());
  BOOST_TEST((read.lp.sense == Sense::maximize));
  BOOST_TEST(read.lp.objectiveOffset == 2.5);
  BOOST_TEST_REQUIRE(read.notices.size() == 1u);
  BOOST_TEST(read.notices[0] == "arrays that are not read: node_lb");

  auto const without = [](char const* name) {
    Arrays arrays = asLinprog;
    arrays.erase(name);
    return errorOf(archive(arrays));
  };
  BOOST_TEST(without("A_eq") == "f: array A_eq: expected this array, dense or sparse, found none");
  BOOST_TEST(without("A_ub") ==
             "f: array A_ub: expected this array, or A, dense or sparse, found none");
  BOOST_TEST(without("b_ub") == "f: array b_ub: expected this array, found none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
