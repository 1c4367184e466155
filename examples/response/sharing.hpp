// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/response/relaxation.hpp"

namespace osi_cuda::response {

struct Parts;

/// Some cores of the host, or a device, that compute one part of a relaxation in memory of their
/// own.
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
  /// Rows of the tile that read() and write() go by; the number of the list.
  virtual int list(std::vector<int> const& rows) = 0;
  virtual std::vector<double> read(int list) = 0;
  virtual void write(int list, std::vector<double> const& values) = 0;
};

/// On so many cores of the host, in a thread of its own beside its caller's.
std::unique_ptr<PartExecutor> hostPart(int threads);

/// What a pass of depth() steps takes where executors share the rows: all compute at a time, then
/// they exchange the layers around their parts.
struct SharingModel {
  std::vector<double> rate;  ///< of each executor, matrix entries a second
  double latency = 0.0;      ///< of an exchange, seconds
  double perValue = 0.0;     ///< seconds for each value that is exchanged

  /// The slowest part and the exchange.
  double seconds(std::vector<double> const& entries, double values) const;
  /// The shares at which all take the same time are as the rates.
  std::vector<double> const& balance() const { return rate; }
};

/// A relaxation over executors, each with a part of its own.
class SharedRelaxation {
 public:
  /// The executors must outlive it; nothing else is needed afterwards.
  SharedRelaxation(Relaxation const& relaxation, Parts const& parts, int depth,
                   std::vector<double> const& x, std::vector<PartExecutor*> const& executors);

  /// `passes` times depth steps and an exchange of the layers (halos).
  void run(int passes);
  std::vector<double> values() const;

  std::vector<double> entries() const;  ///< of a pass, by part
  double exchanged() const { return exchanged_; }
  /// Rates while all compute, and the cost of exchanges; medians over `repeats` of each.
  SharingModel measure(int repeats);

 private:
  /// Rows of one part's layers and the same rows where they are computed.
  struct Halo {
    std::size_t to, from;
    int toList, fromList;
  };
  void exchange();
  /// All at a time, until all are done, whatever one throws. The seconds of each.
  std::vector<double> compute(int steps);

  int depth_, rows_;
  double exchanged_ = 0.0;
  std::vector<PartExecutor*> executors_;
  std::vector<Tile> tiles_;
  std::vector<Halo> halos_;
  std::vector<int> ownList_;
};

}  // namespace osi_cuda::response
