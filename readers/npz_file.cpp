// SPDX-License-Identifier: EPL-2.0
#include "readers/npz_file.hpp"

#include <algorithm>
#include <bit>

namespace osi_cuda::readers {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie here");

NpzFile::NpzFile(Output& out) : zip_([&out](std::string_view bytes) { out << bytes; }) {}

NpzFile::NpzFile(std::string const& path)
    : own_(std::make_unique<Output>(path)),
      zip_([out = own_.get()](std::string_view bytes) { *out << bytes; }) {}

void NpzFile::put(std::string const& name, std::string const& header, Content const& content) {
  zip_.add(name + ".npy", [&](ZipWriter::Sink const& sink) {
    sink(header);
    content(sink);
  });
}

void NpzFile::put(std::string const& name, std::string const& header, std::string_view bytes) {
  put(name, header, [bytes](ZipWriter::Sink const& sink) { sink(bytes); });
}

void NpzFile::add(std::string const& name, Shape const& shape, Content const& content) {
  put(name, npyHeader(description<double>(), shape), content);
}

void NpzFile::add(std::string const& name, std::span<std::string const> texts) {
  std::size_t longest = 1;
  for (std::string const& text : texts) longest = std::max(longest, text.size());
  put(name, npyHeader(concat("|S", longest), {texts.size()}), [&](ZipWriter::Sink const& sink) {
    for (std::string text : texts) {
      text.resize(longest, '\0');
      sink(text);
    }
  });
}

void NpzFile::addText(std::string const& name, std::string const& text) {
  put(name, npyHeader(concat("|S", text.size()), {}), text);
}

void NpzFile::close() {
  zip_.finish();
  if (own_) own_->close();
}

}  // namespace osi_cuda::readers
