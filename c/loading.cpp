// SPDX-License-Identifier: EPL-2.0
// Problems from arrays and files, and what they are.
#include <algorithm>
#include <memory>
#include <optional>

#include "c/arguments.hpp"
#include "c/problem.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/model/large_memory.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "readers/basis_file.hpp"
#include "readers/number.hpp"
#include "readers/proof_file.hpp"
#include "readers/read.hpp"
#include "readers/smps.hpp"
#include "readers/solution_file.hpp"
#include "readers/write.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

void load(osi_cuda_problem& p, LinearProgram lp) {
  if (lp.matrix.nonzeros() >= worthThreads) needThreads();
  p.solver.load(std::move(lp));
  p.solution.reset();
  p.fromDevice.reset();
  if (p.decimals) p.fractions = rational::Meanings();  // of the file that was read
  p.decimals = false;
  p.scenarios.reset();
}

readers::ReadOptions readOptionsOf(osi_cuda_problem& p) {
  p.stop = false;
  return {.infiniteFrom = p.options.infiniteFrom,
          .denseArrays = true,
          .interrupted = [&p, watch = Stopwatch()] {
            return interruptedBy(p) || watch.seconds() > p.options.timeLimit;
          }};
}

/// What is read for exact proofs keeps the file's own numbers.
struct Reading {
  explicit Reading(osi_cuda_problem const& p) {
    Options const& options = p.options;
    if (options.exact == Toggle::on && options.exactNumbers != ExactNumbers::doubles)
      keeps.emplace(fractions);
  }
  rational::Meanings fractions{true};
  std::optional<readers::KeepsFractions> keeps;
};

/// The arrays beside a matrix, for osi_cuda_load_dense and its kin.
struct Vectors {
  double const *columnLower, *columnUpper, *rowLower, *rowUpper, *costs;
};

void load(osi_cuda_problem& p, SparseMatrix matrix, Vectors const& vectors) {
  LinearProgram lp;
  lp.matrix = std::move(matrix);
  LargeBounds large(p.options.infiniteFrom);
  int const m = lp.rows(), n = lp.columns();
  lp.columnLower = boundsOr(vectors.columnLower, n, 0.0, BoundSide::lower, "column_lower", large);
  lp.columnUpper =
      boundsOr(vectors.columnUpper, n, infinity, BoundSide::upper, "column_upper", large);
  lp.rowLower = boundsOr(vectors.rowLower, m, -infinity, BoundSide::lower, "row_lower", large);
  lp.rowUpper = boundsOr(vectors.rowUpper, m, infinity, BoundSide::upper, "row_upper", large);
  lp.objective = numbersOr(vectors.costs, n, 0.0);
  load(p, std::move(lp));
  tell(p, large.notice());
}

double entryOf(SparseMatrix const& matrix, int i, int j) {
  if (matrix.isDense()) return matrix.columnValues(j)[at(i)];
  for (auto const [row, value] : matrix.column(j))  // in any order
    if (row == i) return value;
  return 0.0;
}

int loadDense(osi_cuda_problem* problem, int rows, int columns, double const* matrix,
              std::int64_t rowStep, std::int64_t columnStep, Keep keep, Vectors const& vectors) {
  return call(problem, [&](osi_cuda_problem& p) {
    needSizes(rows, columns);
    load(p, fromDense(rows, columns, matrix, rowStep, columnStep, keep), vectors);
  });
}

}  // namespace

int osi_cuda_load_dense(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                        double const* matrix, int64_t row_step, int64_t column_step,
                        double const* column_lower, double const* column_upper,
                        double const* row_lower, double const* row_upper, double const* costs) {
  return loadDense(problem, rows, columns, matrix, row_step, column_step, Keep::all,
                   {column_lower, column_upper, row_lower, row_upper, costs});
}

int osi_cuda_borrow_dense(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                          double const* matrix, int64_t row_step, int64_t column_step,
                          double const* column_lower, double const* column_upper,
                          double const* row_lower, double const* row_upper, double const* costs) {
  return loadDense(problem, rows, columns, matrix, row_step, column_step, Keep::place,
                   {column_lower, column_upper, row_lower, row_upper, costs});
}

