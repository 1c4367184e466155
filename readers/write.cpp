// SPDX-License-Identifier: EPL-2.0
#include "readers/write.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "osi_cuda/model/dense_entries.hpp"
#include "readers/format_writers.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"
#include "readers/read.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

/// The model with every bound as a file can say it, if that is another model: those of 1e30 and
/// more are infinite in every format.
std::optional<LinearProgram> withFileInfinities(LinearProgram const& lp, WriteResult& result) {
  LinearProgram copy = lp;
  int changed = 0, large = 0;
  auto const take = [&](std::vector<double>& bounds, double direction) {
    for (double& bound : bounds) {
      if (-direction * bound >= fileInfinity)
        throw WriteError(
            "a lower bound of 1e30 or more, or an upper bound of -1e30 or less, can't be "
            "written: such numbers stand for infinity");
      large += std::abs(bound) >= ReadOptions{}.infiniteFrom && std::abs(bound) < fileInfinity;
      if (bound == direction * infinity || direction * bound < fileInfinity) continue;
      bound = direction * infinity;
      ++changed;
    }
  };
  take(copy.columnLower, -1);
  take(copy.columnUpper, 1);
  take(copy.rowLower, -1);
  take(copy.rowUpper, 1);
  if (large > 0)
    result.notices.push_back(
        concat(large,
               " bound(s) of size 1e20 or more are finite in the model, but infinite "
               "to most programs that read the file."));
  if (changed == 0) return std::nullopt;
  result.notices.push_back(
      concat(changed, " bound(s) of size 1e30 or more are infinite in the file."));
  return copy;
}

/// The same problem with the objective's constant as the cost of a last column that is fixed at 1.
LinearProgram withConstantColumn(LinearProgram lp) {
  std::vector<std::string> names;
  for (int j = 0; j < lp.columns(); ++j) names.push_back(lp.columnName(j));
  std::string name = "constant";
  while (std::ranges::find(names, name) != names.end()) name += '_';
  names.push_back(name);
  lp.columnNames = std::move(names);
  lp.matrix.makeSparse();
  lp.endColumn(std::exchange(lp.objectiveOffset, 0.0), 1.0, 1.0);
  if (!lp.integer.empty()) lp.integer.push_back(0);
  return lp;
}

/// What HiGHS, GLPK and Clp read as well: HiGHS and GLPK refuse `lower <= row <= upper`, which Clp
/// takes for something else; GLPK refuses a constant in the objective, which Clp ignores, and takes
/// 1e30 for a number.
WriteResult writeCplexLp(Output& out, LinearProgram const& lp, WriteOptions const& options) {
  int ranges = 0, free = 0;
  for (int i = 0; i < lp.rows(); ++i) {
    ranges += hasTwoBounds(lp, i);
    free += !options.keepShape && lp.rowLower[i] == -infinity && lp.rowUpper[i] == infinity;
  }
  bool const hasConstant = lp.objectiveOffset != 0.0 && !options.keepShape;
  if (ranges + free == 0 && !hasConstant) return writeLp(out, lp, LpDialect::cplex);
  LinearProgram plain = ranges + free > 0 ? withSplitRanges(lp, options.keepShape) : lp;
  if (hasConstant) plain = withConstantColumn(std::move(plain));
  WriteResult result = writeLp(out, plain, LpDialect::cplex);
  if (ranges > 0)
    result.notices.push_back(
        concat(ranges,
               " row(s) with two bounds are two rows in the file, NAME with the "
               "upper and NAME_low with the lower bound."));
  if (free > 0)
    result.notices.push_back(concat(free, " row(s) without bounds are left out of the file."));
  if (hasConstant)
    result.notices.push_back("The constant of the objective is the cost of a column " +
                             plain.columnNames.back() + " = 1 in the file.");
  return result;
}

