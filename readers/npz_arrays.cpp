// SPDX-License-Identifier: EPL-2.0
#include "readers/npz_arrays.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

[[noreturn]] void refuse(std::string expected, std::string found) {
  throw InputFault(std::move(expected), std::move(found));
}

/// `count` elements of one type, converted.
template <class Stored, class Value>
void convert(char const* bytes, std::uint64_t count, bool swapped, Value* values) {
  for (std::uint64_t k = 0; k < count; ++k) {
    char element[sizeof(Stored)];
    std::memcpy(element, bytes + k * sizeof(Stored), sizeof(Stored));
    if (swapped) std::reverse(element, element + sizeof(Stored));
    Stored stored;
    std::memcpy(&stored, element, sizeof stored);
    values[k] = static_cast<Value>(stored);
  }
}

template <class Value>
void convert(NpyHeader const& header, char const* bytes, std::uint64_t count, Value* values) {
  bool const swapped = header.bigEndian != (std::endian::native == std::endian::big);
  bool const isSigned = header.kind == 'i';
  switch (header.itemSize) {
    case 1:
      return isSigned ? convert<std::int8_t>(bytes, count, swapped, values)
                      : convert<std::uint8_t>(bytes, count, swapped, values);
    case 2:
      return isSigned ? convert<std::int16_t>(bytes, count, swapped, values)
                      : convert<std::uint16_t>(bytes, count, swapped, values);
    case 4:
      if (header.kind == 'f') return convert<float>(bytes, count, swapped, values);
      return isSigned ? convert<std::int32_t>(bytes, count, swapped, values)
                      : convert<std::uint32_t>(bytes, count, swapped, values);
    default:
      if (header.kind == 'f') return convert<double>(bytes, count, swapped, values);
      return isSigned ? convert<std::int64_t>(bytes, count, swapped, values)
                      : convert<std::uint64_t>(bytes, count, swapped, values);
  }
}

void appendUtf8(std::string& text, std::uint32_t character) {
  auto const continued = [character](int shift) {
    return static_cast<char>(0x80 | (character >> shift & 0x3f));
  };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += {static_cast<char>(0xc0 | character >> 6), continued(0)};
  } else if (character < 0x10000) {
    text += {static_cast<char>(0xe0 | character >> 12), continued(6), continued(0)};
  } else {
    text += {static_cast<char>(0xf0 | character >> 18), continued(12), continued(6), continued(0)};
  }
}

/// One element of an array of texts, without the zeros that fill it up to the longest.
std::string textAt(NpyHeader const& header, char const* element) {
  std::string text;
  if (header.kind == 'S') {
    text.assign(element, header.itemSize);
  } else {
    std::vector<std::uint32_t> characters(header.itemSize / 4);
    NpyHeader four = header;
    four.kind = 'u';
    four.itemSize = 4;
    convert(four, element, characters.size(), characters.data());
    while (!characters.empty() && characters.back() == 0) characters.pop_back();
    for (std::uint32_t const character : characters) {
      bool const isHalf = character >= 0xd800 && character < 0xe000;
      if (isHalf || character > 0x10ffff) refuse("Unicode characters", "something else");
      appendUtf8(text, character);
    }
  }
  while (text.ends_with('\0')) text.pop_back();
  return text;
}

}  // namespace

