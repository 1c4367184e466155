// SPDX-License-Identifier: EPL-2.0
#include "examples/response/sharing.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <numeric>

#include "shell/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

class HostPart : public PartExecutor {
 public:
  explicit HostPart(int threads) : threads_(threads) {}
  std::string name() const override {
    return "host, " + std::to_string(threads_) + (threads_ == 1 ? " core" : " cores");
  }
  void take(Tile const& tile, std::vector<double> const& x) override {
    tile_ = &tile;
    x_ = x;
    y_.assign(x.size(), 0.0);
  }
  void start(int steps) override {
    work_ = std::async(std::launch::async, [this, steps] {
      shell::Stopwatch const watch;
      RelaxationRows const rows = tile_->rows();
      for (int step = 1; step <= steps; ++step) {
        int const count = tile_->within[steps - step];
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (int i = 0; i < count; ++i) y_[i] = relaxed(rows, i, x_.data());
        x_.swap(y_);
      }
      return watch.seconds();
    });
  }
  double wait() override {
    return work_.get();
  }
  std::vector<double> read(std::vector<int> const& rows) override {
    std::vector<double> values;
    values.reserve(rows.size());
    for (int const row : rows) values.push_back(x_[row]);
    return values;
  }
  void write(std::vector<int> const& rows, std::vector<double> const& values) override {
    for (std::size_t k = 0; k < rows.size(); ++k) x_[rows[k]] = values[k];
  }

 private:
  int threads_;
  Tile const* tile_ = nullptr;
  std::vector<double> x_, y_;
  std::future<double> work_;
};

/// Both at a time. Nobody computes any more when this ends, whatever it throws. Returns the seconds
/// of each.
std::array<double, 2> together(PartExecutor* const* executors, int steps) {
  executors[0]->start(steps);
  try {
    executors[1]->start(steps);
  } catch (...) {
    executors[0]->wait();
    throw;
  }
  std::array<double, 2> seconds{};
  try {
    seconds[0] = executors[0]->wait();
  } catch (...) {
    executors[1]->wait();
    throw;
  }
  seconds[1] = executors[1]->wait();
  return seconds;
}

}  // namespace

std::unique_ptr<PartExecutor> hostPart(int threads) {
  return std::make_unique<HostPart>(threads);
}

double SharingModel::seconds(double firstEntries, double secondEntries, double values) const {
  return std::max(firstEntries / rate[0], secondEntries / rate[1]) + latency + perValue * values;
}

SharedRelaxation::SharedRelaxation(Relaxation const& relaxation, Parts const& two, int depth,
                                   std::vector<double> const& x, PartExecutor& first,
                                   PartExecutor& second)
    : depth_(depth), executors_{&first, &second} {
  std::vector<int> number(relaxation.rows(), -1);
  for (int p = 0; p < 2; ++p) tiles_[p] = tileOf(relaxation, two.of(p), depth, number);
  for (int p = 0; p < 2; ++p) {
    Tile const &mine = tiles_[p], &other = tiles_[1 - p];
    for (int k = 0; k < other.own(); ++k) number[other.row[k]] = k;
    for (int k = mine.own(); k < mine.all(); ++k) {
      to_[p].push_back(k);
      from_[p].push_back(number[mine.row[k]]);
    }
    std::vector<double> start;
    for (int const row : mine.row) start.push_back(x[row]);
    executors_[p]->take(mine, start);
  }
}

void SharedRelaxation::exchange() {
  for (int p = 0; p < 2; ++p) executors_[p]->write(to_[p], executors_[1 - p]->read(from_[p]));
}

void SharedRelaxation::run(int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    together(executors_, depth_);
    exchange();
  }
}

std::vector<double> SharedRelaxation::values() const {
  std::vector<double> x(std::size_t(tiles_[0].own()) + tiles_[1].own());
  for (int p = 0; p < 2; ++p) {
    std::vector<int> own(tiles_[p].own());
    std::iota(own.begin(), own.end(), 0);
    std::vector<double> const part = executors_[p]->read(own);
    for (std::size_t k = 0; k < own.size(); ++k) x[tiles_[p].row[k]] = part[k];
  }
  return x;
}

SharingModel SharedRelaxation::measure(int repeats) {
  auto const median = [&](auto const& once) {
    std::vector<double> seconds;
    for (int k = 0; k < std::max(repeats, 1); ++k) seconds.push_back(once());
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  };
  SharingModel model;
  std::vector<double> second;
  double const first = median([&] {
    auto const seconds = together(executors_, depth_);
    second.push_back(seconds[1]);
    return seconds[0];
  });
  std::sort(second.begin(), second.end());
  model.rate[0] = entries(0) / first;
  model.rate[1] = entries(1) / second[second.size() / 2];
  model.latency = median([&] {
    shell::Stopwatch const watch;
    together(executors_, 0);
    for (int p = 0; p < 2; ++p) executors_[p]->write({}, executors_[1 - p]->read({}));
    return watch.seconds();
  });
  double const whole = median([&] {
    shell::Stopwatch const watch;
    exchange();
    return watch.seconds();
  });
  if (exchanged() > 0) model.perValue = whole / exchanged();
  return model;
}

}  // namespace osi_cuda::response
