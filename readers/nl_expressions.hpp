// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "readers/nl_tokens.hpp"

namespace osi_cuda::readers {

/// Terms, a constant: what an expression of a linear problem comes to. A column may have several
/// terms.
struct NlAffine {
  struct Term {
    int column;
    double coefficient;
  };
  std::vector<Term> terms;
  double constant = 0.0;

  /// Adds `factor` times `other`.
  void add(NlAffine const& other, double factor);
  /// A term for each column, zeros left out. Throws nothing but std::bad_alloc.
  void compact();
};

/// The expressions of a .nl file, written operator first. Sums, differences and products with
/// constants are taken; any other operator ends the reading with ReadError, since the problem is
/// not linear.
class NlExpressions {
 public:
  /// `variables`: columns of the problem; higher numbers are common expressions, of which there are
  /// `common`. `mostTerms` bounds the work that common expressions used many times may cause.
  NlExpressions(NlTokens& tokens, int variables, int common, std::uint64_t mostTerms);

  NlAffine read();
  /// A segment V behind its letter: defines a common expression. Throws ReadError for one that was
  /// defined before.
  void readCommon();
  /// Number of the first common expression without a segment V, or -1.
  int firstUndefined() const;

 private:
  NlAffine read(int depth);
  NlAffine operation(int depth);
  NlAffine reference();
  NlAffine sum(int depth);
  NlAffine product(NlAffine left, NlAffine right) const;
  void count(std::size_t terms);

  NlTokens& tokens_;
  int variables_;
  std::uint64_t termsLeft_;
  std::vector<NlAffine> common_;
  std::vector<char> defined_;
};

}  // namespace osi_cuda::readers
