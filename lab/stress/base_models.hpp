// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::stress {

/// A file that problems are made from.
struct BaseFile {
  std::string name;
  std::string path;
};

/// Debian's samples, the same ones on every machine that has coinor-libcoinutils-dev.
std::vector<BaseFile> sampleFiles();

/// Every MPS file of the subfolders netlib and netlib-infeasible of the folder that OSI_CUDA_DATA
/// names, by name; an infeasible one is called "infeasible-NAME". Empty without that folder.
std::vector<BaseFile> netlibFiles();

/// A model to change: no names, no integer marks. What Clp makes of it is computed when it is first
/// wanted.
class BaseModel {
 public:
  explicit BaseModel(BaseFile const& file);
  /// The model without a file: a base for constructed problems.
  BaseModel() = default;

  LinearProgram const& lp() const { return lp_; }
  /// Clp's solution, by the dual simplex method without presolve.
  Solution const& optimum() const;

 private:
  LinearProgram lp_;
  mutable bool solved_ = false;
  mutable Solution optimum_;
};

/// Rows times columns of the file.
std::int64_t cellsOf(BaseFile const& file);

/// What Clp makes of `lp`, by the dual simplex method without presolve.
Solution solvedByClp(LinearProgram const& lp);

}  // namespace osi_cuda::stress
