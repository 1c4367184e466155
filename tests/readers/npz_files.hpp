// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "readers/read.hpp"
#include "readers/write.hpp"
#include "readers/zip_archive.hpp"
#include "tests/support/random.hpp"

/// Arrays of NumPy and archives of them, byte by byte.
namespace osi_cuda::testing {

using readers::FileFormat;

/// The bytes of a .npy file: NumPy's description, order, shape, elements.
inline std::string npy(std::string const& descr, std::string const& shape,
                       std::string const& elements, bool fortranOrder = false) {
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

inline std::string doubles(std::vector<double> const& values) {
  return npy("<f8", "(" + std::to_string(values.size()) + ",)", bytes(values));
}

using Arrays = std::map<std::string, std::string>;  // name of an array, bytes of its file

inline std::string archive(Arrays const& arrays) {
  std::string text;
  readers::ZipWriter zip([&text](std::string_view part) { text += part; });
  for (auto const& [name, content] : arrays)
    zip.add(name + ".npy", [&content](auto const& sink) { sink(content); });
  zip.finish();
  return text;
}

inline std::string number(std::uint64_t value, int size) {
  std::string text;
  for (int k = 0; k < size; ++k) text += static_cast<char>(value >> (8 * k));
  return text;
}

/// The same archive deflated and with 32-bit sizes, as zip programs write it.
inline std::string deflatedArchive(Arrays const& arrays) {
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
inline Arrays const plain{{"A", npy("<f8", "(2, 2)", bytes<double>({3, 0, 1, 5}))},
                          {"c", doubles({1, 2})},
                          {"row_lower", doubles({1, 2})},
                          {"row_upper", doubles({4, infinity})}};

inline LinearProgram const plainModel = [] {
  LinearProgram lp;
  lp.matrix = {2, 2, {0, 2, 3}, {0, 1, 1}, {3, 1, 5}};
  lp.objective = {1, 2};
  lp.columnLower = {0, 0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {1, 2};
  lp.rowUpper = {4, infinity};
  return lp;
}();

inline LinearProgram modelOf(std::string const& text) {
  return readers::readText(text, "f").lp;
}

inline std::string errorOf(std::string const& text, readers::ReadOptions const& options = {}) {
  try {
    readers::readText(text, "f", options);
  } catch (readers::ReadError const& error) {
    return error.what();
  }
  return "no error";
}

inline Arrays changed(std::string const& name, std::string const& content) {
  Arrays arrays = plain;
  arrays[name] = content;
  return arrays;
}

inline LinearProgram randomModel(int rows, int columns, double density, unsigned seed) {
  Random random(seed);
  auto const share = [&] { return random.unit(); };
  auto const value = [&] { return random.between(-5.0, 5.0); };
  LinearProgram lp;
  lp.matrix.rows = rows;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (share() >= density) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(value());
    }
    lp.matrix.starts.push_back(std::ssize(lp.matrix.indices));
    lp.objective.push_back(value());
    lp.columnLower.push_back(share() < 0.3 ? -infinity : -share());
    lp.columnUpper.push_back(share() < 0.3 ? infinity : share());
  }
  lp.matrix.columns = columns;
  for (int i = 0; i < rows; ++i) {
    lp.rowLower.push_back(share() < 0.3 ? -infinity : -share());
    lp.rowUpper.push_back(share() < 0.3 ? infinity : share());
  }
  return lp;
}

}  // namespace osi_cuda::testing
