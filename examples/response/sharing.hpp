// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/response/partition.hpp"
#include "examples/response/relaxation.hpp"

namespace osi_cuda::response {

/// A processor, or some cores of one, that computes one part of a relaxation in memory of its own.
class PartExecutor {
 public:
  virtual ~PartExecutor() = default;
  virtual std::string name() const = 0;
  /// Takes a part, with values for all of the tile's rows. `tile` must outlive the work.
  virtual void take(Tile const& tile, std::vector<double> const& x) = 0;
  /// Begins `steps` <= tile.depth() steps and returns at once.
  virtual void start(int steps) = 0;
  /// Waits for their end; the seconds that they took by the executor's own clock.
  virtual double wait() = 0;
  /// Values of these rows of the tile, between wait() and start().
  virtual std::vector<double> read(std::vector<int> const& rows) = 0;
  virtual void write(std::vector<int> const& rows, std::vector<double> const& values) = 0;
};

/// On so many cores of the host, in a thread of its own beside its caller's.
std::unique_ptr<PartExecutor> hostPart(int threads);

/// What a pass of depth() steps takes where two executors share the rows: both compute at a time,
/// then they exchange the layers around their parts.
struct SharingModel {
  double rate[2] = {0.0, 0.0};  ///< matrix entries a second
  double latency = 0.0;         ///< of an exchange, seconds
  double perValue = 0.0;        ///< seconds for each value that is exchanged

  /// max over the parts + exchange.
  double seconds(double firstEntries, double secondEntries, double values) const;
  /// The share of the first at which both take the same time.
  double balance() const { return rate[0] / (rate[0] + rate[1]); }
};

/// A relaxation over two executors, each with one of two parts.
class SharedRelaxation {
 public:
  /// The executors must outlive it; nothing else is needed afterwards.
  SharedRelaxation(Relaxation const& relaxation, Parts const& two, int depth,
                   std::vector<double> const& x, PartExecutor& first, PartExecutor& second);

  /// `passes` times depth steps and an exchange.
  void run(int passes);
  std::vector<double> values() const;

  double entries(int part) const { return tiles_[part].entries(depth_); }  ///< of a pass
  double exchanged() const { return double(from_[0].size() + from_[1].size()); }
  /// Rates while both compute, and the cost of exchanges, over `repeats` of each.
  SharingModel measure(int repeats);

 private:
  void exchange();

  int depth_;
  PartExecutor* executors_[2];
  Tile tiles_[2];
  /// Part p's layers at rows to_[p] of its tile are at rows from_[p] of the other's.
  std::vector<int> to_[2], from_[2];
};

}  // namespace osi_cuda::response
