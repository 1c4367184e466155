// SPDX-License-Identifier: EPL-2.0
#include "readers/write.hpp"

#include <optional>

#include "readers/lp_writer.hpp"
#include "readers/mps_writer.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {
namespace {

/// Bounds of 1e30 and more are infinite in every format. Returns how many were finite before.
int makeInfinite(std::vector<double>& bounds, double direction) {
  int changed = 0;
  for (double& bound : bounds) {
    if (bound == direction * infinity || direction * bound < fileInfinity) continue;
    bound = direction * infinity;
    ++changed;
  }
  return changed;
}

bool holdsWrongInfinity(std::vector<double> const& bounds, double direction) {
  for (double bound : bounds) {
    if (direction * bound >= fileInfinity) return true;
  }
  return false;
}

/// The model with every bound as a file can say it, if that is another model.
std::optional<LinearProgram> withFileInfinities(LinearProgram const& lp, WriteResult& result) {
  if (holdsWrongInfinity(lp.columnLower, 1) || holdsWrongInfinity(lp.columnUpper, -1) ||
      holdsWrongInfinity(lp.rowLower, 1) || holdsWrongInfinity(lp.rowUpper, -1)) {
    throw WriteError(
        "a lower bound of 1e30 or more, or an upper bound of -1e30 or less, can't be "
        "written: such numbers stand for infinity");
  }
  LinearProgram copy = lp;
  int const changed = makeInfinite(copy.columnLower, -1) + makeInfinite(copy.columnUpper, 1) +
                      makeInfinite(copy.rowLower, -1) + makeInfinite(copy.rowUpper, 1);
  if (changed == 0) return std::nullopt;
  result.notices.push_back(std::to_string(changed) +
                           " bound(s) of size 1e30 or more are infinite in the file.");
  return copy;
}

WriteResult writeFormat(Output& out, LinearProgram const& lp, FileFormat format,
                        WriteOptions const& options) {
  switch (format) {
    case FileFormat::fixedMps:
      return writeMps(out, lp, MpsStyle::fixed, options);
    case FileFormat::cplexLp:
      return writeLp(out, lp, LpDialect::cplex);
    case FileFormat::lpSolveLp:
      return writeLp(out, lp, LpDialect::lpSolve);
    case FileFormat::freeMps:
      break;
  }
  return writeMps(out, lp, MpsStyle::free, options);
}

WriteResult writeTo(Output& out, LinearProgram const& lp, FileFormat format,
                    WriteOptions const& options) {
  std::string const fault = findFault(lp);
  if (!fault.empty()) throw WriteError("the model can't be written: " + fault);
  WriteResult before;
  std::optional<LinearProgram> const changed = withFileInfinities(lp, before);
  WriteResult result = writeFormat(out, changed ? *changed : lp, format, options);
  result.notices.insert(result.notices.begin(), before.notices.begin(), before.notices.end());
  for (Renamed const& name : result.renamed) {
    result.notices.push_back(name.kind + " " + quoted(name.from) + " is called " + name.to +
                             " in the file.");
  }
  return result;
}

}  // namespace

WriteResult write(std::string const& path, LinearProgram const& lp, FileFormat format,
                  WriteOptions const& options) {
  // Into memory first where the format may refuse: an old file is not destroyed for nothing.
  Output text;
  WriteResult const result = writeTo(text, lp, format, options);
  Output out(path);
  out << text.text();
  out.close();
  return result;
}

std::string writeText(LinearProgram const& lp, FileFormat format, WriteOptions const& options,
                      WriteResult* result) {
  Output text;
  WriteResult written = writeTo(text, lp, format, options);
  if (result) *result = std::move(written);
  return text.text();
}

FileFormat formatForName(std::string const& path) {
  if (path.ends_with(".lp") || path.ends_with(".LP")) return FileFormat::cplexLp;
  if (path.ends_with(".lps") || path.ends_with(".LPS")) return FileFormat::lpSolveLp;
  return FileFormat::freeMps;
}

WriteResult convert(std::string const& from, std::string const& to, FileFormat format,
                    WriteOptions const& options) {
  ReadResult model = read(from);
  WriteResult result = write(to, model.lp, format, options);
  model.notices.insert(model.notices.end(), result.notices.begin(), result.notices.end());
  result.notices = std::move(model.notices);
  return result;
}

}  // namespace osi_cuda::readers
