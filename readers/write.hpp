// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

/// A name of the model that a format can't hold, and what stands for it in the file.
struct Renamed {
  std::string kind;  ///< "row", "column" or "objective"
  std::string from;
  std::string to;
  bool operator==(Renamed const&) const = default;
};

/// The names that a file gets: those of the model as far as the format can hold them and they are
/// not given twice, else R1, R2, ... and C1, C2, ... (by position), made unique by underscores.
struct WrittenNames {
  std::vector<std::string> rows;     ///< length m
  std::vector<std::string> columns;  ///< length n
  std::vector<std::string> sets;     ///< of special ordered sets
  std::string objective;             ///< no name of a row
  std::vector<Renamed> renamed;
};

/// `canHold` answers for a name that is not empty whether the format can hold it.
WrittenNames namesFor(LinearProgram const& lp,
                      std::function<bool(std::string_view)> const& canHold);

enum class FileFormat { freeMps, fixedMps, cplexLp, lpSolveLp, npz };

struct WriteOptions {
  /// Fixed MPS has 12 characters for a number. Numbers that need more are an error, unless this
  /// allows to round them.
  bool roundNumbers = false;
  /// Names that the format can't hold are replaced; without this they are an error.
  bool renameNames = true;
  /// CPLEX LP: the constant of the objective stays one, instead of becoming the cost of a column,
  /// and rows without bounds are written, which GLPK misreads.
  bool keepShape = false;
};

struct WriteResult {
  /// What the file says otherwise than the model, a line each; of the renamed the first ten only.
  std::vector<std::string> notices;
  std::vector<Renamed> renamed;  ///< every name that is another one in the file
};

/// Writes a model. `path`: a file, created or overwritten, or `-` for standard output. What is
/// read back is the same model bit for bit, except where a notice says so, and names: a model
/// without names gets R1, R2, ... and C1, C2, ...
///
/// Throws WriteError when the file can't be written or the format can't hold the model: crossed
/// bounds of a row in any MPS, numbers of more than 12 characters in fixed MPS, rows without
/// columns in an LP format, names unless they may be replaced. LP formats have no room for the
/// problem's name (lp_solve: nor for the objective's).
WriteResult write(std::string const& path, LinearProgram const& lp, FileFormat format,
                  WriteOptions const& options = {});

/// The same into a string.
std::string writeText(LinearProgram const& lp, FileFormat format, WriteOptions const& options = {},
                      WriteResult* result = nullptr);

/// The format that the ending of a file name says, in either case: .mps is free MPS, .lp CPLEX LP,
/// .lps lp_solve's LP format, .npz arrays of NumPy; nothing for other endings.
std::optional<FileFormat> formatForName(std::string const& path);

}  // namespace osi_cuda::readers
