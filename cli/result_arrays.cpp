// SPDX-License-Identifier: EPL-2.0
#include "cli/result_arrays.hpp"

#include <algorithm>
#include <limits>

namespace osi_cuda::cli {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double numberAt(nlohmann::ordered_json const& line, char const* key) {
  auto const place = line.find(key);
  return place != line.end() && place->is_number() ? place->get<double>() : nothing;
}
std::string textAt(nlohmann::ordered_json const& line, char const* key) {
  auto const place = line.find(key);
  return place != line.end() && place->is_string() ? place->get<std::string>() : std::string();
}

}  // namespace

ResultArrays::ResultArrays(std::string const& path, std::size_t count, std::size_t columns,
                           std::size_t rows)
    : file_(path),
      columns_(columns),
      rows_(rows),
      names_(count),
      status_(count),
      proof_(count),
      objective_(count, nothing),
      residual_(count, nothing),
      x_(count * columns, nothing),
      y_(count * rows, nothing),
      iterations_(count, 0) {}

void ResultArrays::put(std::size_t k, std::string const& name, nlohmann::ordered_json const& line,
                       std::vector<double> const& x, std::vector<double> const& y) {
  std::lock_guard const lock(mutex_);
  names_[k] = name;
  status_[k] = textAt(line, "status");
  proof_[k] = textAt(line, "proof");
  objective_[k] = numberAt(line, "objective");
  residual_[k] = numberAt(line, "residual");
  if (auto const place = line.find("iterations"); place != line.end())
    iterations_[k] = place->get<std::int64_t>();
  if (x.size() == columns_) std::ranges::copy(x, x_.begin() + std::ptrdiff_t(k * columns_));
  if (y.size() == rows_) std::ranges::copy(y, y_.begin() + std::ptrdiff_t(k * rows_));
}

void ResultArrays::write() {
  std::size_t const count = status_.size();
  file_.add("status", status_);
  file_.add("objective", {count}, objective_);
  file_.add("iterations", {count}, iterations_);
  file_.add("proof", proof_);
  file_.add("residual", {count}, residual_);
  file_.add("names", names_);
  if (columns_ > 0) file_.add("x", {count, columns_}, x_);
  if (rows_ > 0) file_.add("y", {count, rows_}, y_);
  file_.close();
}

}  // namespace osi_cuda::cli
