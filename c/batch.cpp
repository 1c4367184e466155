// SPDX-License-Identifier: EPL-2.0
// Many small problems at once.
#include "c/batch.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "c/arguments.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/solve/engines.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

static_assert(static_cast<int>(BatchStatus::invalid) == OSI_CUDA_STATUS_INVALID);

/// Lengths of all packed arrays.
struct Lengths {
  std::int64_t rows = 0, columns = 0, entries = 0;
};

Lengths lengthsOf(std::int64_t count, std::int32_t const* rows, std::int32_t const* columns) {
  // Far more than any memory holds, far less than overflows.
  constexpr std::int64_t most = std::int64_t{1} << 60;
  Lengths all;
  for (std::int64_t k = 0; k < count; ++k) {
    for (auto const& [sizes, name] : {std::pair(rows, "rows"), std::pair(columns, "columns")})
      if (sizes[k] < 0) refuse(name, "[", k, "] is ", sizes[k], ", but has to be at least 0");
    all.rows += rows[k];
    all.columns += columns[k];
    std::int64_t const entries = std::int64_t{rows[k]} * columns[k];
    if (entries > most - all.entries) refuse("the matrices have more entries than can be counted");
    all.entries += entries;
  }
  return all;
}

/// Calls solve(callbacks), which fills b.results.
void run(osi_cuda_batch& b, auto const& solve) {
  beginWork(b);
  b.solved = false;
  BatchCallbacks callbacks;
  callbacks.interrupted = [&b] { return interruptedBy(b); };
  if (b.progress)
    callbacks.progress = [&b](std::size_t done, std::size_t all) {
      b.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(all));
    };
  solve(callbacks);
  b.solved = true;
}

std::span<double const> spanOf(double const* numbers, std::int64_t length) {
  return numbers ? std::span(numbers, at(length)) : std::span<double const>();
}

/// Single changes, as C has them.
struct SingleChanges {
  std::int64_t const* starts;
  std::int32_t const *kinds, *indices, *rows;
  double const* values;
};

/// The device that some of the arrays lie on, or -1; theirs and that of the answers is the
/// options', as are the arrays for answers.
int placeOf(osi_cuda_batch_places const& places, std::initializer_list<double const*> arrays,
            BatchOptions& options) {
  int device = -1;
  auto const statuses = [](std::uint8_t* bytes) {
    return reinterpret_cast<VariableStatus*>(bytes);
  };
  options.there = {places.objectives, places.values, places.duals, statuses(places.column_basis),
                   statuses(places.row_basis)};
  auto const isThere = [&](double const* array) {
    int const found = array ? deviceOf(array, places.stream) : -1;
    if (found < 0) return false;
    if (device >= 0 && found != device) refuse("the arrays lie on several devices");
    if (!options.devices.empty()) refuse("arrays on a device take no option devices");
    options.device = device = found;
    return true;
  };
  if (places.numbers != 0) std::ranges::for_each(arrays, isThere);
  int const numbers = device;
  if (options.there.objective && !isThere(options.there.objective))
    refuse("objectives lie on the host");
  return numbers;
}

PackedVariants packed(std::int64_t count, SingleChanges const& single, double infiniteFrom) {
  using What = VariantChange::What;
  static_assert(static_cast<int>(What::coefficient) == OSI_CUDA_CHANGE_COEFFICIENT);
  PackedVariants variants;
  if (!single.starts) {
    variants.starts.resize(at(count) + 1);
    return variants;
  }
  if (single.starts[0] != 0) refuse("starts[0] is not 0");
  std::int64_t const all = single.starts[count];
  needArray(single.kinds, all, "kinds");
  needArray(single.indices, all, "indices");
  needArray(single.values, all, "values");
  std::vector<VariantChange> own;
  for (std::int64_t k = 0; k < count; ++k) {
    if (single.starts[k] > single.starts[k + 1] || single.starts[k + 1] > all)
      refuse("starts do not ascend at variant ", k);
    own.clear();
    for (std::int64_t c = single.starts[k]; c < single.starts[k + 1]; ++c) {
      int const kind = single.kinds[c];
      if (kind < OSI_CUDA_CHANGE_COST || kind > OSI_CUDA_CHANGE_COEFFICIENT)
        refuse("kinds[", c, "] is ", kind, ", but a kind is from 0 to 5");
      if (kind == OSI_CUDA_CHANGE_COEFFICIENT) needPointer(single.rows, "rows");
      bool const isBound = kind != OSI_CUDA_CHANGE_COST && kind != OSI_CUDA_CHANGE_COEFFICIENT;
      double const value = withInfinity(single.values[c], isBound ? infiniteFrom : infinity);
      own.push_back(
          {static_cast<What>(kind), single.indices[c], value, single.rows ? single.rows[c] : 0});
    }
    variants.add(own);
  }
  return variants;
}