int osi_cuda_borrow_device_dense(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                                 double const* matrix, int64_t row_step, int64_t column_step,
                                 void* stream, double const* column_lower,
                                 double const* column_upper, double const* row_lower,
                                 double const* row_upper, double const* costs) {
  return call(problem, [&](osi_cuda_problem& p) {
    needSizes(rows, columns);
    Vectors const vectors{column_lower, column_upper, row_lower, row_upper, costs};
    std::int64_t const count = std::int64_t{rows} * columns;
    needArray(matrix, count, "matrix");
    if (count == 0)
      return load(p, fromDense(rows, columns, nullptr, 1, 1, Keep::nonzeros), vectors);
    if (!liesByRows(rows, columns, row_step, column_step) &&
        !liesByColumns(rows, columns, row_step, column_step))
      refuse("matrix lies with gaps in the device's memory, neither by rows nor by columns");
    DeviceNumbers source{matrix, at(count)};
    source.stream = stream;
    if (count >= worthThreads) needThreads();
    std::shared_ptr<double[]> const copy(new double[source.count]);
    preferLargePages(copy.get(), source.count * sizeof(double));
    source = fetchFromDevice(source, copy.get());
    SparseMatrix found = fromDense(rows, columns, copy.get(), row_step, column_step, Keep::place);
    bool const borrowed = found.dense.numbers == copy.get();  // few of them are zero
    if (borrowed) found.dense.there = source;
    load(p, std::move(found), vectors);
    if (borrowed) p.fromDevice = copy;
  });
}

int osi_cuda_borrows(osi_cuda_problem* problem) {
  return ask<int>(problem, -1, [](osi_cuda_problem& p) {
    SparseMatrix const& matrix = p.solver.problem().matrix;
    return matrix.isDense() && !matrix.dense.owner ? 1 : 0;
  });
}

int osi_cuda_load_columns(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                          int64_t const* starts, int32_t const* rows_of, double const* values,
                          double const* column_lower, double const* column_upper,
                          double const* row_lower, double const* row_upper, double const* costs) {
  return call(problem, [&](osi_cuda_problem& p) {
    needSizes(rows, columns);
    load(p, fromSparse(columns, rows, starts, rows_of, values, "rows_of"),
         {column_lower, column_upper, row_lower, row_upper, costs});
  });
}

int osi_cuda_load_rows(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                       int64_t const* starts, int32_t const* columns_of, double const* values,
                       double const* column_lower, double const* column_upper,
                       double const* row_lower, double const* row_upper, double const* costs) {
  return call(problem, [&](osi_cuda_problem& p) {
    needSizes(rows, columns);
    SparseMatrix const byRows = fromSparse(rows, columns, starts, columns_of, values, "columns_of");
    load(p, byRows.transposed(), {column_lower, column_upper, row_lower, row_upper, costs});
  });
}

int osi_cuda_read(osi_cuda_problem* problem, char const* path) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(path, "path");
    Reading reading(p);
    readers::ReadResult result = readers::read(path, readOptionsOf(p));
    load(p, std::move(result.lp));
    p.decimals = result.decimals;
    p.fractions = std::move(reading.fractions);
    for (std::string const& notice : result.notices) tell(p, notice);
  });
}

int osi_cuda_read_stochastic(osi_cuda_problem* problem, char const* core, char const* time,
                             char const* stoch) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(core, "core");
    readers::ReadOptions options = readOptionsOf(p);
    options.format = readers::Format::mps;
    options.time = time ? time : "";
    options.stoch = stoch ? stoch : "";
    Reading reading(p);
    readers::ReadResult result = readers::read(core, options);
    auto tree = std::make_shared<readers::ScenarioTree>(readers::readTree(result, core, options));
    load(p, std::move(result.lp));
    p.decimals = true;
    p.fractions = std::move(reading.fractions);
    p.scenarios = std::move(tree);
    for (std::string const& notice : result.notices) tell(p, notice);
  });
}

int osi_cuda_write(osi_cuda_problem* problem, char const* path) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(path, "path");
    auto const format = readers::formatForName(path);
    if (!format) refuse("the ending of '", path, "' says no format: .mps, .lp and .lps do");
    readers::KeepsFractions const keeps(p.fractions);
    auto const result = readers::write(path, p.solver.problem(), *format);
    for (std::string const& notice : result.notices) tell(p, notice);
  });
}

int osi_cuda_read_basis(osi_cuda_problem* problem, char const* path) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(path, "path");
    p.solver.setBasis(readers::readBasis(path, p.solver.problem()));
  });
}

int osi_cuda_write_basis(osi_cuda_problem* problem, char const* path) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(path, "path");
    readers::writeBasis(path, p.solver.problem(), presentBasis(p));
  });
}

int osi_cuda_write_solution(osi_cuda_problem* problem, char const* path) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(path, "path");
    readers::writeSolution(path, p.solver.problem(), solutionOf(p));
  });
}

