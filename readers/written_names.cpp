// SPDX-License-Identifier: EPL-2.0
#include "readers/write.hpp"

#include <unordered_set>

namespace osi_cuda::readers {
namespace {

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

WrittenNames namesFor(LinearProgram const& lp,
                      std::function<bool(std::string_view)> const& canHold) {
  WrittenNames names;
  for (int i = 0; i < lp.rows(); ++i) names.rows.push_back(lp.rowName(i));
  for (int j = 0; j < lp.columns(); ++j) names.columns.push_back(lp.columnName(j));

  Namer rowNamer("row", canHold, names.renamed);
  nameAll(rowNamer, names.rows, 'R');
  Namer columnNamer("column", canHold, names.renamed);
  nameAll(columnNamer, names.columns, 'C');

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
