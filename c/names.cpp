// SPDX-License-Identifier: EPL-2.0
// Names and integer marks: what belongs to a model besides its numbers.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "c/arguments.hpp"
#include "c/problem.hpp"
#include "readers/smps.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

std::string const& nameOf(osi_cuda_problem const& p, int which, std::int32_t number) {
  static std::string const none;
  LinearProgram const& lp = p.solver.problem();
  if (which == OSI_CUDA_NAME_PERIOD) {
    int const count = p.scenarios ? static_cast<int>(p.scenarios->periods.size()) : 0;
    selected(1, &number, count, "periods");
    return p.scenarios->periods[at(number)];
  }
  bool const single = which == OSI_CUDA_NAME_PROBLEM || which == OSI_CUDA_NAME_OBJECTIVE;
  bool const known = single || which == OSI_CUDA_NAME_ROW || which == OSI_CUDA_NAME_COLUMN;
  if (!known) refuse("there is no kind of names ", which);
  int const size = single ? 1 : which == OSI_CUDA_NAME_ROW ? lp.rows() : lp.columns();
  selected(1, &number, size, which == OSI_CUDA_NAME_ROW ? "rows" : "columns");
  if (which == OSI_CUDA_NAME_PROBLEM) return lp.name;
  if (which == OSI_CUDA_NAME_OBJECTIVE) return lp.objectiveName;
  auto const& names = which == OSI_CUDA_NAME_ROW ? lp.rowNames : lp.columnNames;
  return names.empty() ? none : names[at(number)];
}

std::vector<std::string> textsOf(char const* const* texts, int length, char const* argument) {
  std::vector<std::string> result;
  for (int k = 0; texts && k < length; ++k) {
    needPointer(texts[k], (concat(argument, "[", k, "]")).c_str());
    result.emplace_back(texts[k]);
  }
  return result;
}

/// The same problem with other names or marks: numbers, options and basis stay.
void relabel(osi_cuda_problem& p, auto const& change) {
  LinearProgram lp = p.solver.problem();
  change(lp);
  Basis basis = p.solver.basis();
  p.solver.load(std::move(lp));
  p.solver.setBasis(std::move(basis));
  p.solution.reset();
}

}  // namespace

char const* osi_cuda_name(osi_cuda_problem* problem, int which, int32_t number) {
  return ask<char const*>(problem, nullptr, [&](osi_cuda_problem& p) {
    return p.handedOut.keep(nameOf(p, which, number));
  });
}

int osi_cuda_set_names(osi_cuda_problem* problem, char const* name, char const* objective,
                       char const* const* rows, char const* const* columns) {
  return call(problem, [&](osi_cuda_problem& p) {
    relabel(p, [&](LinearProgram& lp) {
      lp.name = name ? name : "";
      lp.objectiveName = objective ? objective : "";
      lp.rowNames = textsOf(rows, lp.rows(), "rows");
      lp.columnNames = textsOf(columns, lp.columns(), "columns");
    });
  });
}

int osi_cuda_get_integers(osi_cuda_problem* problem, uint8_t* marks) {
  return call(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    needArray(marks, lp.columns(), "marks");
    std::fill_n(marks, lp.columns(), std::uint8_t{0});
    std::ranges::copy(lp.integer, marks);
  });
}

int osi_cuda_set_integers(osi_cuda_problem* problem, uint8_t const* marks) {
  return call(problem, [&](osi_cuda_problem& p) {
    for (int j = 0; marks && j < p.solver.problem().columns(); ++j)
      if (marks[j] > 1) refuse("marks[", j, "] is ", marks[j], ", but has to be 0 or 1");
    relabel(p, [marks](LinearProgram& lp) {
      lp.integer.clear();
      if (marks && std::any_of(marks, marks + lp.columns(), [](auto mark) { return mark != 0; }))
        lp.integer.assign(marks, marks + lp.columns());
    });
  });
}

int osi_cuda_get_semicontinuous(osi_cuda_problem* problem, int32_t* count) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(count, "count");
    *count = p.solver.problem().semicontinuous;
  });
}

int osi_cuda_set_semicontinuous(osi_cuda_problem* problem, int32_t count) {
  return call(problem, [&](osi_cuda_problem& p) {
    needSize(count, "count");
    relabel(p, [count](LinearProgram& lp) { lp.semicontinuous = count; });
  });
}
