// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "examples/response/loop.hpp"

namespace osi_cuda::response {

/// A sum over bytes that tells one content from another (FNV-1a of 64 bits, over words of 8).
class Checksum {
 public:
  void add(std::span<std::byte const> bytes);
  template <class T>
  void add(std::vector<T> const& values) {
    add(std::as_bytes(std::span<T const>(values)));
  }
  template <class T>
  void addNumber(T const& value) {
    add(std::as_bytes(std::span<T const>(&value, 1)));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

/// Which problem a state belongs to: all that its run depends on, and a line for people.
struct ProblemIdentity {
  std::uint64_t checksum = 0;
  std::string words;
};

/// Writes what is live before `stage`: into a file beside `path`, synchronised to the disk and then
/// renamed, so that `path` has a whole state at any time, the old or the new one. Throws Failure
/// (cannotWrite); the old state stays then.
void saveState(std::string const& path, Loop const& loop, int stage,
               ProblemIdentity const& problem);

/// Fills what a state has and returns the stage before which it was saved. Throws Failure: noInput
/// if the file can't be read, badInput if it is no such file, was cut off or changed, or belongs to
/// another problem. Nothing of the loop is touched then.
int loadState(std::string const& path, Loop const& loop, ProblemIdentity const& problem);

}  // namespace osi_cuda::response