int osi_cuda_write_proof(osi_cuda_problem* problem, char const* path) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(path, "path");
    auto const format = readers::proofFormatForName(path);
    if (!format) refuse("path ends neither in .json nor in .vipr");
    if (solutionOf(p).status != Status::infeasible && p.solution->integers)
      throw Failure(OSI_CUDA_NOTHING, "there is no exact proof of a search for integers");
    p.stop = false;
    ExactCertificate const proof = certificateOf(p, solutionOf(p));
    if (!proof.proved) throw Failure(OSI_CUDA_NOTHING, "there is no exact proof: " + proof.message);
    readers::writeProof(path, p.solver.problem(), proof, *format);
  });
}

int32_t osi_cuda_rows(osi_cuda_problem* problem) {
  return ask<int32_t>(problem, -1, [](osi_cuda_problem& p) { return p.solver.problem().rows(); });
}

int32_t osi_cuda_columns(osi_cuda_problem* problem) {
  return ask<int32_t>(problem, -1,
                      [](osi_cuda_problem& p) { return p.solver.problem().columns(); });
}

int64_t osi_cuda_nonzeros(osi_cuda_problem* problem) {
  return ask<int64_t>(problem, -1,
                      [](osi_cuda_problem& p) { return countNonzeros(p.solver.problem().matrix); });
}

int osi_cuda_get_objective(osi_cuda_problem* problem, int* sense, double* offset) {
  return call(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    if (sense) *sense = lp.sense == Sense::minimize ? OSI_CUDA_MINIMIZE : OSI_CUDA_MAXIMIZE;
    if (offset) *offset = lp.objectiveOffset;
  });
}

int osi_cuda_get_costs(osi_cuda_problem* problem, double* costs) {
  return call(problem, [&](osi_cuda_problem& p) { copyInto(p.solver.problem().objective, costs); });
}

int osi_cuda_get_column_bounds(osi_cuda_problem* problem, double* lower, double* upper) {
  return call(problem, [&](osi_cuda_problem& p) {
    copyInto(p.solver.problem().columnLower, lower);
    copyInto(p.solver.problem().columnUpper, upper);
  });
}

int osi_cuda_get_row_bounds(osi_cuda_problem* problem, double* lower, double* upper) {
  return call(problem, [&](osi_cuda_problem& p) {
    copyInto(p.solver.problem().rowLower, lower);
    copyInto(p.solver.problem().rowUpper, upper);
  });
}

int osi_cuda_get_matrix(osi_cuda_problem* problem, int64_t* starts, int32_t* rows_of,
                        double* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    SparseMatrix const& matrix = p.solver.problem().matrix;
    if (!matrix.isDense()) {
      if (starts) std::ranges::copy(matrix.starts, starts);
      if (rows_of) std::ranges::copy(matrix.indices, rows_of);
      return copyInto(matrix.values, values);
    }
    ColumnReader read(matrix);
    std::int64_t next = 0;
    for (int j = 0; j < matrix.columns; ++j) {
      if (starts) starts[j] = next;
      auto const column = read(j);
      for (int i = 0; i < matrix.rows; ++i) {
        double const value = column[at(i)];
        if (value == 0.0) continue;
        if (rows_of) rows_of[next] = i;
        if (values) values[next] = value;
        ++next;
      }
    }
    if (starts) starts[matrix.columns] = next;
  });
}

int osi_cuda_get_row(osi_cuda_problem* problem, int32_t row, double* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    SparseMatrix const& matrix = p.solver.problem().matrix;
    selected(1, &row, matrix.rows, "rows");
    needArray(values, matrix.columns, "values");
    for (int j = 0; j < matrix.columns; ++j) values[j] = entryOf(matrix, row, j);
  });
}

int osi_cuda_get_column(osi_cuda_problem* problem, int32_t column, double* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    SparseMatrix const& matrix = p.solver.problem().matrix;
    selected(1, &column, matrix.columns, "columns");
    needArray(values, matrix.rows, "values");
    std::fill_n(values, matrix.rows, 0.0);
    for (auto const [row, entry] : matrix.column(column)) values[row] = entry;
  });
}

char const* osi_cuda_row_name(osi_cuda_problem* problem, int32_t row) {
  return ask<char const*>(problem, nullptr, [&](osi_cuda_problem& p) {
    selected(1, &row, p.solver.problem().rows(), "rows");
    return p.handedOut.keep(p.solver.problem().rowName(row));
  });
}

char const* osi_cuda_column_name(osi_cuda_problem* problem, int32_t column) {
  return ask<char const*>(problem, nullptr, [&](osi_cuda_problem& p) {
    selected(1, &column, p.solver.problem().columns(), "columns");
    return p.handedOut.keep(p.solver.problem().columnName(column));
  });
}
