// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace osi_cuda::examples::dea {

/// Units that turn inputs into outputs: branches of a bank, hospitals, ... All numbers are
/// positive.
struct Units {
  std::vector<std::string> names;                    ///< length n
  std::vector<std::string> inputNames, outputNames;  ///< lengths p and q
  std::vector<double> inputs;                        ///< n x p, unit by unit
  std::vector<double> outputs;                       ///< n x q

  std::size_t count() const { return names.size(); }
  double input(std::size_t unit, std::size_t i) const {
    return inputs[unit * inputNames.size() + i];
  }
  double output(std::size_t unit, std::size_t r) const {
    return outputs[unit * outputNames.size() + r];
  }
};

/// Reads a CSV file with a line a unit: a column `unit`, columns `in:NAME` and `out:NAME`. Throws
/// what CsvTable throws, also for numbers that are not positive; a fault's place is the cell.
Units readUnits(std::string const& path);

/// The file that readUnits reads.
std::string unitsText(Units const& units);

/// Units with a random mix of inputs, and outputs that a technology of decreasing returns allows,
/// less a random share (half-normal) that each wastes. The same on every machine for a seed.
Units generateUnits(int count, int inputs, int outputs, std::uint64_t seed);

}  // namespace osi_cuda::examples::dea
