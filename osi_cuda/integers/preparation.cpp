// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/integers/preparation.hpp"

#include <sstream>

#include "osi_cuda/search/whole_steps.hpp"

namespace osi_cuda {
namespace {

/// Where the interface that Cbc gets has no bound.
constexpr double unbounded = 1e27;

std::string between(double lower, double upper) {
  std::ostringstream text;
  text.precision(17);
  text << " between " << lower << " and " << upper;
  return text.str();
}

}  // namespace

PreparedIntegers prepareIntegers(LinearProgram const& lp) {
  PreparedIntegers made;
  LinearProgram& p = made.problem;
  p.matrix.columns = lp.columns();
  p.columnLower = lp.columnLower;
  p.columnUpper = lp.columnUpper;
  p.objective = lp.objective;
  p.objectiveOffset = lp.objectiveOffset;
  p.integer = lp.integer;
  if (lp.sense == Sense::maximize) {
    for (double& cost : p.objective) cost = 0.0 - cost;
    p.objectiveOffset = 0.0 - p.objectiveOffset;
  }
  p.integer.resize(lp.objective.size());
  p.choices = lp.choices;
  for (SemicontinuousColumn& one : p.choices.semicontinuous)
    if (p.integer[at(one.column)]) one.on = toMultiple(one.on, 1.0, one.on > 0.0);

  std::vector<CommonDivisor> divisors(lp.rowLower.size());
  std::vector<char> whole(lp.rowLower.size(), 1);
  for (int j = 0; j < lp.columns(); ++j) {
    bool const integer = p.integer[at(j)] != 0;
    for (auto const [i, a] : lp.matrix.column(j)) {
      if (a == 0.0) continue;
      if (integer)
        divisors[at(i)].take(a);
      else
        whole[at(i)] = 0;
    }
    if (!integer) continue;
    double& lower = p.columnLower[at(j)];
    double& upper = p.columnUpper[at(j)];
    lower = toMultiple(lower, 1.0, true);
    upper = toMultiple(upper, 1.0, false);
    if (lower > upper && made.conflict.empty())
      made.conflict = "integer column " + lp.columnName(j) + " has no whole number" +
                      between(lp.columnLower[at(j)], lp.columnUpper[at(j)]);
  }

  std::vector<int> kept(lp.rowLower.size(), -1);
  for (int i = 0; i < lp.rows(); ++i) {
    double lower = lp.rowLower[at(i)], upper = lp.rowUpper[at(i)];
    if (lower < -unbounded && upper > unbounded) continue;
    double const step = divisors[at(i)].value();
    if (whole[at(i)] && step > 0.0) {
      lower = toMultiple(lower, step, true);
      upper = toMultiple(upper, step, false);
      if (lower > upper && made.conflict.empty()) {
        std::ostringstream text;
        text << "row " << lp.rowName(i) << " is a multiple of " << step
             << " where its columns are whole, and has none";
        made.conflict = text.str() + between(lp.rowLower[at(i)], lp.rowUpper[at(i)]);
      }
    }
    kept[at(i)] = static_cast<int>(made.rows.size());
    made.rows.push_back(i);
    p.addRow(lower, upper);
  }
  for (int j = 0; j < lp.columns(); ++j) {
    for (auto const [i, a] : lp.matrix.column(j))
      if (kept[at(i)] >= 0 && a != 0.0) p.matrix.add(kept[at(i)], a);
    p.matrix.endColumn();
  }
  return made;
}

}  // namespace osi_cuda