WriteResult writeFormat(Output& out, LinearProgram const& lp, FileFormat format,
                        WriteOptions const& options) {
  bool const isLp = format == FileFormat::cplexLp || format == FileFormat::lpSolveLp;
  if (isLp && lp.rows() > 0 && lp.columns() == 0)
    throw WriteError("LP formats can't hold rows without columns");
  if (format == FileFormat::cplexLp) return writeCplexLp(out, lp, options);
  if (format == FileFormat::lpSolveLp) return writeLp(out, lp, LpDialect::lpSolve);
  if (format == FileFormat::npz) return writeNpz(out, lp);
  bool const fixed = format == FileFormat::fixedMps;
  return writeMps(out, lp, fixed ? MpsStyle::fixed : MpsStyle::free, options);
}

/// The notices of the names: a model may have a million of them.
void addRenamed(WriteResult& result) {
  constexpr std::size_t shown = 10;
  for (std::size_t i = 0; i < std::min(shown, result.renamed.size()); ++i) {
    Renamed const& name = result.renamed[i];
    result.notices.push_back(name.kind + " " + readers::quoted(name.from) + " is called " +
                             name.to + " in the file.");
  }
  if (result.renamed.size() > shown)
    result.notices.push_back(
        concat(result.renamed.size() - shown, " further names are replaced in the file."));
}

void checkModel(LinearProgram const& lp, FileFormat format) {
  std::string fault = findFault(lp);
  if (fault.empty() && format == FileFormat::npz && !lp.choices.empty())
    fault = "npz has no place for special ordered sets and semicontinuous columns, MPS and LP have";
  if (!fault.empty()) throw WriteError("the model can't be written: " + fault);
}

WriteResult writeTo(Output& out, LinearProgram const& lp, FileFormat format,
                    WriteOptions const& options) {
  checkModel(lp, format);
  WriteResult before;
  std::optional<LinearProgram> changed = withFileInfinities(lp, before);
  if (countNonzeros(lp.matrix) < lp.matrix.nonzeros()) {  // files list no zeros
    if (!changed) changed = lp;
    changed->matrix.makeSparse();
  }
  for (auto const& [j, on] : lp.choices.semicontinuous) {  // as they are when they are not 0
    if (!changed) changed = lp;
    double &lower = changed->columnLower[at(j)], &upper = changed->columnUpper[at(j)];
    if (lower > 0.0 || upper < 0.0 || (on > 0.0 && lower < 0.0) || (on < 0.0 && upper > 0.0))
      throw WriteError("the bounds of the semicontinuous column " + lp.columnName(j) +
                       " have been changed so that no format can hold them");
    if (on > 0.0) lower = on;
    if (on < 0.0) upper = on;
  }
  WriteResult result = writeFormat(out, changed ? *changed : lp, format, options);
  result.notices.insert(result.notices.begin(), before.notices.begin(), before.notices.end());
  if (!result.renamed.empty() && !options.renameNames) {
    Renamed const& first = result.renamed.front();
    throw WriteError("the " + first.kind + " name " + readers::quoted(first.from) +
                     " can't be held by the format, or is there twice");
  }
  addRenamed(result);
  return result;
}

/// Gives names of one kind: first come, first served; those that fail get a substitute later, so
/// that it never takes a name that the model has.
class Namer {
 public:
  Namer(char const* kind, std::function<bool(std::string_view)> const& canHold,
        std::vector<Renamed>& renamed)
      : kind_(kind), canHold_(canHold), renamed_(renamed) {}

  /// Does `name` survive? It is taken then.
  bool take(std::string const& name) {
    return !name.empty() && canHold_(name) && taken_.insert(name).second;
  }

  std::string substitute(std::string const& name, std::string candidate) {
    while (!taken_.insert(candidate).second) candidate += '_';
    renamed_.push_back({kind_, name, candidate});
    return candidate;
  }

 private:
  char const* kind_;
  std::function<bool(std::string_view)> const& canHold_;
  std::vector<Renamed>& renamed_;
  std::unordered_set<std::string> taken_;
};

/// `names` with substitutes prefix + position for those that fail.
void nameAll(Namer& namer, std::vector<std::string>& names, char prefix) {
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!namer.take(names[i])) failed.push_back(i);
  for (std::size_t i : failed) names[i] = namer.substitute(names[i], concat(prefix, i + 1));
}

}  // namespace

