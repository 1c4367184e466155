// SPDX-License-Identifier: EPL-2.0
#include "cli/result_arrays.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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
    : path_(path),
      columns_(columns),
      rows_(rows),
      names_(count),
      status_(count),
      proof_(count),
      objective_(count, nothing),
      residual_(count, nothing),
      x_(count * columns, nothing),
      y_(count * rows, nothing),
      iterations_(count, 0),
      integers_(count, 0),
      semicontinuous_(count, 0) {}

void ResultArrays::put(std::size_t k, std::string const& name, nlohmann::ordered_json const& line,
                       std::vector<double> const& x, std::vector<double> const& y) {
  std::lock_guard const lock(mutex_);
  names_[k] = name;
  status_[k] = textAt(line, "status");
  proof_[k] = textAt(line, "proof");
  objective_[k] = numberAt(line, "objective");
  residual_[k] = numberAt(line, "residual");
  for (auto const& [key, counts] : {std::pair("iterations", &iterations_),
                                    {"relaxed_integers", &integers_},
                                    {"relaxed_semicontinuous", &semicontinuous_}})
    (*counts)[k] = line.value(key, std::int64_t{0});
  if (x.size() == columns_) std::ranges::copy(x, x_.begin() + std::ptrdiff_t(k * columns_));
  if (y.size() == rows_) std::ranges::copy(y, y_.begin() + std::ptrdiff_t(k * rows_));
}

void ResultArrays::write() {
  std::size_t const count = status_.size();
  readers::NpzFile file(path_);
  file.add("status", status_);
  file.add("objective", {count}, objective_);
  file.add("iterations", {count}, iterations_);
  file.add("proof", proof_);
  file.add("residual", {count}, residual_);
  file.add("names", names_);
  file.add("relaxed_integers", {count}, integers_);
  file.add("relaxed_semicontinuous", {count}, semicontinuous_);
  if (columns_ > 0) file.add("x", {count, columns_}, x_);
  if (rows_ > 0) file.add("y", {count, rows_}, y_);
  file.close();
}

}  // namespace osi_cuda::cli
