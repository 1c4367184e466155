// SPDX-License-Identifier: EPL-2.0
#include "readers/npz_file.hpp"

#include <algorithm>
#include <bit>

#include "readers/npy_header.hpp"

namespace osi_cuda::readers {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie here");

template <class Value>
std::string_view bytesOf(std::span<Value const> values) {
  return {reinterpret_cast<char const*>(values.data()), values.size_bytes()};
}

}  // namespace

NpzFile::NpzFile(std::string const& path)
    : out_(path), zip_([this](std::string_view bytes) { out_ << bytes; }) {}

void NpzFile::put(std::string const& name, std::string const& header, std::string_view bytes) {
  zip_.add(name + ".npy", [&](ZipWriter::Sink const& sink) {
    sink(header);
    sink(bytes);
  });
}

void NpzFile::add(std::string const& name, std::vector<std::uint64_t> const& shape,
                  std::span<double const> values) {
  put(name, npyHeader("<f8", shape, NpyOrder::c), bytesOf(values));
}
void NpzFile::add(std::string const& name, std::vector<std::uint64_t> const& shape,
                  std::span<std::int64_t const> values) {
  put(name, npyHeader("<i8", shape, NpyOrder::c), bytesOf(values));
}
void NpzFile::add(std::string const& name, std::span<std::string const> texts) {
  std::size_t longest = 1;
  for (std::string const& text : texts) longest = std::max(longest, text.size());
  std::string bytes;
  for (std::string const& text : texts) {
    bytes += text;
    bytes.append(longest - text.size(), '\0');
  }
  put(name, npyHeader("|S" + std::to_string(longest), {texts.size()}), bytes);
}

void NpzFile::close() {
  zip_.finish();
  out_.close();
}

}  // namespace osi_cuda::readers
