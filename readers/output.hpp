// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::readers {

/// The regular file, there or not yet, whose place an Output to `path` takes: what `path` is at the
/// end of its symbolic links, in its folder's canonical path. Empty for what is written directly:
/// standard output (`-`), devices, pipes and whatever a process has open (/dev/stdout, /dev/fd/3);
/// and for folders.
std::string replacedFile(std::string const& path);

/// Text on its way to a file, in blocks. Throws WriteError where it can't be written.
///
/// The file is whole or as before: it is written beside its place, with the old file's permissions,
/// stored, and renamed by close(). Without close() it is removed.
class Output {
 public:
  /// `path` is created or replaced; `-` is standard output.
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
  void openBeside();
  void takePlace();
  void flush();
  void writeOut(std::string_view text);

  std::string path_;
  std::string target_, beside_;  // empty: written directly
  std::FILE* file_ = nullptr;    // null: in memory
  std::string buffer_;
};

/// A file with this text. Throws WriteError.
void writeWhole(std::string const& path, std::string_view text);

/// The shortest decimal that reads back as the same double; "inf" and "-inf".
std::string shortest(double value);
std::string shortest(long double value);

}  // namespace osi_cuda::readers
