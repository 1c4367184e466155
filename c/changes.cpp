// SPDX-License-Identifier: EPL-2.0
// Changes of a problem that keep its basis. Everything is looked at before anything is changed.
#include <algorithm>
#include <cmath>

#include "c/arguments.hpp"
#include "c/problem.hpp"
#include "osi_cuda/model/linear_program.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

/// A call that changes the problem, after which there is no solution of it.
int change(osi_cuda_problem* problem, auto const& work) {
  return call(problem, [&](osi_cuda_problem& p) {
    work(p);
    p.solution.reset();
  });
}

/// Bounds of one side: those of the problem, and new ones, NULL where they stay.
struct NewBounds {
  std::vector<double> const& present;
  double const* given;
};

/// set(number, lower, upper) for each of these rows or columns, once fault() finds none in any.
void setBounds(osi_cuda_problem& p, std::vector<int> const& numbers, NewBounds const& lower,
               NewBounds const& upper, auto const& fault, auto const& set) {
  LargeBounds large(p.options.infiniteFrom);
  auto const wanted = [&](NewBounds const& of, BoundSide side, char const* name) {
    auto const count = static_cast<std::int64_t>(numbers.size());
    if (of.given) return boundsOr(of.given, count, 0.0, side, name, large);
    std::vector<double> present;
    for (int const number : numbers) present.push_back(of.present[at(number)]);
    return present;
  };
  std::vector<double> const lows = wanted(lower, BoundSide::lower, "lower"),
                            highs = wanted(upper, BoundSide::upper, "upper");
  for (std::size_t k = 0; k < numbers.size(); ++k) needSound(fault(numbers[k], lows[k], highs[k]));
  for (std::size_t k = 0; k < numbers.size(); ++k) set(numbers[k], lows[k], highs[k]);
  tell(p, large.notice());
}

/// In ascending order; refuses one that is named twice.
std::vector<int> distinct(std::vector<int> numbers, char const* what) {
  std::ranges::sort(numbers);
  auto const twice = std::ranges::adjacent_find(numbers);
  if (twice != numbers.end()) refuse(what, " names ", *twice, " twice");
  return numbers;
}

/// `count` new rows, given as the columns of matrix(lp), which is asked for once there is room.
int addRows(osi_cuda_problem* problem, std::int32_t count, double const* lower, double const* upper,
            auto const& matrix) {
  return change(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    needSize(count, "count");
    needSizes(std::int64_t{lp.rows()} + count, lp.columns());
    SparseMatrix const rows = matrix(lp);
    LargeBounds large(p.options.infiniteFrom);
    p.solver.addRows(rows, boundsOr(lower, count, -infinity, BoundSide::lower, "lower", large),
                     boundsOr(upper, count, infinity, BoundSide::upper, "upper", large));
    tell(p, large.notice());
  });
}

/// `count` new columns, those of matrix(lp).
int addColumns(osi_cuda_problem* problem, std::int32_t count, double const* lower,
               double const* upper, double const* costs, auto const& matrix) {
  return change(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    needSize(count, "count");
    needSizes(lp.rows(), std::int64_t{lp.columns()} + count);
    SparseMatrix const columns = matrix(lp);
    LargeBounds large(p.options.infiniteFrom);
    p.solver.addColumns(columns, boundsOr(lower, count, 0.0, BoundSide::lower, "lower", large),
                        boundsOr(upper, count, infinity, BoundSide::upper, "upper", large),
                        numbersOr(costs, count, 0.0));
    tell(p, large.notice());
  });
}

}  // namespace

int osi_cuda_set_column_bounds(osi_cuda_problem* problem, int32_t count, int32_t const* columns,
                               double const* lower, double const* upper) {
  return change(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    setBounds(
        p, selected(count, columns, lp.columns(), "columns"), {lp.columnLower, lower},
        {lp.columnUpper, upper}, [&](auto... of) { return columnBoundsFault(lp, of...); },
        [&](auto... of) { p.solver.setColumnBounds(of...); });
  });
}

int osi_cuda_set_row_bounds(osi_cuda_problem* problem, int32_t count, int32_t const* rows,
                            double const* lower, double const* upper) {
  return change(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    setBounds(
        p, selected(count, rows, lp.rows(), "rows"), {lp.rowLower, lower}, {lp.rowUpper, upper},
        [&](auto... of) { return rowBoundsFault(lp, of...); },
        [&](auto... of) { p.solver.setRowBounds(of...); });
  });
}

