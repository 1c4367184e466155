// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::readers {

/// The numbers and letters of a .nl file, whose segments are the same in text and in binary form.
/// Of text the place of a fault is known by line and column; of binary bytes by their number.
class NlTokens {
 public:
  /// `bytes` and `name` have to outlive the object.
  NlTokens(std::string_view bytes, std::string const& name) : bytes_(bytes), name_(name) {}

  /// The next line, which is text in both forms: the header is made of such.
  std::string_view line();
  /// From here on numbers are binary: 32-bit integers and doubles, the least significant byte
  /// first.
  void beginBinary() { binary_ = true; }

  bool atEnd();  ///< skips blanks and comments of text
  char letter(char const* expected);
  int integer(char const* expected);
  int shortInteger(char const* expected);  ///< 16 bits in binary
  double number(char const* expected);
  /// A name: of text up to the next blank, of binary its length and its characters.
  std::string_view word(char const* expected);

  /// Bytes that were not read yet: no list can have more entries.
  std::size_t left() const { return bytes_.size() - at_; }

  /// Throws the ReadError for what was read last, or for the present place.
  [[noreturn]] void fail(std::string expected, std::string found) const;
  /// The same for a line of the header, counted from 1.
  [[noreturn]] void failInLine(std::int64_t line, std::string expected, std::string found) const;

 private:
  std::string_view textWord(char const* expected);
  void skipBlanks();
  template <class Value>
  Value binaryValue(char const* expected);

  std::string_view bytes_;
  std::string const& name_;
  std::size_t at_ = 0;
  std::size_t last_ = 0;  ///< where the token began that was read last
  bool binary_ = false;
};

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
