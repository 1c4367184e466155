// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "osi_cuda/base/concat.hpp"

namespace osi_cuda::readers {

/// What a reader says of a file that it can't read. what() is one line:
///
///     FILE:LINE:COLUMN: expected EXPECTED, found FOUND
///
/// and of a file that is no text
///
///     FILE: PART: expected EXPECTED, found FOUND
class ReadError : public std::runtime_error {
 public:
  ReadError(std::string file, std::int64_t line, std::int64_t column, std::string expected,
            std::string found);
  /// `part`: what is wrong in a file without lines; line() and column() are 0.
  ReadError(std::string file, std::string const& part, std::string expected, std::string found);

  std::string const& file() const { return file_; }
  std::int64_t line() const { return line_; }      ///< counted from 1
  std::int64_t column() const { return column_; }  ///< in bytes, counted from 1
  std::string const& expected() const { return expected_; }
  std::string const& found() const { return found_; }

 private:
  std::string file_;
  std::int64_t line_;
  std::int64_t column_;
  std::string expected_;
  std::string found_;
};

/// A file that can't be opened: it does not exist, is a directory, may not be read.
class OpenError : public std::runtime_error {
 public:
  /// `code`: the errno of the failed call.
  OpenError(std::string const& path, int code);
  int code() const { return code_; }

 private:
  int code_;
};

/// A file that can't be written, or a model that the chosen format can't hold.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// ReadOptions::interrupted answered true.
class ReadInterrupted : public std::runtime_error {
 public:
  ReadInterrupted() : std::runtime_error("reading was interrupted") {}
};

/// A word of a file as a message shows it: in quotes, shortened, without control characters.
std::string quoted(std::string_view word);

}  // namespace osi_cuda::readers