void NpzWork::forEach(std::int64_t count, std::function<void(std::int64_t)> const& part) const {
  std::atomic<std::int64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr fault;
  auto const run = [&](bool asks) {
    try {
      for (std::int64_t k = next++; k < count; k = next++) {
        if (asks && interrupted && interrupted()) throw ReadInterrupted();
        part(k);
      }
    } catch (...) {
      next = count;
      std::lock_guard const lock(mutex);
      if (!fault) fault = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  std::int64_t const helpers = std::min<std::int64_t>(threads, count) - 1;
  for (std::int64_t k = 0; k < helpers; ++k) others.emplace_back([&run] { run(false); });
  run(true);
  others.clear();  // joined
  if (fault) std::rethrow_exception(fault);
}

NpzArray::NpzArray(RandomAccess const& file, ZipMember const& member)
    : file_(file), member_(member), name_(member.name) {
  constexpr std::string_view ending = ".npy";
  constexpr std::uint64_t longestHeader = 1 << 16;
  if (name_.ends_with(ending)) name_.resize(name_.size() - ending.size());
  ZipContent content(file, member);
  std::string start(npyStart, '\0');
  if (member.size < start.size()) refuse("an array of NumPy", "something else");
  content.read(start);
  std::uint64_t const size = npyHeaderSize(start).value_or(0);
  if (size < start.size() || size > std::min(member.size, longestHeader))
    refuse("an array of NumPy", "something else");
  start.resize(size);
  content.read(std::span<char>(start).subspan(npyStart));
  header_ = parseNpyHeader(start);
  std::uint64_t const bytes = header_.elements() * header_.itemSize;
  if (bytes != member.size - size)
    refuse(concat(bytes, " bytes for shape ", shapeText()), std::to_string(member.size - size));
}

std::string NpzArray::shapeText() const {
  std::string text;
  for (std::uint64_t const dimension : header_.shape)
    text += concat(text.empty() ? "" : " x ", dimension);
  return text.empty() ? "a single value" : text;
}

std::uint64_t NpzArray::expandedSize() const {
  std::uint64_t const each = isNumber() ? std::max<std::uint64_t>(header_.itemSize, sizeof(double))
                                        : header_.itemSize + sizeof(std::string);
  std::uint64_t bytes = 0;
  bool const overflows = __builtin_mul_overflow(header_.elements(), each, &bytes);
  return overflows ? std::numeric_limits<std::uint64_t>::max() : bytes;
}

void NpzArray::forEachBlock(
    NpzWork const& work,
    std::function<void(std::uint64_t first, std::span<char const>)> const& take) const {
  std::uint64_t const elements = header_.elements();
  std::uint64_t const size = std::max<std::uint64_t>(header_.itemSize, 1);
  std::uint64_t const most = std::max<std::uint64_t>(1, usualRun * sizeof(double) / size);
  ZipContent content(file_, member_);
  std::vector<char> bytes(header_.size);
  content.read(bytes);
  for (std::uint64_t first = 0; first < elements; first += most) {
    if (work.interrupted && work.interrupted()) throw ReadInterrupted();
    bytes.resize(std::min(most, elements - first) * header_.itemSize);
    content.read(bytes);
    take(first, bytes);
  }
  content.finish();
}

std::vector<std::int64_t> NpzArray::integers(NpzWork const& work) const {
  std::vector<std::int64_t> values(header_.elements());
  forEachBlock(work, [&](std::uint64_t first, std::span<char const> bytes) {
    convert(header_, bytes.data(), bytes.size() / header_.itemSize, values.data() + first);
  });
  return values;
}

std::vector<double> NpzArray::numbers(NpzWork const& work) const {
  std::vector<double> values(header_.elements());
  forEachRun(usualRun, values.data(), work, [](std::uint64_t, std::span<double const>) {});
  return values;
}

std::vector<std::string> NpzArray::texts(NpzWork const& work) const {
  std::uint64_t const size = header_.itemSize;
  std::vector<std::string> texts(header_.elements());
  if (size == 0) return texts;
  forEachBlock(work, [&](std::uint64_t first, std::span<char const> bytes) {
    for (std::uint64_t k = 0; k < bytes.size() / size; ++k)
      texts[first + k] = textAt(header_, bytes.data() + k * size);
  });
  return texts;
}

bool NpzArray::isNative() const {
  return header_.kind == 'f' && header_.itemSize == sizeof(double) &&
         header_.bigEndian == (std::endian::native == std::endian::big);
}

void NpzArray::forEachRun(
    std::uint64_t perRun, double* place, NpzWork const& work,
    std::function<void(std::uint64_t, std::span<double const>)> const& take) const {
  std::uint64_t const elements = header_.elements(), itemSize = header_.itemSize;
  std::uint64_t const runs = (elements + perRun - 1) / perRun;
  bool const native = isNative();

  // One run: its bytes come from `read`; returns their check sum.
  auto const handle = [&](std::uint64_t k, auto const& read) {
    std::uint64_t const first = k * perRun;
    std::uint64_t const count = std::min(perRun, elements - first);
    std::vector<double> own(place ? 0 : count);
    std::span<double> const values(place ? place + first : own.data(), count);
    std::vector<char> other(native ? 0 : values.size() * itemSize);
    std::span<char> const bytes =
        native ? std::span(reinterpret_cast<char*>(values.data()), values.size_bytes()) : other;
    read(first * itemSize, bytes);
    if (!native) convert(header_, bytes.data(), values.size(), values.data());
    take(first, values);
    return zipCheckSum(0, bytes);
  };

  if (member_.method == ZipMethod::deflated) {  // from its beginning to its end, by one thread
    ZipContent content(file_, member_);
    std::vector<char> header(header_.size);
    content.read(header);
    for (std::uint64_t k = 0; k < runs; ++k) {
      if (work.interrupted && work.interrupted()) throw ReadInterrupted();
      handle(k, [&](std::uint64_t, std::span<char> bytes) { content.read(bytes); });
    }
    return content.finish();
  }
  std::vector<std::uint32_t> sums(runs);
  work.forEach(static_cast<std::int64_t>(runs), [&](std::int64_t k) {
    sums[at(k)] =
        handle(static_cast<std::uint64_t>(k), [&](std::uint64_t offset, std::span<char> bytes) {
          file_.readAt(member_.offset + header_.size + offset, bytes);
        });
  });
  std::vector<char> header(header_.size);
  file_.readAt(member_.offset, header);
  std::uint32_t sum = zipCheckSum(0, header);
  for (std::uint64_t k = 0; k < runs; ++k)
    sum = joinedCheckSum(sum, sums[k], std::min(perRun, elements - k * perRun) * itemSize);
  if (sum != member_.checkSum) refuse("data with the check sum of the archive", "other data");
}

NpzArchive::NpzArchive(RandomAccess const& file, std::string const& name,
                       std::span<char const* const> known, std::uint64_t most,
                       std::span<char const* const> foreign, std::size_t telling)
    : name_(name) {
  try {
    members_ = zipDirectory(file);
  } catch (InputFault const& fault) {
    throw ReadError(name, "archive", fault.expected, fault.found);
  }
  arrays_.reserve(members_.size());
  auto const isOf = [](std::string_view array, auto const& names) {
    return std::ranges::find(names, array) != names.end();
  };
  auto const nameOf = [](ZipMember const& member) {
    std::string_view const array = member.name;
    return std::string(array.ends_with(".npy") ? array.substr(0, array.size() - 4) : array);
  };
  bool const others = std::ranges::any_of(members_, [&](ZipMember const& member) {
    return isOf(nameOf(member), foreign.first(telling));
  });
  std::uint64_t expanded = 0;
  for (ZipMember const& member : members_) {
    std::string const array = nameOf(member);
    bool const isKnown = isOf(array, known) || isOf(array, foreign);
    if (!isKnown && others) {
      leftOut_ += (leftOut_.empty() ? "" : ", ") + array;
      continue;
    }
    if (!isKnown) {
      std::string expected;
      for (std::size_t k = 0; k < known.size(); ++k)
        expected += std::string(k == 0 ? "" : k + 1 < known.size() ? ", " : " or ") + known[k];
      throw ReadError(name, "archive", expected, "an array called " + quoted(array));
    }
    if (find(array)) fail(array, "each array once", "a second one");
    of(array, [&] { return &arrays_.emplace_back(file, member); });
    // All sizes are known before any array is read.
    bool const isTooMuch =
        __builtin_add_overflow(expanded, arrays_.back().expandedSize(), &expanded) ||
        expanded > most;
    if (isTooMuch)
      fail(array, concat("arrays of at most ", most, " bytes together"),
           "more (a decompression bomb? the limit can be raised)");
  }
}

NpzArray const* NpzArchive::find(std::string const& array) const {
  auto const place = std::ranges::find(arrays_, array, &NpzArray::name);
  return place == arrays_.end() ? nullptr : &*place;
}

void NpzArchive::fail(std::string const& array, std::string expected, std::string found) const {
  throw ReadError(name_, "array " + array, std::move(expected), std::move(found));
}

}  // namespace osi_cuda::readers
