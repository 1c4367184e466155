// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "readers/output.hpp"
#include "readers/zip_archive.hpp"

namespace osi_cuda::readers {

/// Arrays on their way to a NumPy archive, stored as numpy.savez does it, the last index running
/// fastest. `shape` is that of the values, all of which have to be there. Throws WriteError.
class NpzFile {
 public:
  /// `path` is created or overwritten; `-` is standard output.
  explicit NpzFile(std::string const& path);

  void add(std::string const& name, std::vector<std::uint64_t> const& shape,
           std::span<double const> values);
  void add(std::string const& name, std::vector<std::uint64_t> const& shape,
           std::span<std::int64_t const> values);
  /// A vector of texts, as bytes (UTF-8) filled up with zeros to the longest.
  void add(std::string const& name, std::span<std::string const> texts);

  /// To be called once, at the end.
  void close();

 private:
  void put(std::string const& name, std::string const& header, std::string_view bytes);

  Output out_;
  ZipWriter zip_;
};

}  // namespace osi_cuda::readers