int osi_cuda_set_right_hand_sides(osi_cuda_problem* problem, int32_t count, int32_t const* rows,
                                  double const* values) {
  return change(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    std::vector<int> const numbers = selected(count, rows, lp.rows(), "rows");
    needArray(values, count, "values");
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      int const i = numbers[k];
      double const lower = lp.rowLower[i], upper = lp.rowUpper[i];
      if (lower != upper && std::isfinite(lower) == std::isfinite(upper))
        refuse("values[", k, "] is for row ", i, ", which has ",
               (std::isfinite(lower) ? "two different bounds" : "no bounds"),
               ", not a right-hand side");
      LargeBounds const large(p.options.infiniteFrom);
      if (std::isnan(values[k]) || large.areInfinite(values[k]))
        refuse("the right-hand side of row " + lp.rowName(i) + " is not finite (" +
               large.meaning() + ")");
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      int const i = numbers[k];
      double const lower = lp.rowLower[i], upper = lp.rowUpper[i];
      p.solver.setRowBounds(i, std::isfinite(lower) ? values[k] : lower,
                            std::isfinite(upper) ? values[k] : upper);
    }
  });
}

int osi_cuda_set_costs(osi_cuda_problem* problem, int32_t count, int32_t const* columns,
                       double const* costs) {
  return change(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    std::vector<int> const numbers = selected(count, columns, lp.columns(), "columns");
    needArray(costs, count, "costs");
    for (std::size_t k = 0; k < numbers.size(); ++k) needSound(costFault(lp, numbers[k], costs[k]));
    for (std::size_t k = 0; k < numbers.size(); ++k) p.solver.setObjective(numbers[k], costs[k]);
  });
}

int osi_cuda_set_sense(osi_cuda_problem* problem, int sense) {
  return change(problem, [&](osi_cuda_problem& p) { p.solver.setSense(senseOf(sense, "sense")); });
}

int osi_cuda_set_offset(osi_cuda_problem* problem, double offset) {
  return change(problem, [&](osi_cuda_problem& p) { p.solver.setObjectiveOffset(offset); });
}

int osi_cuda_set_coefficients(osi_cuda_problem* problem, int64_t count, int32_t const* rows,
                              int32_t const* columns, double const* values) {
  return change(problem, [&](osi_cuda_problem& p) {
    needSize(count, "count");
    needArray(rows, count, "rows");
    needArray(columns, count, "columns");
    needArray(values, count, "values");
    auto const length = at(count);
    LinearProgram const& lp = p.solver.problem();
    for (std::size_t k = 0; k < length; ++k) {
      needNumber(rows[k], lp.rows(), "rows", k);
      needNumber(columns[k], lp.columns(), "columns", k);
    }
    p.solver.setCoefficients({rows, length}, {columns, length}, {values, length});
  });
}

int osi_cuda_add_rows(osi_cuda_problem* problem, int32_t count, int64_t const* starts,
                      int32_t const* columns_of, double const* values, double const* lower,
                      double const* upper) {
  return addRows(problem, count, lower, upper, [&](LinearProgram const& lp) {
    return fromSparse(count, lp.columns(), starts, columns_of, values, "columns_of");
  });
}

int osi_cuda_add_rows_dense(osi_cuda_problem* problem, int32_t count, double const* matrix,
                            int64_t row_step, int64_t column_step, double const* lower,
                            double const* upper) {
  return addRows(problem, count, lower, upper, [&](LinearProgram const& lp) {
    // The transpose of the new rows: what is a row there is a column here.
    return fromDense(lp.columns(), count, matrix, column_step, row_step, Keep::nonzeros);
  });
}

int osi_cuda_add_columns(osi_cuda_problem* problem, int32_t count, int64_t const* starts,
                         int32_t const* rows_of, double const* values, double const* lower,
                         double const* upper, double const* costs) {
  return addColumns(problem, count, lower, upper, costs, [&](LinearProgram const& lp) {
    return fromSparse(count, lp.rows(), starts, rows_of, values, "rows_of");
  });
}

int osi_cuda_add_columns_dense(osi_cuda_problem* problem, int32_t count, double const* matrix,
                               int64_t row_step, int64_t column_step, double const* lower,
                               double const* upper, double const* costs) {
  return addColumns(problem, count, lower, upper, costs, [&](LinearProgram const& lp) {
    return fromDense(lp.rows(), count, matrix, row_step, column_step, Keep::nonzeros);
  });
}

int osi_cuda_delete_rows(osi_cuda_problem* problem, int32_t count, int32_t const* rows) {
  return change(problem, [&](osi_cuda_problem& p) {
    p.solver.deleteRows(distinct(selected(count, rows, p.solver.problem().rows(), "rows"), "rows"));
  });
}

int osi_cuda_delete_columns(osi_cuda_problem* problem, int32_t count, int32_t const* columns) {
  return change(problem, [&](osi_cuda_problem& p) {
    p.solver.deleteColumns(
        distinct(selected(count, columns, p.solver.problem().columns(), "columns"), "columns"));
  });
}
