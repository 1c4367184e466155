// SPDX-License-Identifier: EPL-2.0
//
// Of the format no more than files of arrays need: one volume, two methods. Positions have to be
// known, so that a large member can be read by all cores; that is why no archive library is used.
#include "readers/zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <optional>

namespace osi_cuda::readers {
namespace {

constexpr std::uint32_t localMark = 0x04034b50, entryMark = 0x02014b50, endMark = 0x06054b50,
                        end64Mark = 0x06064b50, locatorMark = 0x07064b50;
constexpr std::size_t localSize = 30, entrySize = 46, endSize = 22, end64Size = 56,
                      locatorSize = 20;
constexpr std::uint32_t in64Bits = 0xffffffff;  // the number stands in the field of zip64
constexpr std::uint16_t zip64Field = 1;

[[noreturn]] void refuse(std::string expected, std::string found) {
  throw InputFault(std::move(expected), std::move(found));
}

/// Numbers at places of a text, lowest byte first.
struct Bytes {
  std::uint64_t number(std::size_t place, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t k = size; k-- > 0;)
      value = value << 8 | static_cast<unsigned char>(text_[place + k]);
    return value;
  }
  std::uint16_t two(std::size_t place) const {
    return static_cast<std::uint16_t>(number(place, 2));
  }
  std::uint32_t four(std::size_t place) const {
    return static_cast<std::uint32_t>(number(place, 4));
  }
  std::string_view text_;
};

std::string bytesAt(RandomAccess const& file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset)
    refuse("a whole zip archive", "a place outside of the file (truncated?)");
  std::string bytes(size, '\0');
  file.readAt(offset, bytes);
  return bytes;
}

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

/// By the record at the end of the file, which a comment of up to 64 KiB may follow.
Directory findDirectory(RandomAccess const& file) {
  constexpr std::uint64_t longestComment = 0xffff;
  std::uint64_t const tail = std::min<std::uint64_t>(file.size(), endSize + longestComment);
  std::string const text = bytesAt(file, file.size() - tail, tail);
  Bytes const bytes{text};
  std::optional<std::size_t> found;
  for (std::size_t k = text.size() >= endSize ? text.size() - endSize + 1 : 0; k-- > 0 && !found;)
    if (bytes.four(k) == endMark && bytes.two(k + 20) == text.size() - k - endSize) found = k;
  if (!found) refuse("a whole zip archive", "no directory at the end of the file (truncated?)");
  std::size_t const end = *found;
  if (bytes.two(end + 4) != 0 || bytes.two(end + 6) != 0 ||
      bytes.two(end + 8) != bytes.two(end + 10))
    refuse("a zip archive in one file", "a volume of several");
  Directory directory{bytes.two(end + 10), bytes.four(end + 12), bytes.four(end + 16)};
  std::uint64_t const place = file.size() - tail + end;
  bool const isLarge =
      directory.entries == 0xffff || directory.size == in64Bits || directory.offset == in64Bits;
  if (!isLarge || place < locatorSize) return directory;
  std::string const locatorText = bytesAt(file, place - locatorSize, locatorSize);
  Bytes const locator{locatorText};
  if (locator.four(0) != locatorMark) return directory;
  std::string const end64Text = bytesAt(file, locator.number(8, 8), end64Size);
  Bytes const end64{end64Text};
  if (end64.four(0) != end64Mark) refuse("the directory of a zip archive", "something else");
  return {end64.number(32, 8), end64.number(40, 8), end64.number(48, 8)};
}

/// Takes what the field of zip64 says in place of numbers that do not fit 32 bits.
void takeLargeNumbers(std::string_view extra, ZipMember& member, std::uint64_t& offset) {
  Bytes const bytes{extra};
  for (std::size_t place = 0; place + 4 <= extra.size();) {
    std::size_t const size = bytes.two(place + 2), start = place + 4;
    if (size > extra.size() - start) refuse("a zip archive", "a field that is too long");
    if (bytes.two(place) == zip64Field) {
      std::size_t next = start;
      for (std::uint64_t* number : {&member.size, &member.packedSize, &offset}) {
        if (*number != in64Bits) continue;
        if (next + 8 > start + size) refuse("a zip archive", "a 64-bit size that is missing");
        *number = bytes.number(next, 8);
        next += 8;
      }
    }
    place = start + size;
  }
}

