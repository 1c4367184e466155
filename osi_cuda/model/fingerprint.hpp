// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// A 64-bit number that tells texts and numbers apart: against mix-ups and damage, not against
/// somebody who wants two things to look alike. The same on every machine. Each word goes through
/// the finaliser of MurmurHash3 (Appleby, public domain), a bijection of 64-bit words.
class Fingerprint {
 public:
  void add(std::uint64_t word) { state_ = mixed(state_ ^ word) + 0x9e3779b97f4a7c15u; }
  /// -0.0 counts as 0.0: files don't keep them apart.
  void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number)); }
  void add(std::span<double const> numbers);
  void add(std::string_view text);

  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  static std::uint64_t mixed(std::uint64_t word) {
    word ^= word >> 33;
    word *= 0xff51afd7ed558ccdu;
    word ^= word >> 33;
    word *= 0xc4ceb9fe1a85ec53u;
    return word ^ word >> 33;
  }

  std::uint64_t state_ = 0;
};

/// Of all that the linear relaxation is made of: sizes, matrix, bounds, costs, sense. Names and
/// marks of integrality don't count.
std::string fingerprintOf(LinearProgram const& lp);

}  // namespace osi_cuda
