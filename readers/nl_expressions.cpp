// SPDX-License-Identifier: EPL-2.0
#include "readers/nl_expressions.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ranges>
#include <utility>

#include "readers/number.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

namespace {

// Operators nest by recursion; a program's stack holds far more of them than any model has.
constexpr int mostDepth = 2000;

// The operators of David Gay, "Writing .nl Files" (2005), table 8.
enum Operator { plus = 0, minus = 1, times = 2, divide = 3, negate = 16, sumOfMany = 54 };

/// Those of other operators, in runs of consecutive numbers.
constexpr std::pair<int, std::string_view> operatorNames[] = {
    {4, "rem,a power,less"},
    {11, "min,max,floor,ceil,abs"},
    {20, "or,and,<,<=,="},
    {28, ">=,>,!="},
    {34, "not,if"},
    {37, "tanh,tan,sqrt,sinh,sin,log10,log,exp,cosh,cos,atanh,atan2,atan,asinh,asin,acosh,acos"},
    {55, "div"},
    {64, "a piecewise linear term"},
    {75, "a power,a square,a power"}};

std::string nameOf(int number) {
  std::string const sign = concat("operator ", number);
  for (auto const& [first, names] : operatorNames) {
    int known = first;
    for (auto const& name : std::views::split(names, ','))
      if (known++ == number) return std::string(name.begin(), name.end()) + " (" + sign + ")";
  }
  return sign;
}

constexpr char linearOnly[] = "a linear expression, since only linear problems are solved";

static_assert(std::endian::native == std::endian::little,
              "binary .nl files are read as they lie in memory");

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

void NlAffine::add(NlAffine const& other, double factor) {
  for (Term const& term : other.terms) terms.push_back({term.column, factor * term.coefficient});
  constant += factor * other.constant;
}

void NlAffine::compact() {
  std::ranges::stable_sort(terms, {}, &Term::column);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < terms.size();) {
    Term sum = terms[k++];
    while (k < terms.size() && terms[k].column == sum.column)
      sum.coefficient += terms[k++].coefficient;
    if (sum.coefficient != 0.0) terms[kept++] = sum;
  }
  terms.resize(kept);
}

NlExpressions::NlExpressions(NlTokens& tokens, int variables, int common, std::uint64_t mostTerms)
    : tokens_(tokens),
      variables_(variables),
      termsLeft_(mostTerms),
      common_(at(common)),
      defined_(at(common), 0) {}

NlAffine NlExpressions::read() {
  return read(0);
}

void NlExpressions::readCommon() {
  int const asked = tokens_.integer("the number of a common expression");
  std::int64_t const number = std::int64_t{asked} - variables_;
  if (number < 0 || at(number) >= common_.size())
    tokens_.fail("the number of a common expression", std::to_string(asked));
  if (defined_[at(number)])
    tokens_.fail("each common expression once", concat(asked, " a second time"));
  NlAffine linear;
  int const count = tokens_.integer("a number of linear terms");
  tokens_.integer("where the expression is used");
  for (int k = 0; k < count; ++k) {
    int const column = tokens_.integer("the number of a variable");
    if (column < 0 || column >= variables_)
      tokens_.fail(concat("the number of a variable below ", variables_), std::to_string(column));
    linear.terms.push_back({column, tokens_.number("a coefficient")});
  }
  linear.add(read(0), 1.0);
  linear.compact();
  common_[at(number)] = std::move(linear);
  defined_[at(number)] = 1;
}

int NlExpressions::firstUndefined() const {
  auto const place = std::ranges::find(defined_, 0);
  return place == defined_.end() ? -1 : variables_ + static_cast<int>(place - defined_.begin());
}

void NlExpressions::count(std::size_t terms) {
  if (terms > termsLeft_)
    tokens_.fail("expressions of fewer terms", "common expressions in common expressions");
  termsLeft_ -= terms;
}

NlAffine NlExpressions::read(int depth) {
  if (depth > mostDepth)
    tokens_.fail(concat("at most ", mostDepth, " operators in each other"), "more");
  switch (char const kind = tokens_.letter("an expression")) {
    case 'n':
      return {{}, tokens_.number("a constant")};
    case 's':
      return {{}, static_cast<double>(tokens_.shortInteger("a constant"))};
    case 'l':
      return {{}, static_cast<double>(tokens_.integer("a constant"))};
    case 'v':
      return reference();
    case 'o':
      return operation(depth);
    case 'f':
      tokens_.fail(linearOnly, "a call of an imported function");
    case 'h':
      tokens_.fail(linearOnly, "a string");
    default:
      tokens_.fail("an expression (n, s, l, v, o, f or h)", quoted(std::string(1, kind)));
  }
}

NlAffine NlExpressions::reference() {
  int const number = tokens_.integer("the number of a variable");
  if (number >= 0 && number < variables_) return {{{number, 1.0}}, 0.0};
  std::int64_t const common = std::int64_t{number} - variables_;
  if (number < 0 || common >= static_cast<std::int64_t>(common_.size()) || !defined_[at(common)])
    tokens_.fail("a variable or a common expression defined before", std::to_string(number));
  NlAffine const& expression = common_[at(common)];
  count(expression.terms.size());
  return expression;
}

