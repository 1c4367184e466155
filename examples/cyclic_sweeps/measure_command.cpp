// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>

#include "examples/common/measurements.hpp"
#include "examples/common/plot.hpp"
#include "examples/common/random.hpp"
#include "examples/common/records.hpp"
#include "examples/cyclic_sweeps/commands.hpp"
#include "examples/cyclic_sweeps/device_module.hpp"
#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::cyclic_sweeps {
namespace {

using examples::ExitStatus;
using examples::Failure;
using examples::Measurement;

struct Arguments {
  std::string device = "auto", results, svg;
  std::vector<std::string> sizes{"300x512", "1000x4096"},
      forms{"host", "plain", "tables", "gtsv2", "fused", "shares"};
  std::vector<int> devices;  ///< of the form shares; empty: all, or two shares of the only one
  double r = 4.0;
  int repeats = 5;
  bool asks(std::string const& form) const {
    return std::find(forms.begin(), forms.end(), form) != forms.end();
  }
};

Grid gridOf(std::string const& size, double r) {
  int rows = 0, columns = 0;
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &rows, &columns, &rest) != 2 || rows < 3 || columns < 3)
    throw Failure(ExitStatus::usage,
                  "--sizes wants ROWSxCOLUMNS, each at least 3, not '" + size + "'");
  return diffusion(rows, columns, r);
}

/// Every M of the literature with every N.
std::vector<std::string> allSizes() {
  std::vector<std::string> sizes;
  for (int const rows : {300, 500, 700, 1000})
    for (int const columns : {512, 2048, 8192, 35'840, 71'680})
      sizes.push_back(fmt::format("{}x{}", rows, columns));
  return sizes;
}

/// One grid: forms one after the other, the floor first.
class Measuring {
 public:
  Measuring(Arguments const& a, Grid const& grid, std::vector<Measurement>& all)
      : a_(a), grid_(grid), all_(all), start_(grid.cells()) {
    examples::Random random(1);
    for (double& value : start_) value = 2.0 * random.uniform() - 1.0;
    right_ = start_;
    sweepOnHost(grid, right_, 2, omp_get_max_threads());
  }

  void onHost() {
    int const cores = omp_get_max_threads();
    std::vector<double> field = start_, other(start_.size());
    auto const copy = [&](std::vector<double> const& from, std::vector<double>& to) {
#pragma omp parallel for schedule(static)
      for (std::size_t k = 0; k < from.size(); ++k) to[k] = from[k];
    };
    store("two copies of the field, host",
          examples::medianSeconds(a_.repeats,
                                  [&] {
                                    copy(field, other);
                                    copy(other, field);
                                  }),
          0.0);
    constexpr double manyCells = 3e7;  // a core takes a second
    for (int const threads : {1, cores}) {
      if (threads == 1 && cores > 1 && double(grid_.cells()) > 2.5 * manyCells) continue;
      int const repeats = double(grid_.cells()) > manyCells ? 1 : std::min(a_.repeats, 3);
      double const seconds =
          examples::medianSeconds(repeats, [&] { sweepOnHost(grid_, field, 1, threads); });
      std::vector<double> result = start_;
      sweepOnHost(grid_, result, 2, threads);
      store(fmt::format("host, {} core{}", threads, threads == 1 ? "" : "s"), seconds,
            difference(result));
      if (cores == 1) break;
    }
  }

  void onDevice() {
    executor_ = deviceModule().deviceName();
    store("two copies of the field", 2.0 * deviceModule().copySeconds(8.0 * grid_.cells()), 0.0);
    for (std::size_t k = 0; k < formNames.size(); ++k)
      if (a_.asks(formNames[k]))
        measure(formNames[k], [&] { return deviceModule().makeField(grid_, Form(k)); });
    if (!a_.asks("shares")) return;
    std::vector<int> devices = a_.devices;
    for (int k = 0; a_.devices.empty() && k < deviceModule().deviceCount(); ++k)
      devices.push_back(k);
    if (devices.size() == 1 && a_.devices.empty()) devices.push_back(devices.front());
    std::vector<int> distinct = devices;
    std::sort(distinct.begin(), distinct.end());
    auto const gpus = std::unique(distinct.begin(), distinct.end()) - distinct.begin();
    measure(gpus == 1 ? fmt::format("fused, {} shares of one GPU", devices.size())
                      : fmt::format("fused, {} GPUs", gpus),
            [&] { return deviceModule().makeShares(grid_, devices); });
  }

 private:
  template <class Make>
  void measure(std::string const& form, Make const& make) {
    try {
      std::unique_ptr<DeviceField> const field = make();
      field->upload(start_);
      field->step(2);
      double const error = difference(field->download());
      constexpr double enough = 5e-3;  // seconds
      int const count = int(std::clamp(enough / field->step(1), 1.0, 200.0));
      std::vector<double> seconds;
      for (int k = 0; k < a_.repeats; ++k) seconds.push_back(field->step(count) / count);
      store(form, examples::median(seconds), error);
    } catch (EngineUnavailable const& why) {  // a share of the grid is too small, or memory
      std::cerr << form << ": left out, " << why.what() << '\n';
    }
  }