/// What the member's own header says: only its length is of use, the directory has the rest.
std::uint64_t contentOffset(RandomAccess const& file, std::uint64_t header) {
  std::string const text = bytesAt(file, header, localSize);
  Bytes const bytes{text};
  if (bytes.four(0) != localMark) refuse("the header of a file in the archive", "something else");
  return header + localSize + bytes.two(26) + bytes.two(28);
}

std::string number(std::uint64_t value, int size) {
  std::string bytes;
  for (int k = 0; k < size; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
  return bytes;
}

/// What the local header and the directory say alike: version 4.5 (zip64), no flags, stored, the
/// first day that the format knows, check sum, sizes elsewhere.
std::string commonHeader(ZipMember const& member) {
  constexpr std::uint16_t version = 45, firstDay = 0x21;
  return number(version, 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(firstDay, 2) +
         number(member.checkSum, 4) + number(in64Bits, 4) + number(in64Bits, 4) +
         number(member.name.size(), 2);
}

}  // namespace

std::vector<ZipMember> zipDirectory(RandomAccess const& file) {
  Directory const directory = findDirectory(file);
  std::string const text = bytesAt(file, directory.offset, directory.size);
  Bytes const bytes{text};
  std::vector<ZipMember> members;
  std::size_t place = 0;
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    if (text.size() - place < entrySize || bytes.four(place) != entryMark)
      refuse("a zip archive", "a directory that is too short");
    std::size_t const nameSize = bytes.two(place + 28), extraSize = bytes.two(place + 30),
                      commentSize = bytes.two(place + 32);
    if (text.size() - place - entrySize < nameSize + extraSize + commentSize)
      refuse("a zip archive", "a directory that is too short");
    ZipMember member{.name = text.substr(place + entrySize, nameSize)};
    std::uint16_t const flags = bytes.two(place + 8), method = bytes.two(place + 10);
    if (flags & 1) refuse("a zip archive without a password", "an encrypted file");
    if (method != 0 && method != 8)
      refuse("files that are stored or deflated", concat("compression method ", method));
    member.method = static_cast<ZipMethod>(method);
    member.checkSum = bytes.four(place + 16);
    member.packedSize = bytes.four(place + 20);
    member.size = bytes.four(place + 24);
    std::uint64_t header = bytes.four(place + 42);
    takeLargeNumbers(std::string_view(text).substr(place + entrySize + nameSize, extraSize), member,
                     header);
    member.offset = contentOffset(file, header);
    if (member.offset > file.size() || member.packedSize > file.size() - member.offset)
      refuse("a whole zip archive", "a file that ends outside of it (truncated?)");
    // A block of deflate makes at most 258 bytes of 2 bits.
    constexpr std::uint64_t bestRatio = 1032, allowance = 64;
    bool const possible = member.method == ZipMethod::stored
                              ? member.size == member.packedSize
                              : member.size / bestRatio <= member.packedSize + allowance;
    if (!possible) refuse("a zip archive", "a size that the packed bytes can't have");
    members.push_back(std::move(member));
    place += entrySize + nameSize + extraSize + commentSize;
  }
  // Two members that share bytes are how an archive of a few bytes expands to a great many.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;
  for (ZipMember const& member : members)
    if (member.packedSize > 0) extents.emplace_back(member.offset, member.packedSize);
  std::ranges::sort(extents);
  for (std::size_t k = 1; k < extents.size(); ++k)
    if (extents[k - 1].first + extents[k - 1].second > extents[k].first)
      refuse("a zip archive", "files that overlap");
  return members;
}

