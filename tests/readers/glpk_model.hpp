// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <glpk.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

enum class GlpkFormat { fixedMps, freeMps, cplexLp };

/// The file as GLPK reads it; nothing if it reports errors.
inline std::optional<LinearProgram> readWithGlpk(std::string const& path, GlpkFormat format) {
  glp_term_out(GLP_OFF);
  std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> const problem(glp_create_prob(),
                                                                      glp_delete_prob);
  glp_prob* const p = problem.get();
  int const kind = format == GlpkFormat::fixedMps ? GLP_MPS_DECK : GLP_MPS_FILE;
  int const failed = format == GlpkFormat::cplexLp ? glp_read_lp(p, nullptr, path.c_str())
                                                   : glp_read_mps(p, kind, nullptr, path.c_str());
  if (failed) return std::nullopt;

  LinearProgram lp;
  int const m = glp_get_num_rows(p);
  int const n = glp_get_num_cols(p);
  auto const addBounds = [](int type, double lower, double upper, auto& lowers, auto& uppers) {
    bool const hasLower = type == GLP_LO || type == GLP_DB || type == GLP_FX;
    bool const hasUpper = type == GLP_UP || type == GLP_DB || type == GLP_FX;
    lowers.push_back(hasLower ? lower : -infinity);
    uppers.push_back(hasUpper ? upper : infinity);
  };
  lp.sense = glp_get_obj_dir(p) == GLP_MAX ? Sense::maximize : Sense::minimize;
  lp.objectiveOffset = glp_get_obj_coef(p, 0);
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  std::vector<int> rows(m + 1);
  std::vector<double> values(m + 1);
  for (int j = 1; j <= n; ++j) {
    int const count = glp_get_mat_col(p, j, rows.data(), values.data());
    std::vector<std::pair<int, double>> entries;
    for (int k = 1; k <= count; ++k) {
      if (values[k] != 0.0) entries.emplace_back(rows[k] - 1, values[k]);
    }
    std::ranges::sort(entries);
    for (auto const& [row, value] : entries) {
      lp.matrix.indices.push_back(row);
      lp.matrix.values.push_back(value);
    }
    lp.matrix.starts.push_back(std::ssize(lp.matrix.indices));
    lp.objective.push_back(glp_get_obj_coef(p, j));
    addBounds(glp_get_col_type(p, j), glp_get_col_lb(p, j), glp_get_col_ub(p, j), lp.columnLower,
              lp.columnUpper);
    lp.columnNames.emplace_back(glp_get_col_name(p, j));
    lp.integer.push_back(glp_get_col_kind(p, j) == GLP_CV ? 0 : 1);
  }
  for (int i = 1; i <= m; ++i) {
    addBounds(glp_get_row_type(p, i), glp_get_row_lb(p, i), glp_get_row_ub(p, i), lp.rowLower,
              lp.rowUpper);
    lp.rowNames.emplace_back(glp_get_row_name(p, i));
  }
  return lp;
}

}  // namespace osi_cuda::testing
