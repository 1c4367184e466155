// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/base_models.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bridges/bridge.hpp"
#include "readers/read.hpp"

namespace osi_cuda::stress {
namespace {

/// Clp's time for the solution that a changed problem starts from.
constexpr double baseTimeLimit = 30.0;

void addFolder(std::vector<BaseFile>& files, std::string const& folder, std::string const& prefix) {
  if (!std::filesystem::is_directory(folder)) return;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    std::string const name = entry.path().filename().string();
    auto const ending = name.find(".mps");
    if (ending == std::string::npos) continue;
    files.push_back({prefix + name.substr(0, ending), entry.path().string()});
  }
}

}  // namespace

std::vector<BaseFile> sampleFiles() {
  std::string const folder = "/usr/share/coin/Data/Sample/";
  std::vector<BaseFile> files;
  for (char const* name : {"afiro", "brandy", "e226", "exmip1", "finnis", "galenet", "lseu",
                           "p0033", "p0201", "p0548"})
    if (std::filesystem::exists(folder + name + ".mps"))
      files.push_back({name, folder + name + ".mps"});
  return files;
}

std::vector<BaseFile> netlibFiles() {
  std::vector<BaseFile> files;
  char const* data = std::getenv("OSI_CUDA_DATA");
  if (data == nullptr) return files;
  addFolder(files, std::string(data) + "/netlib", "");
  addFolder(files, std::string(data) + "/netlib-infeasible", "infeasible-");
  std::sort(files.begin(), files.end(),
            [](BaseFile const& a, BaseFile const& b) { return a.name < b.name; });
  return files;
}

BaseModel::BaseModel(BaseFile const& file) : lp_(readers::read(file.path).lp) {
  lp_.rowNames.clear();
  lp_.columnNames.clear();
  lp_.integer.clear();
  lp_.objectiveName.clear();
}

Solution const& BaseModel::optimum() const {
  if (!solved_) optimum_ = solvedByClp(lp_);
  solved_ = true;
  return optimum_;
}

std::int64_t cellsOf(BaseFile const& file) {
  auto const lp = readers::read(file.path).lp;
  return std::int64_t{lp.rows()} * lp.columns();
}

Solution solvedByClp(LinearProgram const& lp) {
  auto const clp = findBridge(bridges(), "clp");
  if (!clp) throw std::runtime_error("the stress set needs Clp, which is not built in");
  BridgeOptions options;
  options.timeLimit = baseTimeLimit;
  return clp->solve(lp, options);
}

}  // namespace osi_cuda::stress