// ---- content -----------------------------------------------------------------------------------

ZipContent::ZipContent(RandomAccess const& file, ZipMember const& member)
    : file_(file), member_(member) {
  if (member.method == ZipMethod::deflated) decoder_ = deflateDecoder();
}

void ZipContent::refill() {
  constexpr std::uint64_t blockSize = std::uint64_t{1} << 18;
  block_.resize(std::min(blockSize, member_.packedSize - taken_));
  if (block_.empty())
    refuse("more deflated data", "the end of the file in the archive (truncated)");
  file_.readAt(member_.offset + taken_, block_);
  taken_ += block_.size();
  packed_ = block_;
}

void ZipContent::read(std::span<char> space) {
  if (space.size() > member_.size - given_)
    refuse("more data", "the end of the file in the archive");
  if (!decoder_) file_.readAt(member_.offset + given_, space);
  constexpr std::size_t most = std::size_t{1} << 30;  // sizes of zlib are 32-bit
  for (std::span<char> rest = space; decoder_ && !rest.empty();) {
    if (ended_) refuse("more deflated data", "its end");
    if (packed_.empty()) refill();
    Step const step = decoder_->decode(packed_, rest.first(std::min(rest.size(), most)));
    packed_ = packed_.subspan(step.consumed);
    rest = rest.subspan(step.produced);
    ended_ = step.ended;
  }
  given_ += space.size();
  checkSum_ = zipCheckSum(checkSum_, space);
}

void ZipContent::finish() {
  if (given_ != member_.size) refuse("the end of the file in the archive", "more data");
  if (checkSum_ != member_.checkSum) refuse("data with the check sum of the archive", "other data");
}

std::uint32_t zipCheckSum(std::uint32_t before, std::span<char const> bytes) {
  if (bytes.empty()) return before;  // to zlib no address means the sum of nothing
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<Bytef const*>(bytes.data()), bytes.size()));
}

std::uint32_t joinedCheckSum(std::uint32_t first, std::uint32_t second, std::uint64_t size) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(size)));
}

// ---- writing -----------------------------------------------------------------------------------

void ZipWriter::put(std::string_view bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(std::string const& name, std::function<void(Sink const&)> const& content) {
  ZipMember member{.name = name, .offset = written_};
  content([&member](std::string_view bytes) {
    member.size += bytes.size();
    member.checkSum = zipCheckSum(member.checkSum, {bytes.data(), bytes.size()});
  });
  std::string const sizes = number(member.size, 8) + number(member.size, 8);
  put(number(localMark, 4) + commonHeader(member) + number(4 + sizes.size(), 2) + name +
      number(zip64Field, 2) + number(sizes.size(), 2) + sizes);
  content([this](std::string_view bytes) { put(bytes); });
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  constexpr std::uint16_t version = 45;
  std::uint64_t const start = written_;
  for (ZipMember const& member : members_) {
    std::string const numbers =
        number(member.size, 8) + number(member.size, 8) + number(member.offset, 8);
    put(number(entryMark, 4) + number(version, 2) + commonHeader(member) +
        number(4 + numbers.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
        number(in64Bits, 4) + member.name + number(zip64Field, 2) + number(numbers.size(), 2) +
        numbers);
  }
  std::uint64_t const end = written_, size = end - start;
  put(number(end64Mark, 4) + number(end64Size - 12, 8) + number(version, 2) + number(version, 2) +
      number(0, 4) + number(0, 4) + number(members_.size(), 8) + number(members_.size(), 8) +
      number(size, 8) + number(start, 8));
  put(number(locatorMark, 4) + number(0, 4) + number(end, 8) + number(1, 4));
  put(number(endMark, 4) + number(0, 2) + number(0, 2) + number(0xffff, 2) + number(0xffff, 2) +
      number(in64Bits, 4) + number(in64Bits, 4) + number(0, 2));
}

}  // namespace osi_cuda::readers
