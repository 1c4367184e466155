// SPDX-License-Identifier: EPL-2.0
#include "examples/response/sharing.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <map>
#include <numeric>
#include <utility>

#include "examples/common/records.hpp"
#include "examples/response/partition.hpp"
#include "osi_cuda/base/stopwatch.hpp"

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
    lists_.clear();
  }
  void start(int steps) override {
    work_ = std::async(std::launch::async, [this, steps] {
      Stopwatch const watch;
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
  int list(std::vector<int> const& rows) override {
    lists_.push_back(rows);
    return int(lists_.size()) - 1;
  }
  std::vector<double> read(int list) override {
    std::vector<double> values;
    for (int const row : lists_[list]) values.push_back(x_[row]);
    return values;
  }
  void write(int list, std::vector<double> const& values) override {
    for (std::size_t k = 0; k < values.size(); ++k) x_[lists_[list][k]] = values[k];
  }

 private:
  int threads_;
  Tile const* tile_ = nullptr;
  std::vector<double> x_, y_;
  std::vector<std::vector<int>> lists_;
  std::future<double> work_;
};

}  // namespace

std::unique_ptr<PartExecutor> hostPart(int threads) {
  return std::make_unique<HostPart>(threads);
}

double SharingModel::seconds(std::vector<double> const& entries, double values) const {
  double slowest = 0.0;
  for (std::size_t p = 0; p < entries.size(); ++p)
    slowest = std::max(slowest, entries[p] > 0.0 ? entries[p] / rate[p] : 0.0);
  return slowest + latency + perValue * values;
}

SharedRelaxation::SharedRelaxation(Relaxation const& relaxation, Parts const& parts, int depth,
                                   std::vector<double> const& x,
                                   std::vector<PartExecutor*> const& executors)
    : depth_(depth), rows_(relaxation.rows()), executors_(executors) {
  std::vector<int> number(relaxation.rows(), -1);
  std::vector<std::pair<std::size_t, int>> home(relaxation.rows());  // part and row of its tile
  for (std::size_t p = 0; p < executors.size(); ++p) {
    tiles_.push_back(tileOf(relaxation, parts.of(int(p)), depth, number));
    for (int k = 0; k < tiles_[p].own(); ++k) home[tiles_[p].row[k]] = {p, k};
  }
  for (std::size_t p = 0; p < executors.size(); ++p) {
    Tile const& tile = tiles_[p];
    std::vector<double> start;
    for (int const row : tile.row) start.push_back(x[row]);
    executors[p]->take(tile, start);
    std::vector<int> own(tile.own());
    std::iota(own.begin(), own.end(), 0);
    ownList_.push_back(executors[p]->list(own));
  }
  for (std::size_t p = 0; p < executors.size(); ++p) {
    Tile const& tile = tiles_[p];
    std::map<std::size_t, std::pair<std::vector<int>, std::vector<int>>> lists;  // by other part
    for (int k = tile.own(); k < tile.all(); ++k) {
      auto const [other, row] = home[tile.row[k]];
      lists[other].first.push_back(k);
      lists[other].second.push_back(row);
      exchanged_ += 1.0;
    }
    for (auto const& [other, rows] : lists)
      halos_.push_back(
          {p, other, executors[p]->list(rows.first), executors[other]->list(rows.second)});
  }
}

std::vector<double> SharedRelaxation::compute(int steps) {
  std::vector<double> seconds;
  std::size_t started = 0;
  std::exception_ptr failure;
  auto const attempt = [&](auto const& work) {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  for (; started < executors_.size() && !failure; ++started)
    attempt([&] { executors_[started]->start(steps); });
  std::size_t const running = failure ? started - 1 : started;
  for (std::size_t p = 0; p < running; ++p)
    attempt([&] { seconds.push_back(executors_[p]->wait()); });
  if (failure) std::rethrow_exception(failure);
  return seconds;
}

void SharedRelaxation::exchange() {
  for (Halo const& h : halos_)
    executors_[h.to]->write(h.toList, executors_[h.from]->read(h.fromList));
}

void SharedRelaxation::run(int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    compute(depth_);
    exchange();
  }
}

std::vector<double> SharedRelaxation::values() const {
  std::vector<double> x(rows_);
  for (std::size_t p = 0; p < tiles_.size(); ++p) {
    std::vector<double> const part = executors_[p]->read(ownList_[p]);
    for (std::size_t k = 0; k < part.size(); ++k) x[tiles_[p].row[k]] = part[k];
  }
  return x;
}

std::vector<double> SharedRelaxation::entries() const {
  std::vector<double> all;
  for (Tile const& tile : tiles_) all.push_back(tile.entries(depth_));
  return all;
}

SharingModel SharedRelaxation::measure(int repeats) {
  std::vector<std::vector<double>> seconds(executors_.size());
  for (int k = 0; k < std::max(repeats, 1); ++k) {
    std::vector<double> const once = compute(depth_);
    for (std::size_t p = 0; p < once.size(); ++p) seconds[p].push_back(once[p]);
  }
  SharingModel model;
  std::vector<double> const work = entries();
  for (std::size_t p = 0; p < work.size(); ++p)
    model.rate.push_back(work[p] / examples::median(seconds[p]));
  model.latency = examples::medianSeconds(repeats, [&] { compute(0); });
  double const whole = examples::medianSeconds(repeats, [&] { exchange(); });
  if (exchanged_ > 0.0) model.perValue = whole / exchanged_;
  return model;
}

}  // namespace osi_cuda::response