WriteResult write(std::string const& path, LinearProgram const& lp, FileFormat format,
                  WriteOptions const& options) {
  if (format ==
      FileFormat::npz) {  // refuses no sound model, so that it need not be in memory first
    checkModel(lp, format);
    Output out(path);
    WriteResult result = writeTo(out, lp, format, options);
    out.close();
    return result;
  }
  // Into memory first where the format may refuse: an old file is not destroyed for nothing.
  Output text;
  WriteResult result = writeTo(text, lp, format, options);
  writeWhole(path, text.text());
  return result;
}

std::string writeText(LinearProgram const& lp, FileFormat format, WriteOptions const& options,
                      WriteResult* result) {
  Output text;
  WriteResult written = writeTo(text, lp, format, options);
  if (result) *result = std::move(written);
  return text.text();
}

std::optional<FileFormat> formatForName(std::string const& path) {
  constexpr std::pair<std::string_view, FileFormat> endings[] = {{".mps", FileFormat::freeMps},
                                                                 {".lp", FileFormat::cplexLp},
                                                                 {".lps", FileFormat::lpSolveLp},
                                                                 {".npz", FileFormat::npz}};
  for (auto const& [ending, format] : endings) {
    std::size_t const size = ending.size();
    if (path.size() >= size &&
        equalsIgnoringCase(std::string_view(path).substr(path.size() - size), ending))
      return format;
  }
  return std::nullopt;
}

bool hasTwoBounds(LinearProgram const& lp, int row) {
  double const lower = lp.rowLower[row], upper = lp.rowUpper[row];
  return lower > -infinity && upper < infinity && lower != upper;
}

LinearProgram withSplitRanges(LinearProgram const& lp, bool freeRows) {
  LinearProgram split = lp;
  split.rowNames.clear();
  split.rowLower.clear();
  split.rowUpper.clear();
  SparseMatrix const byRows = lp.matrix.transposed();
  SparseMatrix newRows;  // the rows of the result as its columns
  newRows.rows = lp.columns();
  auto const add = [&](int i, std::string const& name, double lower, double upper) {
    for (auto const [j, a] : byRows.column(i)) newRows.add(j, a);
    newRows.endColumn();
    split.rowNames.push_back(name);
    split.addRow(lower, upper);
  };
  for (int i = 0; i < lp.rows(); ++i) {
    double const lower = lp.rowLower[i], upper = lp.rowUpper[i];
    if (!freeRows && lower == -infinity && upper == infinity) continue;
    bool const isRange = hasTwoBounds(lp, i);
    add(i, lp.rowName(i), isRange ? -infinity : lower, upper);
    if (isRange) add(i, lp.rowName(i) + "_low", lower, infinity);
  }
  split.matrix = newRows.transposed();
  return split;
}

WrittenNames namesFor(LinearProgram const& lp,
                      std::function<bool(std::string_view)> const& canHold) {
  WrittenNames names;
  for (int i = 0; i < lp.rows(); ++i) names.rows.push_back(lp.rowName(i));
  for (int j = 0; j < lp.columns(); ++j) names.columns.push_back(lp.columnName(j));

  Namer rowNamer("row", canHold, names.renamed);
  nameAll(rowNamer, names.rows, 'R');
  Namer columnNamer("column", canHold, names.renamed);
  nameAll(columnNamer, names.columns, 'C');
  for (OrderedSet const& set : lp.choices.sets)
    names.sets.push_back(set.name.empty() ? concat("set", names.sets.size() + 1) : set.name);
  Namer setNamer("set", canHold, names.renamed);
  nameAll(setNamer, names.sets, 'S');

  // The objective shares the names of the rows, and is replaced by them.
  names.objective = lp.objectiveName;
  if (names.objective.empty()) {
    for (names.objective = "obj"; !rowNamer.take(names.objective); names.objective += '_') {
    }
  } else if (!rowNamer.take(names.objective)) {
    Namer objectiveNamer("objective", canHold, names.renamed);
    std::string candidate = "obj";
    while (!rowNamer.take(candidate)) candidate += '_';
    names.objective = objectiveNamer.substitute(names.objective, candidate);
  }
  return names;
}

}  // namespace osi_cuda::readers
