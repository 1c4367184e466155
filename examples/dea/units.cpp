// SPDX-License-Identifier: EPL-2.0
#include "examples/dea/units.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "readers/number.hpp"
#include "shell/csv_table.hpp"

namespace osi_cuda::examples::dea {
namespace {

/// Random numbers from counters through SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
  }
  double normal() {
    double const radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

/// Six decimals are enough for data, and the file says exactly what was solved.
double rounded(double x) {
  return std::round(x * 1e6) / 1e6;
}

/// The shortest text that reads back as the same number.
std::string text(double x) {
  return nlohmann::json(x).dump();
}

}  // namespace

Units readUnits(std::string const& path) {
  shell::CsvTable table(path);
  Units units;
  std::size_t const name = table.need("unit");
  std::vector<std::size_t> inputs, outputs;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    std::string const& word = table.header()[c];
    if (word.starts_with("in:")) {
      inputs.push_back(c);
      units.inputNames.push_back(word.substr(3));
    } else if (word.starts_with("out:")) {
      outputs.push_back(c);
      units.outputNames.push_back(word.substr(4));
    }
  }
  if (inputs.empty() || outputs.empty())
    table.fail(name, "a header with columns unit, in:NAME and out:NAME");
  auto const take = [&](std::vector<std::size_t> const& cells, std::vector<double>& target) {
    for (std::size_t const c : cells) {
      readers::Number const number = readers::parseNumber(table.text(c));
      if (number.fault != readers::NumberFault::none || !(number.value > 0.0))
        table.fail(c, "a positive number");
      target.push_back(number.value);
    }
  };
  while (table.next()) {
    units.names.push_back(table.text(name));
    take(inputs, units.inputs);
    take(outputs, units.outputs);
  }
  if (units.names.empty()) table.failAtEnd("at least one unit");
  return units;
}

std::string unitsText(Units const& units) {
  std::string file = "unit";
  for (std::string const& name : units.inputNames) file += ",in:" + name;
  for (std::string const& name : units.outputNames) file += ",out:" + name;
  file += '\n';
  for (std::size_t u = 0; u < units.count(); ++u) {
    file += units.names[u];
    for (std::size_t i = 0; i < units.inputNames.size(); ++i) file += ',' + text(units.input(u, i));
    for (std::size_t r = 0; r < units.outputNames.size(); ++r)
      file += ',' + text(units.output(u, r));
    file += '\n';
  }
  return file;
}

Units generateUnits(int count, int inputs, int outputs, std::uint64_t seed) {
  Units units;
  Random random(seed);
  for (int i = 1; i <= inputs; ++i) units.inputNames.push_back("x" + std::to_string(i));
  for (int r = 1; r <= outputs; ++r) units.outputNames.push_back("y" + std::to_string(r));
  for (int u = 1; u <= count; ++u) {
    units.names.push_back("u" + std::to_string(u));
    double logarithm = 0.0;
    for (int i = 0; i < inputs; ++i) {
      double const x = 10.0 + 90.0 * random.uniform();
      units.inputs.push_back(rounded(x));
      logarithm += std::log(x) / inputs;
    }
    constexpr double returnsToScale = 0.9, waste = 0.25;
    double const produced =
        std::exp(returnsToScale * logarithm - waste * std::fabs(random.normal()));
    // A point of the sphere's positive part shares it out: outputs can be had for one another.
    std::vector<double> share(static_cast<std::size_t>(outputs));
    double square = 0.0;
    for (double& s : share) {
      s = std::fabs(random.normal()) + 0.1;
      square += s * s;
    }
    for (double const s : share) units.outputs.push_back(rounded(produced * s / std::sqrt(square)));
  }
  return units;
}

}  // namespace osi_cuda::examples::dea
