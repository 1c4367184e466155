// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/model/options.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/exact_pivots.hpp"

namespace osi_cuda::rational {

/// The rationals that the numbers of a linear program stand for, and proofs about those. With
/// ExactNumbers::doubles they are the doubles themselves. With ExactNumbers::decimals each double
/// is the shortest decimal that is read as it, as 1/10 is for 0.1.
///
/// Proofs need doubles that are exact. So decimals are proved in a problem of their own, lp(), that
/// has the same bases: rows, columns and costs are multiplied by powers of 5, and a coefficient
/// that needs more than 53 bits is shared among copies of its column. Bases that go in and out are
/// those of lp(); multipliers, rays and results are those of the given problem.
class ExactProblem {
 public:
  /// `given`, which is referred to, has no fault (findFault).
  ExactProblem(LinearProgram const& given, ExactNumbers numbers);
  ExactProblem(ExactProblem const&) = delete;  // lp() may be the given one
  ExactProblem& operator=(ExactProblem const&) = delete;

  LinearProgram const& lp() const { return scaled_ ? own_ : given_; }
  /// Doubles or decimals. Where all decimals are doubles, it is all the same.
  ExactNumbers numbers() const { return scaled_ ? ExactNumbers::decimals : ExactNumbers::doubles; }
  /// How many numbers stand for a decimal that is no double.
  std::size_t decimals() const { return decimals_; }
  /// Why the doubles are taken instead of the decimals that were asked for; mostly empty.
  std::string const& fault() const { return fault_; }

  Basis extended(Basis const& ofGiven) const;
  Basis restricted(Basis basis) const;

  BasisCheck check(Basis const& basis, Limits limits, Extras extras = {}) const;
  CertificateCheck infeasible(Basis const& basis, std::span<double const> multipliers,
                              Limits limits, bool fractions = false) const;
  CertificateCheck infeasible(ExactPivots const& last, Limits limits, bool fractions = false) const;
  CertificateCheck unbounded(Basis const& basis, std::span<double const> ray, Limits limits,
                             bool fractions = false) const;
  CertificateCheck unbounded(ExactPivots const& last, Limits limits, bool fractions = false) const;

 private:
  void choosePowers();
  void copyNumbers();
  /// What a column has beside its bounds.
  struct Column {
    double cost = 0.0;
    std::vector<std::pair<int, double>> entries;  ///< rows and values
  };
  std::vector<std::vector<Column>> copyColumns();
  std::vector<Column> copySides();
  void addColumn(Column const& column, std::string name, double lower, double upper);
  CertificateCheck restored(CertificateCheck check, bool ofRows) const;

  LinearProgram const& given_;
  bool scaled_ = false;  ///< else the given problem serves
  LinearProgram own_;
  std::vector<int> rowPower_, columnPower_;
  int costPower_ = 0;
  int copies_ = 0;  ///< columns of own_ behind the given ones, basic; then those fixed at 1
  std::vector<double> moved_;  ///< of a row: what its activity lacks in own_
  std::size_t decimals_ = 0;
  std::string fault_;
};

}  // namespace osi_cuda::rational
