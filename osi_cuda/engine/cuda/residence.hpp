// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace osi_cuda::cuda {

/// Says, as long as it lives, that numbers of the host lie on the present device as well: a caller
/// that has its matrix there saves the engine the upload, and an engine that holds a dense matrix
/// saves the interior point method of the same problem a second one. Whoever uses the numbers of an
/// engine does so while that engine is not called.
///
/// Numbers are known by their place in the host's memory, so the method has to begin after the
/// engine of the same solver has loaded the same form, as Solver sees to: then the last entry for a
/// place is of that load. An entry of another engine may outlive the model that it was made for,
/// whose memory another model has got since; that one's entry was made later. Who changes a matrix
/// in place loads anew (Solver::setCoefficients).
class Residence {
 public:
  /// How they lie there: as on the host, in memory of the caller's, which nobody writes to, or as
  /// an engine has the matrix whose numbers they are, by columns.
  enum class As { given, columns };

  Residence() = default;
  /// `count` numbers from `host` on lie at `there`.
  Residence(double const* host, std::size_t count, double const* there, As as);
  Residence(Residence&& other) noexcept : key_(std::exchange(other.key_, 0)) {}
  Residence& operator=(Residence&& other) noexcept {
    std::swap(key_, other.key_);
    return *this;
  }
  ~Residence();

  /// Where they lie on the present device, null: nowhere. They may still be on their way there.
  static double const* find(double const* host, std::size_t count, As as);

 private:
  std::size_t key_ = 0;  ///< 0: says nothing
};

}  // namespace osi_cuda::cuda
