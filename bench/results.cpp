// SPDX-License-Identifier: EPL-2.0
#include "bench/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "shell/failure.hpp"

namespace osi_cuda::bench {
namespace {

std::vector<std::string_view> fieldsOf(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    std::size_t const end = line.find('\t', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

template <class Number>
bool parse(std::string_view text, Number& value) {
  auto const end = text.data() + text.size();
  auto const [stop, fault] = std::from_chars(text.data(), end, value);
  return fault == std::errc{} && stop == end;
}

bool endsInNewline(std::string const& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() == std::streampos(0)) return true;
  file.seekg(-1, std::ios::end);
  return file.get() == '\n';
}

}  // namespace

std::string formatResult(Result const& r) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{:d}\t{}\t{:.17g}\t{:.17g}\t{:.17g}\t.", r.problem,
                     r.rows, r.columns, r.solver, r.status, r.right, r.iterations, r.seconds,
                     r.error, r.residual);
}

std::optional<Result> parseResult(std::string_view line) {
  auto const fields = fieldsOf(line);
  if (fields.size() != 11 || fields.back() != ".") return {};
  Result r;
  int right = 0;
  r.problem = fields[0];
  r.solver = fields[3];
  r.status = fields[4];
  if (r.problem.empty() || r.solver.empty() || !parse(fields[1], r.rows) ||
      !parse(fields[2], r.columns) || !parse(fields[5], right) || !parse(fields[6], r.iterations) ||
      !parse(fields[7], r.seconds) || !parse(fields[8], r.error) || !parse(fields[9], r.residual))
    return {};
  r.right = right != 0;
  return r;
}

std::vector<Result> readResults(std::vector<std::string> const& files) {
  std::vector<Result> results;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (std::string const& name : files) {
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);) {
      auto const result = parseResult(line);
      if (!result) continue;
      auto const [place, isNew] =
          places.try_emplace({result->problem, result->solver}, results.size());
      if (isNew)
        results.push_back(*result);
      else
        results[place->second] = *result;
    }
  }
  return results;
}

ResultsFile::ResultsFile(std::string const& path) {
  if (path.empty()) return;
  for (Result const& result : readResults({path})) done_.emplace(result.problem, result.solver);
  bool const whole = endsInNewline(path);
  file_.open(path, std::ios::app);
  if (!whole) file_ << '\n';
  if (!file_.flush()) throw shell::Failure(shell::ExitStatus::cannotWrite, "can't write " + path);
}

bool ResultsFile::has(std::string const& problem, std::string const& solver) const {
  return done_.count({problem, solver}) != 0;
}

void ResultsFile::append(Result const& result) {
  if (!file_.is_open()) return;
  if (!(file_ << formatResult(result) << std::endl))
    throw shell::Failure(shell::ExitStatus::cannotWrite,
                         "the results file can't be written any more");
  done_.emplace(result.problem, result.solver);
}

std::vector<int> deal(std::vector<double> const& costs, int parts) {
  std::vector<int> order(costs.size()), hands(costs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return costs[a] > costs[b]; });
  std::vector<double> load(parts, 0.0);
  for (int const job : order) {
    auto const least = std::min_element(load.begin(), load.end());
    hands[job] = static_cast<int>(least - load.begin());
    *least += costs[job];
  }
  return hands;
}

}  // namespace osi_cuda::bench