NlAffine NlExpressions::operation(int depth) {
  int const number = tokens_.integer("an operator");
  switch (number) {
    case plus:
    case minus: {
      NlAffine left = read(depth + 1);
      NlAffine const right = read(depth + 1);
      count(right.terms.size());
      left.add(right, number == plus ? 1.0 : -1.0);
      return left;
    }
    case times: {
      NlAffine left = read(depth + 1);
      return product(std::move(left), read(depth + 1));
    }
    case divide: {
      NlAffine const left = read(depth + 1);
      NlAffine const right = read(depth + 1);
      if (!right.terms.empty()) tokens_.fail(linearOnly, "a division by variables");
      if (right.constant == 0.0) tokens_.fail("a divisor", "0");
      NlAffine quotient;
      for (NlAffine::Term const& term : left.terms)
        quotient.terms.push_back({term.column, term.coefficient / right.constant});
      quotient.constant = left.constant / right.constant;
      return quotient;
    }
    case negate: {
      NlAffine negative;
      negative.add(read(depth + 1), -1.0);
      return negative;
    }
    case sumOfMany:
      return sum(depth);
    default:
      tokens_.fail(linearOnly, nameOf(number));
  }
}

NlAffine NlExpressions::sum(int depth) {
  int const count = tokens_.integer("a number of terms");
  NlAffine total;
  for (int k = 0; k < count; ++k) {
    NlAffine const part = read(depth + 1);
    this->count(part.terms.size());
    total.add(part, 1.0);
  }
  return total;
}

NlAffine NlExpressions::product(NlAffine left, NlAffine right) const {
  left.compact();  // x - x is a constant
  right.compact();
  if (!left.terms.empty() && !right.terms.empty())
    tokens_.fail(linearOnly, "a product of variables");
  NlAffine result;
  result.add(left.terms.empty() ? right : left,
             left.terms.empty() ? left.constant : right.constant);
  return result;
}

std::string_view NlTokens::line() {
  last_ = at_;
  std::size_t const end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::string_view text = bytes_.substr(at_, end - at_);
  at_ = std::min(end + 1, bytes_.size());
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void NlTokens::skipBlanks() {
  while (at_ < bytes_.size()) {
    if (isSpace(bytes_[at_])) {
      ++at_;
    } else if (bytes_[at_] == '#') {
      at_ = std::min(bytes_.find('\n', at_), bytes_.size());
    } else {
      return;
    }
  }
}

bool NlTokens::atEnd() {
  if (!binary_) skipBlanks();
  return at_ == bytes_.size();
}

char NlTokens::letter(char const* expected) {
  bool const end = atEnd();
  last_ = at_;
  if (end) fail(expected, "the end of the file");
  return bytes_[at_++];
}

template <class Value>
Value NlTokens::binaryValue(char const* expected) {
  last_ = at_;
  if (left() < sizeof(Value)) fail(expected, "the end of the file");
  Value value;
  std::memcpy(&value, bytes_.data() + at_, sizeof(Value));
  at_ += sizeof(Value);
  return value;
}

std::string_view NlTokens::textWord(char const* expected) {
  bool const end = atEnd();
  last_ = at_;
  if (end) fail(expected, "the end of the file");
  while (at_ < bytes_.size() && !isSpace(bytes_[at_]) && bytes_[at_] != '#') ++at_;
  return bytes_.substr(last_, at_ - last_);
}

int NlTokens::integer(char const* expected) {
  if (binary_) return binaryValue<std::int32_t>(expected);
  std::string_view const word = textWord(expected);
  std::optional<int> const value = wholeNumber<int>(word);
  if (!value) fail(expected, quoted(word));
  return *value;
}

int NlTokens::shortInteger(char const* expected) {
  return binary_ ? binaryValue<std::int16_t>(expected) : integer(expected);
}

double NlTokens::number(char const* expected) {
  if (binary_) return binaryValue<double>(expected);
  std::string_view const word = textWord(expected);
  Number const number = parseNumber(word);
  if (number.fault != NumberFault::none && number.fault != NumberFault::infinite)
    fail(expected, quoted(word));
  return number.value;
}

std::string_view NlTokens::word(char const* expected) {
  if (!binary_) return textWord(expected);
  int const length = integer(expected);
  if (length < 0 || at(length) > left()) fail(expected, concat("a length of ", length));
  std::string_view const text = bytes_.substr(at_, at(length));
  at_ += text.size();
  // Some writers count the zero at the end of C's strings.
  return text.substr(0, std::min(text.find('\0'), text.size()));
}

void NlTokens::fail(std::string expected, std::string found) const {
  if (binary_)
    throw ReadError(name_, concat("byte ", last_), std::move(expected), std::move(found));
  std::string_view const before = bytes_.substr(0, last_);
  auto const line = std::ranges::count(before, '\n') + 1;
  std::size_t const start = before.rfind('\n');
  std::size_t const column = start == before.npos ? last_ : last_ - start - 1;
  throw ReadError(name_, line, static_cast<std::int64_t>(column) + 1, std::move(expected),
                  std::move(found));
}

void NlTokens::failInLine(std::int64_t line, std::string expected, std::string found) const {
  throw ReadError(name_, line, 1, std::move(expected), std::move(found));
}

}  // namespace osi_cuda::readers
