// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace osi_cuda::readers {

/// Text on its way to a file, in blocks. Throws WriteError where it can't be written; a file that
/// was begun and not closed is left as it is.
class Output {
 public:
  /// `path` is created or overwritten; `-` is standard output.
  explicit Output(std::string const& path);
  /// Text that is kept in memory, for text().
  Output() = default;
  Output(Output const&) = delete;
  Output& operator=(Output const&) = delete;
  ~Output();

  Output& operator<<(std::string_view text);
  Output& operator<<(char c);
  /// The shortest decimal that reads back as the same double.
  Output& operator<<(double value);
  Output& operator<<(int value);

  /// Writes what is left and closes. To be called once, at the end: errors of a full disk show
  /// here.
  void close();

  std::string const& text() const { return buffer_; }

 private:
  void flush();
  void writeOut(std::string_view text);

  std::string path_;
  std::FILE* file_ = nullptr;  // null: in memory
  std::string buffer_;
};

/// A file with this text. Throws WriteError.
void writeWhole(std::string const& path, std::string_view text);

/// The shortest decimal that reads back as the same double; "inf" and "-inf".
std::string shortest(double value);
std::string shortest(long double value);

}  // namespace osi_cuda::readers
