// SPDX-License-Identifier: EPL-2.0
#include "readers/format_writers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "osi_cuda/base/decimal.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

std::string wholeNumber(long double value) {
  char digits[400];  // 2^1074 has 324
  std::snprintf(digits, sizeof digits, "%.0Lf", value);
  return digits;
}

/// The finite double as "p/q" or "p", in lowest terms.
std::string fractionOf(double value) {
  int exponent = 0;
  long double numerator = std::frexp(value + 0.0, &exponent);  // -0 is 0
  while (numerator != std::floor(numerator)) {
    numerator *= 2.0L;
    --exponent;
  }
  if (exponent >= 0) return wholeNumber(std::ldexp(numerator, exponent));
  return wholeNumber(numerator) + "/" + wholeNumber(std::ldexp(1.0L, -exponent));
}

/// The shortest decimal that is read as the finite double, as a fraction.
std::string decimalFractionOf(double value) {
  Decimal const decimal = shortestDecimal(value);
  std::string const digits = std::to_string(decimal.mantissa),
                    zeros(static_cast<std::size_t>(std::abs(decimal.exponent)), '0');
  return decimal.exponent >= 0 ? digits + zeros : digits + "/1" + zeros;
}

/// Blanks end a name, % begins a comment.
std::string nameOr(std::string name, char letter, int k) {
  bool const fits = !name.empty() && name[0] != '%' && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f;
  });
  return fits ? name : concat(letter, k + 1);
}

struct ViprWriter {
  void write() {
    if (!optimal_ && proof_.status != Status::infeasible)
      throw WriteError(
          "VIPR has no statement for an unbounded problem; a .json file holds its ray");
    variables();
    objective();
    constraints();
    if (optimal_)
      optimum();
    else
      contradiction();
  }

  std::string textOf(double number) const {
    return decimals_ && number != 0.0 ? decimalFractionOf(number) : fractionOf(number);
  }

  /// Variable v: column v, or row v - n.
  double lower(int v) const { return v < n_ ? lp_.columnLower[v] : lp_.rowLower[v - n_]; }
  double upper(int v) const { return v < n_ ? lp_.columnUpper[v] : lp_.rowUpper[v - n_]; }

  void variables() {
    out_ << "% a linear relaxation, its " << (decimals_ ? "decimals" : "doubles")
         << " as fractions; a column \"offset\" is fixed at 1\n"
         << "VER 1.0\nVAR " << n_ + hasOffset_ << '\n';
    for (int j = 0; j < n_; ++j) out_ << nameOr(lp_.columnName(j), 'C', j) << '\n';
    if (hasOffset_) out_ << "offset\n";
    out_ << "INT 0\n";
  }

  void objective() {
    auto const used = n_ - std::ranges::count(lp_.objective, 0.0);
    out_ << (lp_.sense == Sense::maximize ? "OBJ max\n" : "OBJ min\n")
         << static_cast<int>(used) + hasOffset_;
    for (int j = 0; j < n_; ++j)
      if (lp_.objective[j] != 0.0) out_ << ' ' << j << ' ' << textOf(lp_.objective[j]);
    if (hasOffset_) out_ << ' ' << n_ << ' ' << textOf(lp_.objectiveOffset);
    out_ << '\n';
  }

  /// Those of variable v, as far as its bounds are finite.
  void constraintsOf(int v) {
    bool const column = v < n_;
    std::string const name =
        column ? nameOr(lp_.columnName(v), 'C', v) : nameOr(lp_.rowName(v - n_), 'R', v - n_);
    auto const add = [&](char const* prefix, char sense, double side) {
      text_ << prefix << name << ' ' << sense << ' ' << textOf(side) << "  ";
      if (column) {
        text_ << "1 " << v << " 1\n";
        return count_++;
      }
      auto const line = byRows_.column(v - n_);
      text_ << static_cast<int>(line.size());
      for (auto const [j, a] : line) text_ << ' ' << j << ' ' << textOf(a);
      text_ << '\n';
      return count_++;
    };
    if (lower(v) == infinity || upper(v) == -infinity)
      throw WriteError("VIPR has no statement for the bounds of " + name +
                       ", which no number keeps");
    lowerConstraint_.push_back(-1);
    upperConstraint_.push_back(-1);
    if (lower(v) == upper(v)) {
      lowerConstraint_.back() = upperConstraint_.back() = add("eq_", 'E', lower(v));
      return;
    }
    if (std::isfinite(lower(v))) lowerConstraint_.back() = add("lo_", 'G', lower(v));
    if (std::isfinite(upper(v))) upperConstraint_.back() = add("up_", 'L', upper(v));
  }

