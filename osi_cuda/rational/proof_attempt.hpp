// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/linear_system.hpp"

// What proofs have in common, and what their messages are put together from.

namespace osi_cuda::rational {

/// "1 row fails", "2 rows fail".
std::string counted(std::size_t count, std::string const& one, std::string const& several);

std::string singularSentence(LinearProgram const& lp, LinearSystem const& system);
std::string stoppedSentence();
std::string tooLargeSentence(TooLarge const& need);

/// Relative to the terms, what is tried as rounding of 0 in a certificate of doubles.
inline constexpr std::array<double, 4> zeroTolerances{1e-14, 1e-12, 1e-10, 1e-8};

/// prove(watch, result), with what it throws put into the result, which has outcome and message.
template <class Result = CertificateCheck>
Result attempt(Limits limits, auto const& prove) {
  releaseCachesAtThreadEnd();
  Result result;
  try {
    Watch watch(std::move(limits));
    prove(watch, result);
  } catch (Stopped const&) {
    result = {};
    result.message = stoppedSentence();
  } catch (TooLarge const& e) {
    result = {};
    result.outcome = Outcome::tooLarge;
    result.message = tooLargeSentence(e);
  }
  return result;
}

/// The same, for a basis that has to be one.
template <class Result = CertificateCheck>
Result attempt(LinearProgram const& lp, Basis const& basis, Limits limits, auto const& prove) {
  std::string const fault = faultOf(lp, basis);
  if (fault.empty()) return attempt<Result>(std::move(limits), prove);
  Result result;
  result.outcome = Outcome::notABasis;
  result.message = fault;
  return result;
}

inline bool refuseSingular(LinearProgram const& lp, LinearSystem const& system,
                           CertificateCheck& result) {
  if (system.regular()) return false;
  result.outcome = Outcome::singular;
  result.message = singularSentence(lp, system);
  return true;
}

/// The greatest common divisor of numerator(0), ..., numerator(size - 1); 1 where all are 0.
Integer contentOf(int size, auto const& numerator) {
  Integer content;
  for (int i = 0; i < size; ++i) fmpz_gcd(content.get(), content.get(), numerator(i).get());
  return fmpz_is_zero(content.get()) ? Integer(1) : content;
}

/// The certificate numerator(0), ..., numerator(size - 1), times `sign`, in its least whole
/// numbers, brought to at most 1 by a power of two: mostly two doubles hold each of them exactly.
void handOut(int size, auto const& numerator, double sign, CertificateCheck& result) {
  Integer const content = contentOf(size, numerator);
  Integers least(static_cast<std::size_t>(size));
  Integer largest, unit;
  for (int i = 0; i < size; ++i) {
    fmpz* const value = least[static_cast<std::size_t>(i)];
    fmpz_divexact(value, numerator(i).get(), content.get());
    if (fmpz_cmpabs(value, largest.get()) > 0) fmpz_abs(largest.get(), value);
  }
  if (!fmpz_is_zero(largest.get())) fmpz_sub_ui(largest.get(), largest.get(), 1);
  fmpz_setbit(unit.get(), fmpz_bits(largest.get()));
  bool whole = true;
  for (std::size_t i = 0; i < least.size(); ++i) {
    double const high = toDouble(least[i], unit.get()), low = restOf(least[i], unit.get(), high);
    result.certificate.push_back(sign * high);
    result.certificateLow.push_back(sign * low);
    whole = whole && low == 0.0;
  }
  if (whole) result.certificateLow.clear();
}

/// numerator(0), ..., numerator(size - 1), times `sign`, divided by `denominator` > 0, as texts.
template <class Numerator>
std::vector<std::string> fractionsOf(int size, Numerator const& numerator, fmpz const* denominator,
                                     double sign = 1.0) {
  std::vector<std::string> texts;
  for (int i = 0; i < size; ++i) {
    Integer value = numerator(i);
    if (sign < 0.0) fmpz_neg(value.get(), value.get());
    texts.push_back(toFraction(value.get(), denominator));
  }
  return texts;
}

}  // namespace osi_cuda::rational
