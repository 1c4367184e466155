// SPDX-License-Identifier: EPL-2.0
//
// Compressed, truncated and corrupt input, limits, files that are not there.
#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "readers/read.hpp"
#include "readers/text_pieces.hpp"
#include "tests/support/needs.hpp"

namespace osi_cuda::testing {
namespace {

std::string const text =
    "NAME little\nROWS\n N cost\n L r1\nCOLUMNS\n x cost 1 r1 2\nRHS\n b r1 3\nENDATA\n";

std::string gzip(std::string const& plain) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string bzip2(std::string const& plain) {
  std::string packed(plain.size() + 1000, '\0');
  unsigned size = static_cast<unsigned>(packed.size());
  BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(plain.data()),
                           static_cast<unsigned>(plain.size()), 9, 0, 0);
  packed.resize(size);
  return packed;
}

std::string xz(std::string const& plain) {
  std::string packed(lzma_stream_buffer_bound(plain.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<std::uint8_t const*>(plain.data()), plain.size(),
                          reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size());
  packed.resize(size);
  return packed;
}

std::string zstd(std::string const& plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

struct Codec {
  char const* name;
  std::string (*pack)(std::string const&);
};
constexpr Codec codecs[] = {{"gzip", gzip}, {"bzip2", bzip2}, {"xz", xz}, {"Zstandard", zstd}};

std::string errorOf(std::string const& bytes, readers::ReadOptions const& options = {}) {
  try {
    readers::readText(bytes, "f", options);
  } catch (readers::ReadError const& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(input)

BOOST_AUTO_TEST_CASE(compressed_files_are_known_by_their_first_bytes) {
  LinearProgram const plain = readers::readText(text, "f").lp;
  for (auto const& [name, pack] : codecs) {
    BOOST_TEST_CONTEXT(name) BOOST_CHECK(readers::readText(pack(text), "f").lp == plain);
  }
}

BOOST_AUTO_TEST_CASE(concatenated_compressed_files_are_one) {
  LinearProgram const plain = readers::readText(text, "f").lp;
  for (auto const& [name, pack] : codecs) {
    std::string const bytes = pack(text.substr(0, 20)) + pack(text.substr(20));
    BOOST_TEST_CONTEXT(name) BOOST_CHECK(readers::readText(bytes, "f").lp == plain);
  }
}

BOOST_AUTO_TEST_CASE(truncated_files) {
  for (auto const& [name, pack] : codecs) {
    std::string const bytes = pack(text);
    // The whole text may be out before the check sum that is missing: no line is read then.
    std::string const message = errorOf(bytes.substr(0, bytes.size() - 6));
    std::string const end =
        std::string(": expected more ") + name + " data, found the end of the file (truncated)";
    BOOST_TEST(message.starts_with("f:"));
    BOOST_TEST(message.ends_with(end), message);
  }
  // Every shorter piece is an error as well, and none crashes.
  for (auto const& [name, pack] : codecs) {
    std::string const bytes = pack(text);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      BOOST_TEST(errorOf(bytes.substr(0, size)) != "no error", name << " " << size);
    }
  }
}

BOOST_AUTO_TEST_CASE(corrupt_files) {
  std::string large = text.substr(0, text.find("RHS"));
  for (int i = 0; i < 2000; ++i) {
    large += " c" + std::to_string(i * 7919) + " r1 " + std::to_string(i) + "\n";
  }
  large += "ENDATA\n";
  for (auto const& [name, pack] : codecs) {
    std::string const bytes = pack(large);
    BOOST_TEST(errorOf(bytes) == "no error");
    // In the middle: nonsense may come out before a check sum is reached, but it is an error.
    std::string middle = bytes;
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) middle[i] ^= 0x55;
    BOOST_TEST(errorOf(middle) != "no error");
    // The check sum, the index, or with Zstandard a reserved bit of the header.
    std::string end = bytes;
    end[name == std::string("Zstandard") ? 4 : bytes.size() - 8] ^= 0x08;
    std::string const expected =
        std::string(": expected valid ") + name + " data, found corrupt data";
    BOOST_TEST(errorOf(end).ends_with(expected), errorOf(end));
  }
}

/// An xz file that wants a dictionary of 512 MiB, up to the header of its block.
std::string greedyXz() {
  lzma_stream_flags flags{};
  flags.check = LZMA_CHECK_CRC32;
  std::string bytes(LZMA_STREAM_HEADER_SIZE, '\0');
  BOOST_REQUIRE(lzma_stream_header_encode(&flags, reinterpret_cast<std::uint8_t*>(bytes.data())) ==
                LZMA_OK);
  lzma_options_lzma options{};
  BOOST_REQUIRE(!lzma_lzma_preset(&options, 0));
  options.dict_size = std::uint32_t{1} << 29;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  lzma_block block{};
  block.check = LZMA_CHECK_CRC32;
  block.compressed_size = LZMA_VLI_UNKNOWN;
  block.uncompressed_size = LZMA_VLI_UNKNOWN;
  block.filters = filters;
  BOOST_REQUIRE(lzma_block_header_size(&block) == LZMA_OK);
  std::string header(block.header_size, '\0');
  BOOST_REQUIRE(lzma_block_header_encode(&block, reinterpret_cast<std::uint8_t*>(header.data())) ==
                LZMA_OK);
  return bytes + header + std::string(64, '\0');
}

BOOST_AUTO_TEST_CASE(messages_of_compressed_files) {
  BOOST_TEST(errorOf(greedyXz()) ==
             "f:1:1: expected xz data that needs at most 256 MiB to decompress, found a larger "
             "dictionary");
  for (auto const& [name, pack] : codecs) {
    std::string const whole = pack(text);
    // All but the last bytes: the text is out, and its lines were read.
    std::string const lines = std::to_string(std::count(text.begin(), text.end(), '\n') + 1);
    std::string const late = errorOf(whole.substr(0, whole.size() - 2));
    std::string const end =
        std::string(":1: expected more ") + name + " data, found the end of the file (truncated)";
    BOOST_TEST((late == "f:" + lines + end || late == "f:1" + end), late);
    BOOST_TEST(errorOf(whole.substr(0, 12)) == "f:1" + end);

    // A block of a kind that is none, a wrong check sum, a reserved bit.
    std::map<std::string, std::size_t> const places{
        {"gzip", 10}, {"bzip2", 12}, {"xz", 8}, {"Zstandard", 4}};
    std::string corrupt = whole;
    for (std::size_t i = places.at(name); i < whole.size(); ++i) corrupt[i] = '\xff';
    BOOST_TEST(errorOf(corrupt) ==
               std::string("f:1:1: expected valid ") + name + " data, found corrupt data");
  }
}

// /proc/self/mem opens, but address 0 is not there.
BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read, *osi_cuda::testing::needsFile("/proc/self/mem")) {
  auto const says = [](readers::ReadError const& error) {
    BOOST_TEST(error.what() ==
               std::string("/proc/self/mem:1:1: expected readable data, found Input/output error"));
    return true;
  };
  BOOST_CHECK_EXCEPTION(readers::read("/proc/self/mem"), readers::ReadError, says);
}

BOOST_AUTO_TEST_CASE(a_bomb_stops_at_the_limit) {
  std::string const bomb = text + std::string(std::size_t{1} << 20, '\n');
  for (auto const& [name, pack] : codecs) {
    BOOST_TEST(errorOf(pack(bomb)) == "no error");
    std::string const message = errorOf(pack(bomb), {.decompressedLimit = 100'000});
    BOOST_TEST(message.ends_with(": expected at most 100000 decompressed bytes, found more (a "
                                 "decompression bomb? the limit can be raised)"),
               message);
  }
}

/// A member of gzip as bgzip writes it, of at most 64 KiB: with its length in a field.
std::string blockedGzip(std::string const& plain) {
  std::string const member = gzip(plain);
  constexpr std::size_t header = 10, field = 8;
  std::size_t const last = member.size() + field - 1;
  std::string packed = member.substr(0, header);
  packed[3] = 4;  // a field follows
  packed += std::string("\6\0BC\2\0", 6);
  packed += static_cast<char>(last & 0xff);
  packed += static_cast<char>(last >> 8);
  return packed + member.substr(header);
}

/// What pzstd puts before a frame: its length, for itself.
std::string zstdBehindLength(std::string const& plain) {
  std::string const frame = zstd(plain);
  std::string packed("\x50\x2a\x4d\x18\4\0\0\0", 8);
  for (int k = 0; k < 4; ++k) packed += static_cast<char>(frame.size() >> (8 * k));
  return packed + frame;
}

// Frames that several threads expand: the same bytes, and where one is corrupt or cut off the same
// message at the same place.
BOOST_AUTO_TEST_CASE(frames_by_several_threads) {
  std::string large = text.substr(0, text.find("RHS"));
  for (int i = 0; i < 20000; ++i)
    large += " c" + std::to_string(i * 7919) + " r1 " + std::to_string(i) + "\n";
  large += "ENDATA\n";
  LinearProgram const plain = readers::readText(large, "f").lp;
  auto const with = [](int threads) {
    readers::ReadOptions options;
    options.threads = threads;
    return options;
  };
  for (auto const& [name, pack] : {Codec{"Zstandard", zstd}, Codec{"pzstd", zstdBehindLength},
                                   Codec{"bgzip", blockedGzip}, Codec{"gzip", gzip}}) {
    std::string packed;
    std::vector<std::size_t> starts;
    for (std::size_t k = 0; k < large.size(); k += 30000) {
      starts.push_back(packed.size());
      packed += pack(large.substr(k, 30000));
    }
    BOOST_TEST_CONTEXT(name) {
      for (int const threads : {1, 2, 5})
        BOOST_TEST((readers::readText(packed, "f", with(threads)).lp == plain));
      std::string corrupt = packed;
      for (std::size_t k = 0; k < 30; ++k) corrupt[starts[7] + 300 + k] ^= 0x55;
      for (std::string const& wrong :
           {corrupt, packed.substr(0, starts[5]), packed.substr(0, starts[5] + 3),
            packed.substr(0, starts[9] - 10), packed + "rubbish", packed + packed.substr(0, 9)}) {
        std::string const message = errorOf(wrong, with(1));
        BOOST_TEST(message != "no error");
        for (int const threads : {2, 5}) BOOST_TEST(errorOf(wrong, with(threads)) == message);
      }
      readers::ReadOptions limited = with(3);
      limited.decompressedLimit = 100'000;
      BOOST_TEST(errorOf(packed, limited).find("decompression bomb") != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_default_limit_follows_the_compressed_size) {
  // 1 GiB of blanks: 1 MB of gzip each, 30 KB of Zstandard.
  std::string const blanks(std::size_t{64} << 20, '\n');
  std::string const piece = zstd(blanks);
  std::string bomb;
  for (int i = 0; i < 16; ++i) bomb += piece;
  BOOST_TEST(errorOf(bomb).find("decompression bomb") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_opened) {
  auto const codeOf = [](std::string const& path) {
    try {
      readers::read(path);
    } catch (readers::OpenError const& error) {
      BOOST_TEST(std::string(error.what()).starts_with(path + ": "));
      return error.code();
    }
    return 0;
  };
  BOOST_TEST(codeOf("/nonexistent/file.mps") == ENOENT);
  BOOST_TEST(codeOf("/") == EISDIR);
}

BOOST_AUTO_TEST_CASE(standard_input) {
  std::filesystem::path const path =
      std::filesystem::temp_directory_path() / ("stdin_test_" + std::to_string(::getpid()));
  std::ofstream(path) << gzip(text);
  int const kept = ::dup(STDIN_FILENO);
  BOOST_REQUIRE(std::freopen(path.c_str(), "r", stdin));
  LinearProgram const lp = readers::read("-").lp;
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  std::filesystem::remove(path);
  BOOST_CHECK(lp == readers::readText(text, "f").lp);
}

/// A named pipe in a folder of its own.
struct NamedPipe {
  NamedPipe() {
    std::string name = std::filesystem::temp_directory_path() / "osi-cuda-pipe-XXXXXX";
    folder = ::mkdtemp(name.data());
    path = folder + "/pipe";
    ::mkfifo(path.c_str(), 0600);
  }
  ~NamedPipe() { std::filesystem::remove_all(folder); }
  std::string folder, path;
};

// Whoever looks at a pipe to see what it is has taken bytes out of it, or ended its writer.
BOOST_AUTO_TEST_CASE(named_pipes_keep_their_first_bytes) {
  for (std::string const& content : {text, gzip(text)}) {
    for (int run = 0; run < 20; ++run) {
      NamedPipe const pipe;
      std::thread writer([&] {
        int const file = ::open(pipe.path.c_str(), O_WRONLY);
        for (char const c : content) {
          if (::write(file, &c, 1) != 1) break;
        }
        ::close(file);
      });
      BOOST_TEST(readers::read(pipe.path).lp.columns() == 1);
      writer.join();
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_without_a_writer_can_be_given_up) {
  NamedPipe const pipe;
  int asked = 0;
  auto const start = std::chrono::steady_clock::now();
  readers::ReadOptions options;
  options.interrupted = [&asked] { return ++asked > 2; };
  BOOST_CHECK_THROW(readers::read(pipe.path, options), readers::ReadInterrupted);
  BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(5)));
}

BOOST_AUTO_TEST_CASE(a_line_without_end_is_refused) {
  std::string endless(readers::longestLine + 100, 'x');
  auto const messageOf = [](std::string_view input) -> std::string {
    try {
      readers::readText(input, "f");
      return "none";
    } catch (readers::ReadError const& error) {
      return error.what();
    }
  };
  BOOST_TEST(messageOf(endless) ==
             "f:1:1: expected lines of at most 134217728 bytes, found a longer one");
  BOOST_TEST(messageOf("NAME\n" + endless) ==
             "f:2:1: expected lines of at most 134217728 bytes, found a longer one");
  // A line that is long and ends is read.
  std::string const comment = "* " + std::string(std::size_t{1} << 22, 'c') + "\n";
  BOOST_TEST(messageOf(comment + text) == "none");
}

BOOST_AUTO_TEST_CASE(interruption) {
  int asked = 0;
  readers::ReadOptions options;
  options.interrupted = [&asked] { return ++asked > 3; };
  std::string const large = text + std::string(std::size_t{16} << 20, '\n');
  BOOST_CHECK_THROW(readers::readText(large, "f", options), readers::ReadInterrupted);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
