// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace osi_cuda::response {

/// What stages of a loop read and write, by name; the memory is the owner's, and its size stays.
struct Dataset {
  std::string name;
  std::span<std::byte> memory;
};

/// A piece of a loop's work. Datasets and stages go by their numbers.
struct Stage {
  std::string name;
  std::vector<int> reads;    ///< what it reads, or changes in part
  std::vector<int> writes;   ///< what it overwrites as a whole before it reads any of it
  std::vector<int> next;     ///< what may follow; Loop::end is one of them
  std::function<int()> run;  ///< does the work and says which of `next` follows
};

/// A loop whose stages say what they read and write, so that the loop itself finds the point at
/// which a saved state is least: of all that changes, only what some later stage reads before one
/// overwrites it has to be saved (live variables, as compilers have them; for loops of parallel
/// programs after Reguly, Mudalige and Giles 2013).
class Loop {
 public:
  static constexpr int end = -1;

  int add(std::string name, std::span<std::byte> memory);
  template <class T>
  int add(std::string name, std::vector<T>& values) {
    return add(std::move(name), std::as_writable_bytes(std::span<T>(values)));
  }
  template <class T>
  int addNumber(std::string name, T& value) {
    return add(std::move(name), std::as_writable_bytes(std::span<T>(&value, 1)));
  }
  /// What is read after the end.
  void setResults(std::vector<int> datasets) { results_ = std::move(datasets); }
  /// Stages get the numbers 0, 1, .. in the order of these calls; the loop begins with stage 0.
  void add(Stage stage) { stages_.push_back(std::move(stage)); }

  std::vector<Dataset> const& datasets() const { return datasets_; }
  std::vector<Stage> const& stages() const { return stages_; }

  /// The datasets that a run needs which goes on with this stage, in rising order.
  std::vector<int> liveBefore(int stage) const;
  std::size_t bytesBefore(int stage) const;
  /// The stage before which the fewest bytes are live; of equals the first.
  int leastPoint() const;

  /// From `stage` on until the end, or until `goOn`, which is asked before every stage, says no.
  /// Returns the stage that would come next.
  int run(int stage, std::function<bool(int stage)> const& goOn) const;

 private:
  std::vector<Dataset> datasets_;
  std::vector<Stage> stages_;
  std::vector<int> results_;
};

}  // namespace osi_cuda::response
