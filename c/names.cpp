// SPDX-License-Identifier: EPL-2.0
// Names, integer marks and choices: what belongs to a model besides its numbers.
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
  if (which == OSI_CUDA_NAME_SET) {
    auto const& sets = lp.choices.sets;
    selected(1, &number, static_cast<int>(sets.size()), "special ordered sets");
    return sets[at(number)].name;
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
  if (std::string const fault = findFault(lp); !fault.empty()) refuse(fault);
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
    *count = relaxedIn(p.solver.problem()).semicontinuous;
  });
}

int osi_cuda_set_semicontinuous(osi_cuda_problem* problem, int32_t count) {
  return call(problem, [&](osi_cuda_problem& p) {
    int const present = relaxedIn(p.solver.problem()).semicontinuous;
    if (count == present) return;
    if (count != 0) refuse("count is ", count, ", but has to be 0 or ", present);
    relabel(p, [](LinearProgram& lp) { lp.choices.semicontinuous.clear(); });
  });
}

int osi_cuda_get_semicontinuous_columns(osi_cuda_problem* problem, int32_t* columns, double* on) {
  return call(problem, [&](osi_cuda_problem& p) {
    for (auto const& [j, threshold] : p.solver.problem().choices.semicontinuous) {
      *columns++ = j;
      *on++ = threshold;
    }
  });
}

int osi_cuda_set_semicontinuous_columns(osi_cuda_problem* problem, int32_t count,
                                        int32_t const* columns, double const* on) {
  return call(problem, [&](osi_cuda_problem& p) {
    std::vector<int> const chosen =
        count == 0 ? std::vector<int>()
                   : selected(count, columns, p.solver.problem().columns(), "columns");
    relabel(p, [&](LinearProgram& lp) {
      auto& all = lp.choices.semicontinuous;
      all.clear();
      for (int const j : chosen) {
        lp.choices.addSemicontinuous(j, lp.columnLower[at(j)], lp.columnUpper[at(j)]);
        if (on) all.back().on = on[all.size() - 1];
      }
      std::ranges::sort(all, {}, &SemicontinuousColumn::column);
    });
  });
}

int osi_cuda_get_ordered_sets(osi_cuda_problem* problem, int32_t* count, int64_t* members,
                              int32_t* types, int32_t* priorities, int64_t* starts,
                              int32_t* columns, double* weights) {
  return call(problem, [&](osi_cuda_problem& p) {
    std::size_t s = 0, k = 0;
    if (starts) starts[0] = 0;
    for (OrderedSet const& set : p.solver.problem().choices.sets) {
      if (types) types[s] = set.type;
      if (priorities) priorities[s] = set.priority;
      if (columns) std::ranges::copy(set.columns, columns + k);
      if (weights) std::ranges::copy(set.weights, weights + k);
      k += set.columns.size();
      ++s;
      if (starts) starts[s] = static_cast<std::int64_t>(k);
    }
    if (count) *count = static_cast<std::int32_t>(s);
    if (members) *members = static_cast<std::int64_t>(k);
  });
}

int osi_cuda_set_ordered_sets(osi_cuda_problem* problem, int32_t count, int32_t const* types,
                              int32_t const* priorities, int64_t const* starts,
                              int32_t const* columns, double const* weights,
                              char const* const* names) {
  return call(problem, [&](osi_cuda_problem& p) {
    needSize(count, "count");
    needArray(types, count, "types");
    if (count > 0) needPointer(starts, "starts");
    std::int64_t const members = count > 0 ? starts[count] : 0;
    for (int s = 0; s < count; ++s)
      if (starts[s] > starts[s + 1] || starts[0] != 0) refuse("starts do not ascend from 0");
    needArray(columns, static_cast<int>(members > 0), "columns");
    needArray(weights, static_cast<int>(members > 0), "weights");
    std::vector<std::string> const texts = textsOf(names, count, "names");
    relabel(p, [&](LinearProgram& lp) {
      lp.choices.sets.clear();
      for (int s = 0; s < count; ++s)
        lp.choices.sets.push_back({names ? texts[at(s)] : "",
                                   types[s],
                                   priorities ? priorities[s] : 0,
                                   {columns + starts[s], columns + starts[s + 1]},
                                   {weights + starts[s], weights + starts[s + 1]}});
      lp.choices.sortSets();
    });
  });
}
