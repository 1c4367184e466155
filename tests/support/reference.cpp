// SPDX-License-Identifier: EPL-2.0
#include "tests/support/reference.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace osi_cuda::testing {
namespace {

std::vector<Instance> readFolder(std::string const& folder) {
  std::ifstream csv(folder + "/reference.csv");
  if (!csv) throw std::runtime_error("no " + folder + "/reference.csv");
  std::vector<Instance> instances;
  for (std::string line; std::getline(csv, line);) {
    if (line.empty() || line[0] == '#' || line.rfind("name,", 0) == 0) continue;
    std::istringstream fields(line);
    std::string name, rows, columns, nonzeros, value;
    std::getline(fields, name, ',');
    std::getline(fields, rows, ',');
    std::getline(fields, columns, ',');
    std::getline(fields, nonzeros, ',');
    std::getline(fields, value, ',');
    Instance instance;
    instance.name = name;
    instance.file = folder + "/" + name + ".mps.gz";
    instance.rows = std::stoi(rows) - 1;  // the objective row is counted
    instance.columns = std::stoi(columns);
    if (value != "infeasible") instance.optimum = std::stod(value);
    // The published value leaves out the constant that the file gives as an objective RHS.
    if (name == "e226") *instance.optimum += 7.113;
    instances.push_back(instance);
  }
  return instances;
}

/// Optima of Koch, "The final NETLIB-LP results"; e226 with its constant.
std::vector<Instance> debianSamples() {
  std::string const folder = "/usr/share/coin/Data/Sample/";
  std::vector<Instance> instances;
  auto add = [&](std::string const& name, int rows, int columns, double optimum) {
    if (std::filesystem::exists(folder + name + ".mps"))
      instances.push_back({name, folder + name + ".mps", rows, columns, optimum});
  };
  add("afiro", 27, 32, -464.75314285714285);
  add("brandy", 220, 249, 1518.509896488128);
  add("e226", 223, 282, -18.751929066370548 + 7.113);
  add("finnis", 497, 614, 172791.06559561159);
  return instances;
}

void sortBySize(std::vector<Instance>& instances) {
  std::sort(instances.begin(), instances.end(),
            [](Instance const& a, Instance const& b) { return a.cells() < b.cells(); });
}

}  // namespace

std::vector<Instance> netlibInstances() {
  char const* data = std::getenv("OSI_CUDA_DATA");
  if (data == nullptr) return debianSamples();
  std::vector<Instance> instances = readFolder(std::string(data) + "/netlib");
  std::size_t const feasible = instances.size();
  for (Instance& instance : readFolder(std::string(data) + "/netlib-infeasible")) {
    bool const taken =
        std::any_of(instances.begin(), instances.begin() + static_cast<std::ptrdiff_t>(feasible),
                    [&](Instance const& other) { return other.name == instance.name; });
    if (taken) instance.name += "-infeasible";  // greenbea is in both
    instances.push_back(std::move(instance));
  }
  sortBySize(instances);
  return instances;
}

std::vector<Instance> kenningtonInstances() {
  char const* data = std::getenv("OSI_CUDA_DATA");
  if (data == nullptr) return {};
  std::vector<Instance> instances = readFolder(std::string(data) + "/kennington");
  sortBySize(instances);
  return instances;
}

}  // namespace osi_cuda::testing
