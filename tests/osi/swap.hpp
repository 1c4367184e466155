// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "OsiClpSolverInterface.hpp"
#include "tests/osi/contract.hpp"

// What the tests of programs written for OsiClp share.
namespace osi_cuda::testing {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("osi_swap_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(std::string const& name) const { return (path / name).string(); }
};

inline std::unique_ptr<OsiSolverInterface> makeOsiClp() {
  auto solver = std::make_unique<OsiClpSolverInterface>();
  solver->messageHandler()->setLogLevel(0);
  return solver;
}

/// A check, over OsiClp and over OsiCuda.
template <class Check>
void onBoth(Check check) {
  for (bool const ours : {false, true}) BOOST_TEST_CONTEXT((ours ? "OsiCuda" : "OsiClp")) {
      auto const solver = ours ? makeOsiCuda() : makeOsiClp();
      check(*solver);
    }
}

inline bool close(double a, double b, double tolerance = 1e-9) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

/// Counts the lines that a solver says.
class Lines : public CoinMessageHandler {
 public:
  int print() override {
    ++count;
    last = messageBuffer();
    return 0;
  }
  CoinMessageHandler* clone() const override { return new Lines(*this); }
  int count = 0;
  std::string last;
};

inline void addTwoColumns(OsiSolverInterface& solver) {
  solver.addCol(0, nullptr, nullptr, 0.0, 10.0, 1.0);
  solver.addCol(0, nullptr, nullptr, 0.0, 10.0, 2.0);
}

inline std::string const sample = OSI_CUDA_SAMPLE_FOLDER;
inline std::string const mpsHead =
    "NAME p FREE\nROWS\n N cost\n L lim1\n G lim2\nCOLUMNS\n x cost 1 lim1 1\n x lim2 1\n"
    " y cost 2 lim1 1\n y lim2 1\nRHS\n RHS lim1 4 lim2 2\nBOUNDS\n UP BND x 1\n";

}  // namespace osi_cuda::testing
