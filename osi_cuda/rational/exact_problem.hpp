// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "osi_cuda/model/options.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/exact_pivots.hpp"
#include "osi_cuda/rational/meanings.hpp"

namespace osi_cuda::rational {

inline constexpr flint_bitcnt_t mostBits = 1000;  ///< of a whole number that is to be a double

/// The rationals that the numbers of a linear program stand for, and proofs about those. With
/// ExactNumbers::doubles they are the doubles themselves, else Meanings::meaningOf says which.
///
/// Proofs need doubles that are exact. So other rationals are proved in a problem of their own,
/// lp(), that has the same bases: rows, columns and costs are multiplied until all numbers are
/// whole over powers of two, and a coefficient that then needs more than 53 bits is shared among
/// copies of its column. Bases that go in and out are those of lp(); multipliers, rays and results
/// are those of the given problem.
class ExactProblem {
 public:
  /// `given`, which is referred to, has no fault (findFault).
  ExactProblem(LinearProgram const& given, ExactNumbers numbers,
               Meanings const* fractions = nullptr);
  ExactProblem(ExactProblem const&) = delete;  // lp() may be the given one
  ExactProblem& operator=(ExactProblem const&) = delete;

  LinearProgram const& lp() const { return scaled_ ? own_ : given_; }
  /// Automatic: doubles beside fractions. Doubles where all numbers are the doubles.
  ExactNumbers numbers() const { return scaled_ ? numbers_ : ExactNumbers::doubles; }
  /// How many numbers stand for another rational.
  std::size_t decimals() const { return decimals_; }
  /// Why the doubles are taken instead of the rationals that were asked for; mostly empty.
  std::string const& fault() const { return fault_; }

  Basis extended(Basis const& ofGiven) const;
  Basis restricted(Basis basis) const;

  BasisCheck check(Basis const& basis, Limits limits, Extras extras = {}) const;
  CertificateCheck infeasible(Basis const& basis, std::span<double const> multipliers,
                              Limits limits, bool fractions = false) const;
  /// The same by multipliers of the rows of lp(), or of the first of them.
  CertificateCheck infeasibleByOwn(Basis const& basis, std::vector<double> multipliers,
                                   Limits limits) const {
    if (!multipliers.empty()) multipliers.resize(lp().rowLower.size(), 0.0);
    return restored(proveInfeasible(lp(), basis, multipliers, std::move(limits)), true);
  }
  CertificateCheck infeasible(ExactPivots const& last, Limits limits, bool fractions = false) const;
  CertificateCheck unbounded(Basis const& basis, std::span<double const> ray, Limits limits,
                             bool fractions = false) const;
  CertificateCheck unbounded(ExactPivots const& last, Limits limits, bool fractions = false) const;

 private:
  void chooseFactors();
  class Multiple;
  Rational factorOf(int variable, Multiple multiple);
  int twinOf(int variable, bool upper) const;
  Rational const& meant(double number);
  bool cross(double lower, double upper);
  void note(double number);
  double boundOf(double bound, Rational const& factor);
  void copyNumbers();
  /// What a column has beside its bounds.
  struct Column {
    double cost = 0.0;
    std::vector<std::pair<int, double>> entries;  ///< rows and values
  };
  std::vector<std::vector<Column>> copyColumns();
  std::vector<Column> copySides();
  void addColumn(Column column, std::string name, double lower, double upper);
  CertificateCheck restored(CertificateCheck check, bool ofRows) const;

  LinearProgram const& given_;
  Meanings const fractions_;
  ExactNumbers const numbers_;
  bool scaled_ = false;  ///< else the given problem serves
  LinearProgram own_;
  /// Rows and costs of own_ over the given ones; columns: the given entries over those of own_.
  std::vector<Rational> row_, column_;
  Rational cost_{1.0};
  std::unordered_map<double, Rational> meant_;  ///< while own_ is made
  int copies_ = 0;  ///< columns of own_ behind the given ones, basic; then those fixed at 1
  /// A bound that is a row of own_ behind the given ones: of column j, or n + i of row i.
  struct Twin {
    int variable;
    bool upper;
    bool operator==(Twin const&) const = default;
  };
  std::vector<Twin> twins_;
  std::vector<double> moved_;  ///< of a row: what its activity lacks in own_
  std::size_t decimals_ = 0;
  std::string fault_;
};

}  // namespace osi_cuda::rational