/// The solver of the problem's variants, which lives as long as its solution.
VariantSolver& variantSolverOf(osi_cuda_problem& p, bool costless) {
  solutionOf(p);
  auto& solver = costless ? p.solution->costless : p.solution->variants;
  if (solver) return *solver;
  LinearProgram lp = p.solver.problem();
  if (costless) {
    std::ranges::fill(lp.objective, 0.0);
    lp.objectiveOffset = 0.0;
    lp.sense = Sense::minimize;
  }
  solver = std::make_shared<VariantSolver>(std::move(lp), presentBasis(p));
  return *solver;
}

}  // namespace

osi_cuda_batch* osi_cuda_batch_create(void) {
  try {
    return new osi_cuda_batch;
  } catch (...) {
    return nullptr;
  }
}

void osi_cuda_batch_free(osi_cuda_batch* batch) {
  delete batch;
}

char const* osi_cuda_batch_message(osi_cuda_batch const* batch) {
  return batch ? messageOf(*batch) : "the batch is NULL";
}

int osi_cuda_batch_set_option(osi_cuda_batch* batch, char const* name, char const* value) {
  return call(batch, [&](osi_cuda_batch& b) {
    needPointer(name, "name");
    needPointer(value, "value");
    needSound(setOption(b.options, name, value));
  });
}

int osi_cuda_batch_set_progress(osi_cuda_batch* batch, osi_cuda_batch_progress_function* function,
                                void* data) {
  return call(batch, [&](osi_cuda_batch& b) { b.progress = {function, data}; });
}

int osi_cuda_batch_set_interrupt(osi_cuda_batch* batch, osi_cuda_interrupt_function* function,
                                 void* data) {
  return call(batch, [&](osi_cuda_batch& b) { b.interrupt = {function, data}; });
}

int osi_cuda_batch_set_places(osi_cuda_batch* batch, int numbers, void* stream, double* objectives,
                              double* values, double* duals, uint8_t* column_basis,
                              uint8_t* row_basis) {
  return call(batch, [&](osi_cuda_batch& b) {
    b.places = {numbers, stream, objectives, values, duals, column_basis, row_basis};
  });
}

int osi_cuda_batch_set_starts(osi_cuda_batch* batch, int64_t count, int64_t const* starts,
                              double cutoff) {
  return call(batch, [&](osi_cuda_batch& b) {
    needSize(count, "count");
    b.starts.assign(starts, starts ? starts + count : starts);
    b.options.cutoff = cutoff;
  });
}

int osi_cuda_device_memory(int32_t rows, int32_t columns, int64_t count, int64_t changes,
                           uint64_t bytes[OSI_CUDA_DEVICE_NEEDS]) {
  constexpr std::int64_t mostCells = std::int64_t{1} << 50;  // beyond, bytes can't be counted
  if (rows < 1 || columns < 1 || count < 0 || changes < 0 || !bytes ||
      std::int64_t{rows} + columns > INT32_MAX || columns > mostCells / rows)
    return OSI_CUDA_BAD_ARGUMENT;
  DeviceNeeds const one = deviceNeeds(rows, columns);
  auto const [batch, variants] = batch::manyNeeds(rows, columns, static_cast<std::uint64_t>(count),
                                                  static_cast<std::uint64_t>(changes));
  std::ranges::copy(std::array{one.array, one.barrier, one.simplex, one.hostArray, batch, variants},
                    bytes);
  return OSI_CUDA_OK;
}

void osi_cuda_batch_interrupt(osi_cuda_batch* batch) {
  if (batch) batch->stop.store(true, std::memory_order_relaxed);
}

int osi_cuda_batch_solve(osi_cuda_batch* batch, int64_t count, int32_t const* rows,
                         int32_t const* columns, double const* matrix, double const* column_lower,
                         double const* column_upper, double const* row_lower,
                         double const* row_upper, double const* costs, double const* offsets,
                         int const* senses) {
  return osi_cuda_batch_solve_at(batch, nullptr, count, rows, columns, matrix, column_lower,
                                 column_upper, row_lower, row_upper, costs, offsets, senses);
}