  double difference(std::vector<double> const& field) const {
    double size = 1e-300, most = 0.0;
    for (std::size_t k = 0; k < field.size(); ++k) {
      size = std::max(size, std::abs(right_[k]));
      double const one = std::abs(field[k] - right_[k]);
      most = std::isnan(one) ? HUGE_VAL : std::max(most, one);
    }
    return most / size;
  }

  void store(std::string const& form, double seconds, double error) {
    Measurement m;
    m.series = "sweeps";
    m.problem = fmt::format("{} x {}", grid_.rows, grid_.columns);
    m.size = double(grid_.cells());
    m.bytes = 32.0 * m.size;  // each direction reads and writes a number once
    m.form = form;
    m.seconds = seconds;
    m.error = error;
    m.ok = error < 1e-11;  // rounding
    m.executor = executor_;
    if (form.starts_with("two copies")) floor_ = seconds;
    std::cout << fmt::format("{:<14}{:<32}{:>12.4g}{:>12.3g}{:>12.1e}{}\n", m.problem, form,
                             1e3 * seconds, seconds / floor_, error, m.ok ? "" : "  wrong");
    std::cout.flush();
    if (!a_.results.empty()) examples::append(a_.results, m);
    all_.push_back(m);
  }

  Arguments const& a_;
  Grid grid_;
  std::vector<Measurement>& all_;
  std::vector<double> start_, right_;
  std::string executor_ = "host";
  double floor_ = 1.0;
};

std::string drawn(std::vector<Measurement> const& all) {
  examples::Plot plot;
  plot.title = "A step of cyclic sweeps";
  plot.xTitle = "cells";
  plot.yTitle = "milliseconds";
  plot.xScale = plot.yScale = examples::Scale::log10;
  std::map<std::string, std::size_t> place;
  for (Measurement const& m : all) {
    auto const [found, isNew] = place.emplace(m.form, plot.curves.size());
    if (isNew) plot.curves.push_back({m.form, {}});
    plot.curves[found->second].points.emplace_back(m.size, 1e3 * m.seconds);
  }
  for (auto& curve : plot.curves) std::sort(curve.points.begin(), curve.points.end());
  return examples::draw(plot);
}

ExitStatus run(Arguments const& a) {
  std::string const why = a.device == "host" ? "not asked for" : whyNoDevice();
  if (a.device == "cuda" && !why.empty()) throw EngineUnavailable(why);
  if (a.device == "auto" && !why.empty()) std::cerr << "on the host only: " << why << '\n';
  std::vector<std::string> const sizes =
      a.sizes == std::vector<std::string>{"all"} ? allSizes() : a.sizes;
  for (std::string const& size : sizes) gridOf(size, a.r);  // before anything is measured
  std::cout << fmt::format("{:<14}{:<32}{:>12}{:>12}{:>12}\n", "grid", "form", "ms a step",
                           "x copies", "error");
  std::vector<Measurement> all;
  for (std::string const& size : sizes) {
    Measuring measuring(a, gridOf(size, a.r), all);
    if (a.asks("host") || !why.empty()) measuring.onHost();
    if (why.empty()) measuring.onDevice();
  }
  if (!a.svg.empty()) examples::writeTextFile(a.svg, drawn(all));
  bool const isRight = std::all_of(all.begin(), all.end(), [](auto const& m) { return m.ok; });
  return isRight ? ExitStatus::optimal : ExitStatus::disagreement;
}

}  // namespace

examples::Command measureCommand() {
  return {
      "measure", "milliseconds a step by each form, beside two copies of the field",
      [](CLI::App& app) {
        auto const a = std::make_shared<Arguments>();
        app.add_option("--device", a->device, "auto (where there is one), host or cuda [auto]")
            ->check(CLI::IsMember({"auto", "host", "cuda"}));
        app.add_option("--sizes", a->sizes,
                       "ROWSxCOLUMNS, or all: 20 from 300x512 to 1000x71680 [300x512,1000x4096]")
            ->delimiter(',');
        app.add_option("--forms", a->forms,
                       "host, plain, tables, gtsv2, fused, shares (the fused form on several GPUs) "
                       "[all]")
            ->delimiter(',')
            ->check(CLI::IsMember({"host", "plain", "tables", "gtsv2", "fused", "shares"}));
        app.add_option("--devices", a->devices,
                       "of shares, one each; a GPU may be named twice [all, or 0,0]")
            ->delimiter(',')
            ->check(CLI::Range(0, 63));
        app.add_option("--r", a->r, "conductivity x time step / width^2 [4]")
            ->check(CLI::Range(1e-6, 1e6));
        app.add_option("--repeats", a->repeats, "the median of so many [5]")
            ->check(CLI::Range(1, 1000));
        app.add_option("--results", a->results, "append to this CSV file, for `report`")
            ->type_name("FILE");
        app.add_option("--svg", a->svg, "draw milliseconds over cells")->type_name("FILE");
        return examples::Run([a] { return run(*a); });
      }};
}

}  // namespace osi_cuda::cyclic_sweeps
