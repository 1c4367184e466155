// SPDX-License-Identifier: EPL-2.0
#include "readers/output.hpp"

#include <cerrno>
#include <charconv>
#include <system_error>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t blockSize = std::size_t{1} << 18;

[[noreturn]] void failWith(std::string const& path, int code) {
  throw WriteError(path + ": " + std::generic_category().message(code));
}

}  // namespace

std::string shortest(double value) {
  char digits[40];
  auto const [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  return code == std::errc{} ? std::string(digits, end) : std::string();
}

std::string shortest(long double value) {
  char digits[60];
  auto const [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  return code == std::errc{} ? std::string(digits, end) : std::string();
}

Output::Output(std::string const& path) : path_(path == "-" ? "standard output" : path) {
  file_ = path == "-" ? stdout : std::fopen(path.c_str(), "we");
  if (!file_) failWith(path_, errno);
}

Output::~Output() {
  if (file_ && file_ != stdout) std::fclose(file_);
}

Output& Output::operator<<(std::string_view text) {
  if (file_ && text.size() >= blockSize) {  // not copied: a whole file may come at once
    flush();
    writeOut(text);
    return *this;
  }
  buffer_ += text;
  if (file_ && buffer_.size() >= blockSize) flush();
  return *this;
}

Output& Output::operator<<(char c) {
  return *this << std::string_view(&c, 1);
}

Output& Output::operator<<(double value) {
  return *this << shortest(value);
}

Output& Output::operator<<(int value) {
  return *this << std::to_string(value);
}

void Output::writeOut(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failWith(path_, errno);
}

void Output::flush() {
  writeOut(buffer_);
  buffer_.clear();
}

void Output::close() {
  if (!file_) return;
  flush();
  std::FILE* const file = file_;
  file_ = nullptr;
  bool const failed = file == stdout ? std::fflush(file) != 0 : std::fclose(file) != 0;
  if (failed) failWith(path_, errno);
}

void writeWhole(std::string const& path, std::string_view text) {
  Output out(path);
  out << text;
  out.close();
}

}  // namespace osi_cuda::readers