int osi_cuda_batch_solve_at(osi_cuda_batch* batch, osi_cuda_batch_places const* places,
                            int64_t count, int32_t const* rows, int32_t const* columns,
                            double const* matrix, double const* column_lower,
                            double const* column_upper, double const* row_lower,
                            double const* row_upper, double const* costs, double const* offsets,
                            int const* senses) {
  return call(batch, [&](osi_cuda_batch& b) {
    needSize(count, "count");
    needArray(rows, count, "rows");
    needArray(columns, count, "columns");
    Lengths const lengths = lengthsOf(count, rows, columns);
    needArray(matrix, lengths.entries, "matrix");
    std::vector<double> absentCosts;
    if (!costs) absentCosts.assign(at(lengths.columns), 0.0);
    std::vector<Sense> sense;
    for (std::int64_t k = 0; senses && k < count; ++k)
      sense.push_back(senseOf(senses[k], concat("senses[", k, "]")));
    auto const size = at(count);
    BatchProblems problems;
    problems.rows = {rows, size};
    problems.columns = {columns, size};
    problems.matrix = spanOf(matrix, lengths.entries);
    problems.objective = costs ? spanOf(costs, lengths.columns) : std::span(absentCosts);
    problems.columnLower = spanOf(column_lower, lengths.columns);
    problems.columnUpper = spanOf(column_upper, lengths.columns);
    problems.rowLower = spanOf(row_lower, lengths.rows);
    problems.rowUpper = spanOf(row_upper, lengths.rows);
    problems.offset = spanOf(offsets, count);
    problems.sense = sense;
    problems.infiniteFrom = b.options.infiniteFrom;
    BatchOptions options = b.options;
    problems.device =
        placeOf(places ? *places : b.places,
                {matrix, costs, column_lower, column_upper, row_lower, row_upper}, options);
    run(b, [&](BatchCallbacks const& callbacks) {
      b.solver.solve(problems, options, b.results, callbacks);
    });
  });
}

int osi_cuda_solve_variants(osi_cuda_problem* problem, osi_cuda_batch* answers, int64_t count,
                            int flags, double const* costs, double const* column_lower,
                            double const* column_upper, double const* row_lower,
                            double const* row_upper, int64_t const* starts, int32_t const* kinds,
                            int32_t const* indices, int32_t const* rows, double const* values) {
  return osi_cuda_solve_variants_at(problem, answers, nullptr, count, flags, costs, column_lower,
                                    column_upper, row_lower, row_upper, starts, kinds, indices,
                                    rows, values);
}

int osi_cuda_solve_variants_at(osi_cuda_problem* problem, osi_cuda_batch* answers,
                               osi_cuda_batch_places const* places, int64_t count, int flags,
                               double const* costs, double const* column_lower,
                               double const* column_upper, double const* row_lower,
                               double const* row_upper, int64_t const* starts, int32_t const* kinds,
                               int32_t const* indices, int32_t const* rows, double const* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(answers, "answers");
    int const code = call(answers, [&](osi_cuda_batch& b) {
      needSize(count, "count");
      constexpr int known = OSI_CUDA_VARIANTS_POINTS | OSI_CUDA_VARIANTS_ENCLOSURES |
                            OSI_CUDA_VARIANTS_NO_COSTS | OSI_CUDA_VARIANTS_ALONE |
                            OSI_CUDA_VARIANTS_STARTS;
      if ((flags & ~known) != 0) refuse("there are no flags ", flags);
      VariantSolver& solver = variantSolverOf(p, (flags & OSI_CUDA_VARIANTS_NO_COSTS) != 0);
      LinearProgram const& lp = solver.problem();
      // That of the problem, whose bounds change, unless the batch has another one.
      double const own = b.options.infiniteFrom,
                   infiniteFrom = own == Options{}.infiniteFrom ? p.options.infiniteFrom : own;
      std::vector<VariantArray> arrays;
      for (auto const& [what, from, width] :
           {std::tuple{VariantChange::What::cost, costs, lp.columns()},
            {VariantChange::What::columnLower, column_lower, lp.columns()},
            {VariantChange::What::columnUpper, column_upper, lp.columns()},
            {VariantChange::What::rowLower, row_lower, lp.rows()},
            {VariantChange::What::rowUpper, row_upper, lp.rows()}})
        if (from && count > 0)
          arrays.push_back({what, spanOf(from, productOf(count, width, "an array"))});
      PackedVariants const single =
          packed(count, {starts, kinds, indices, rows, values}, infiniteFrom);
      BatchVariants variants = single.view();
      variants.arrays = arrays;
      variants.infiniteFrom = infiniteFrom;
      variants.start = b.starts;
      VariantOptions options = b.options;
      variants.device = placeOf(places ? *places : b.places,
                                {costs, column_lower, column_upper, row_lower, row_upper}, options);
      constexpr std::size_t poolBytes = std::size_t{256} << 20;
      options.points = (flags & OSI_CUDA_VARIANTS_POINTS) != 0;
      options.enclosures = (flags & OSI_CUDA_VARIANTS_ENCLOSURES) != 0;
      options.keepStarts = (flags & OSI_CUDA_VARIANTS_STARTS) != 0;
      options.poolBytes = (flags & OSI_CUDA_VARIANTS_ALONE) != 0 ? 0 : poolBytes;
      p.stop = false;
      run(b, [&](BatchCallbacks callbacks) {
        auto const interrupted = callbacks.interrupted;
        callbacks.interrupted = [&] { return interrupted() || interruptedBy(p); };
        solver.solve(variants, options, b.results, callbacks);
      });
    });
    if (code != OSI_CUDA_OK)
      throw Failure(code,
                    code == OSI_CUDA_BUSY ? "the batch is in use" : answers->handedOut.message());
  });
}
