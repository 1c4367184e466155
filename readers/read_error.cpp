// SPDX-License-Identifier: EPL-2.0
#include "readers/read_error.hpp"

#include "readers/words.hpp"

#include <system_error>

namespace osi_cuda::readers {

ReadError::ReadError(std::string fileName, std::int64_t lineNumber, std::int64_t columnNumber,
                     std::string expectedText, std::string foundText)
    : std::runtime_error(concat(fileName, ":", lineNumber, ":", columnNumber, ": expected ",
                                expectedText, ", found ", foundText)),
      file_(std::move(fileName)),
      line_(lineNumber),
      column_(columnNumber),
      expected_(std::move(expectedText)),
      found_(std::move(foundText)) {}

ReadError::ReadError(std::string fileName, std::string const& part, std::string expectedText,
                     std::string foundText)
    : std::runtime_error(fileName + ": " + part + ": expected " + expectedText + ", found " +
                         foundText),
      file_(std::move(fileName)),
      line_(0),
      column_(0),
      expected_(std::move(expectedText)),
      found_(std::move(foundText)) {}

OpenError::OpenError(std::string const& path, int errorCode)
    : std::runtime_error(path + ": " + std::generic_category().message(errorCode)),
      code_(errorCode) {}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  bool const isLong = word.size() > longest;
  std::string result = "\"";
  for (char c : word.substr(0, longest)) result += isControl(c) ? '?' : c;
  return result + (isLong ? "...\"" : "\"");
}

}  // namespace osi_cuda::readers
