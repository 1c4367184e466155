// SPDX-License-Identifier: EPL-2.0
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>

#include "examples/common/records.hpp"
#include "examples/textbook/commands.hpp"
#include "examples/textbook/device_module.hpp"
#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::textbook {
namespace {

using shell::ExitStatus;

std::vector<std::string> const columns{"problem", "rows",          "columns", "solver", "verdict",
                                       "seconds", "total_seconds", "gflops",  "share",  "error"};

struct Arguments {
  std::vector<int> sizes{256, 512, 1024};
  std::vector<std::string> forms;  ///< empty: all
  double seconds = 5.0;
  int repeats = 3;
  std::string results;
};

/// The peak that a form is measured against: of one core or all, of the ordinary or of the matrix
/// units of the device. By a loop of multiply-adds, once each.
double peakOf(ProductForm form) {
  static std::map<std::pair<bool, bool>, double> peaks;
  bool const device = onDevice(form);
  bool const large = form == ProductForm::deviceMatrix || form == ProductForm::cublas ||
                     form == ProductForm::blockedCores || form == ProductForm::openblasCores;
  double& peak = peaks[{device, large}];
  if (peak == 0.0) peak = device ? deviceModule().peak(large) : hostPeak(large);
  return peak;
}

ExitStatus run(Arguments const& arguments) {
  std::string const noDevice = whyNoDevice();
  if (!noDevice.empty())
    std::cerr << "textbook: " << noDevice << "; only the processor's forms are run\n";
  bool right = true;
  std::map<ProductForm, double> last;  // seconds a flop at the size before
  for (int const n : arguments.sizes) {
    if (n < productUnit || n % productUnit != 0)
      throw shell::Failure(ExitStatus::usage, "--size must be a multiple of " +
                                                  std::to_string(productUnit) + ", not " +
                                                  std::to_string(n));
    Matrices const matrices = randomMatrices(n);
    double const flop = 2.0 * n * n * double(n);
    for (std::size_t k = 0; k < productFormNames().size(); ++k) {
      auto const form = static_cast<ProductForm>(k);
      std::string const& name = productFormNames()[k];
      auto const& wanted = arguments.forms;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
        continue;
      if (onDevice(form) && !noDevice.empty()) continue;
      // Judged by the size before, which does not know yet that the matrices have outgrown a cache.
      double const expected = last.count(form) ? last[form] * flop : 0.0;
      if (expected > arguments.seconds) {
        std::printf("%-15s %6d not run: about %.0f s\n", name.c_str(), n, expected);
        continue;
      }
      int const repeats = expected * arguments.repeats > arguments.seconds ? 1 : arguments.repeats;
      Product const product = onDevice(form) ? deviceModule().product(form, matrices, repeats)
                                             : productOnHost(form, matrices, repeats);
      last[form] = product.seconds / flop;
      double const error = productError(matrices, product.c);
      bool const sound = error < 1e-13;
      right = right && sound;
      double const speed = flop / product.seconds, peak = peakOf(form);
      examples::appendRecord(
          arguments.results, columns,
          {{"problem", "product:" + std::to_string(n)},
           {"rows", std::to_string(n)},
           {"columns", std::to_string(n)},
           {"solver", name},
           {"verdict", sound ? "right" : "wrong"},
           {"seconds", examples::toField(product.seconds)},
           {"total_seconds", examples::toField(product.seconds + product.transferSeconds)},
           {"gflops", examples::toField(1e-9 * speed)},
           {"share", examples::toField(speed / peak)},
           {"error", examples::toField(error)}});
      std::printf("%-15s %6d %10.5f s, transfers %8.5f s, %9.1f GFLOP/s, %5.1f %% of %.0f, %s\n",
                  name.c_str(), n, product.seconds, product.transferSeconds, 1e-9 * speed,
                  100.0 * speed / peak, 1e-9 * peak, sound ? "right" : "wrong");
      std::fflush(stdout);
    }
  }
  return right ? ExitStatus::optimal : ExitStatus::disagreement;
}

}  // namespace

shell::Command productCommand() {
  return {"product", "the matrix product, from three loops to cuBLAS", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            app.add_option("--size", a->sizes, "multiples of 128, ascending [256,512,1024]")
                ->delimiter(',');
            app.add_option("--form", a->forms, "which of them [all]")
                ->delimiter(',')
                ->check(CLI::IsMember(productFormNames()));
            app.add_option("--seconds", a->seconds, "limit of a product, as far as foreseen [5]")
                ->check(CLI::PositiveNumber);
            app.add_option("--repeats", a->repeats, "products, the median counts [3]")
                ->check(CLI::Range(1, 1000));
            app.add_option("--results", a->results,
                           "CSV file to which a line a product is appended");
            return shell::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::textbook