  void constraints() {
    for (int j = 0; j < n_; ++j) constraintsOf(j);
    offsetConstraint_ = count_;
    if (hasOffset_) {
      text_ << "offset E 1  1 " << n_ << " 1\n";
      ++count_;
    }
    int const bounds = count_;
    for (int i = 0; i < lp_.rows(); ++i) constraintsOf(n_ + i);
    out_ << "CON " << count_ << ' ' << bounds << '\n' << text_.text();
  }

  struct Term {
    int constraint;
    std::string weight;
  };

  /// Weights that are not 0 on the constraints that they need: a positive one takes the lower
  /// bound for a bound from below.
  std::vector<Term> combination(bool fromBelow) const {
    std::vector<Term> terms;
    for (int v = 0; v < n_ + lp_.rows(); ++v) {
      std::string const& weight =
          v < n_ ? proof_.columnMultipliers[v] : proof_.rowMultipliers[v - n_];
      if (weight == "0") continue;
      bool const wantsLower = (weight[0] != '-') == fromBelow;
      terms.push_back({(wantsLower ? lowerConstraint_ : upperConstraint_)[v], weight});
    }
    return terms;
  }

  void derive(std::string const& claim, std::vector<Term> const& terms) {
    out_ << "DER 1\nproof " << claim << " { lin " << static_cast<int>(terms.size());
    for (Term const& term : terms) out_ << ' ' << term.constraint << ' ' << term.weight;
    out_ << " } -1\n";
  }

  void optimum() {
    bool const fromBelow = lp_.sense == Sense::minimize;
    out_ << "RTP range " << proof_.objective << ' ' << proof_.objective << "\nSOL 1\noptimum "
         << static_cast<int>(n_ - std::ranges::count(proof_.point, "0")) + hasOffset_;
    for (int j = 0; j < n_; ++j)
      if (proof_.point[j] != "0") out_ << ' ' << j << ' ' << proof_.point[j];
    if (hasOffset_) out_ << ' ' << n_ << " 1";
    out_ << '\n';
    std::vector<Term> terms = combination(fromBelow);
    if (hasOffset_) terms.push_back({offsetConstraint_, textOf(lp_.objectiveOffset)});
    derive((fromBelow ? "G " : "L ") + proof_.objective + " OBJ", terms);
  }

  void contradiction() {
    out_ << "RTP infeas\nSOL 0\n";
    if (proof_.crossed < 0) return derive("G 1 0", combination(true));
    derive("G 1 0",
           {{lowerConstraint_[proof_.crossed], "1"}, {upperConstraint_[proof_.crossed], "-1"}});
  }

  Output& out_;
  LinearProgram const& lp_;
  ExactCertificate const& proof_;
  SparseMatrix const byRows_ = lp_.matrix.transposed();
  bool const decimals_ = proof_.numbers == ExactNumbers::decimals;
  bool const optimal_ = proof_.status == Status::optimal;
  bool const hasOffset_ = lp_.objectiveOffset != 0.0;
  int const n_ = lp_.columns();
  Output text_ = {};  // of the constraints, which are counted first
  int count_ = 0;     // constraints
  int offsetConstraint_ = 0;
  std::vector<int> lowerConstraint_ = {}, upperConstraint_ = {};  // by variable; -1: none
};

}  // namespace

void writeVipr(Output& out, LinearProgram const& lp, ExactCertificate const& proof) {
  ViprWriter{out, lp, proof}.write();
}

}  // namespace osi_cuda::readers
