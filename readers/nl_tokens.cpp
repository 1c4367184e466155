// SPDX-License-Identifier: EPL-2.0
#include "readers/nl_tokens.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "readers/number.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

static_assert(std::endian::native == std::endian::little,
              "binary .nl files are read as they lie in memory");

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

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
