// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::readers {

/// What a .npy file says of its array before the numbers begin.
struct NpyHeader {
  /// NumPy's letter: f floating point, i and u integers, b truth values, S bytes, U Unicode.
  char kind = 'f';
  std::uint64_t itemSize = 8;  ///< bytes of an element
  bool bigEndian = false;
  bool fortranOrder = false;  ///< the first index runs fastest
  std::vector<std::uint64_t> shape;
  std::uint64_t size = 0;  ///< bytes of the header itself, before the elements

  std::uint64_t elements() const;  ///< product of the shape
};

/// Bytes of a file that tell how long its header is.
inline constexpr std::size_t npyStart = 12;

/// Length of the whole header of which `start` holds the first npyStart bytes, or nothing where
/// they begin no .npy file of version 1, 2 or 3.
std::optional<std::uint64_t> npyHeaderSize(std::string_view start);

/// Reads a header: a Python dictionary of descr, fortran_order and shape. Throws InputFault for
/// anything but plain numbers and texts (records, objects, dates, complex numbers), and for shapes
/// whose bytes do not fit 63 bits. Source of the format: NumPy's documentation of numpy.lib.format.
NpyHeader parseNpyHeader(std::string_view header);

/// Which index of an array runs fastest.
enum class NpyOrder { fortran, c };

/// The header that NumPy would write for an array in that order, little endian; `descr` as "<f8".
std::string npyHeader(std::string_view descr, std::vector<std::uint64_t> const& shape,
                      NpyOrder order = NpyOrder::fortran);

}  // namespace osi_cuda::readers
