// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "readers/npz_file.hpp"

namespace osi_cuda::cli {

/// The answers of a batch as arrays of a NumPy archive: `status`, `proof` and `names` are texts,
/// `objective` and `residual` numbers with NaN where there is none, `iterations` integers, all of
/// length K; `x` (K x n) and `y` (K x m), where they are wanted, have NaN where there is no
/// optimum.
class ResultArrays {
 public:
  /// `columns` and `rows`, n and m, are 0 where no points are wanted.
  ResultArrays(std::string const& path, std::size_t count, std::size_t columns, std::size_t rows);

  /// Takes the answer of problem k from its line; `x` and `y` may be empty. Any thread may call.
  void put(std::size_t k, std::string const& name, nlohmann::ordered_json const& line,
           std::vector<double> const& x, std::vector<double> const& y);
  /// Throws WriteError.
  void write();

 private:
  std::string const path_;
  std::size_t const columns_, rows_;
  std::vector<std::string> names_, status_, proof_;
  std::vector<double> objective_, residual_, x_, y_;
  std::vector<std::int64_t> iterations_, integers_, semicontinuous_;
  std::mutex mutex_;
};

}  // namespace osi_cuda::cli
