// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <unordered_map>

namespace emulated {

/// What one block has stored in the device's memory and others may not see yet. A device gives no
/// promise when, or in which order, the stores of a block become visible to other blocks, unless a
/// fence stands between them: here, each waits for a random time. The block itself sees them at
/// once. What lies in one aligned piece of 16 bytes comes together, so that a packet is seen whole
/// or not at all.
class PendingStores {
 public:
  template <class T>
  void store(T* target, T const& value) {
    write(reinterpret_cast<std::uintptr_t>(target), reinterpret_cast<unsigned char const*>(&value),
          sizeof(T));
  }
  template <class T>
  T load(T const* source) const {
    T value;
    std::memcpy(static_cast<void*>(&value), source, sizeof(T));
    if (!pieces_.empty())
      overlay(reinterpret_cast<std::uintptr_t>(source), reinterpret_cast<unsigned char*>(&value),
              sizeof(T));
    return value;
  }
  /// All of them become visible: what a fence does, and the end of a launch.
  void drain() {
    for (auto const& [place, piece] : pieces_) piece.writeTo(place);
    pieces_.clear();
  }
  /// Some do.
  void drainSome(std::mt19937_64& random) {
    if (pieces_.empty()) return;
    std::uint64_t bits = random();
    for (auto it = pieces_.begin(); it != pieces_.end(); bits = bits >> 1 | bits << 63) {
      if (bits & 1) {
        it->second.writeTo(it->first);
        it = pieces_.erase(it);
      } else {
        ++it;
      }
    }
  }

 private:
  static constexpr std::size_t pieceBytes = 16;
  struct Piece {
    std::array<unsigned char, pieceBytes> bytes;
    std::uint32_t written = 0;  ///< a bit for each byte

    void writeTo(std::uintptr_t place) const {
      auto* const target = reinterpret_cast<unsigned char*>(place);
      for (std::size_t b = 0; b < pieceBytes; ++b)
        if (written >> b & 1) target[b] = bytes[b];
    }
  };

  void write(std::uintptr_t place, unsigned char const* bytes, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t const b = (place + k) % pieceBytes;
      Piece& piece = pieces_[place + k - b];
      piece.bytes[b] = bytes[k];
      piece.written |= 1u << b;
    }
  }
  void overlay(std::uintptr_t place, unsigned char* bytes, std::size_t size) const {
    for (std::size_t k = 0; k < size;) {
      std::size_t const b = (place + k) % pieceBytes;
      auto const found = pieces_.find(place + k - b);
      std::size_t const length = std::min(size - k, pieceBytes - b);
      if (found != pieces_.end())
        for (std::size_t l = 0; l < length; ++l)
          if (found->second.written >> (b + l) & 1) bytes[k + l] = found->second.bytes[b + l];
      k += length;
    }
  }

  std::unordered_map<std::uintptr_t, Piece> pieces_;
};

/// Of the block whose thread is running.
inline PendingStores& ownStores();

}  // namespace emulated
