// SPDX-License-Identifier: EPL-2.0
// What a batch has found.
#include <algorithm>
#include <iterator>

#include "c/arguments.hpp"
#include "c/batch.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

BatchResults const& resultsOf(osi_cuda_batch const& batch) {
  if (!batch.solved) throw Failure(OSI_CUDA_NOTHING, "the batch has solved nothing yet");
  return batch.results;
}

void needLength(std::int64_t length, std::size_t expected, char const* what) {
  if (length < 0 || at(length) != expected)
    refuse("length is ", length, ", but the ", what, " have length ", expected);
}

/// What an ascending list has about problem k, if anything.
template <class About>
About const* of(std::vector<About> const& list, std::size_t k) {
  auto const found = std::ranges::lower_bound(list, k, {}, &About::problem);
  return found != list.end() && found->problem == k ? &*found : nullptr;
}

std::size_t problemOf(BatchResults const& results, std::int64_t problem) {
  if (problem < 0 || at(problem) >= results.status.size())
    refuse("problem is ", problem, ", but there are ", results.status.size(), ", counted from 0");
  return at(problem);
}

/// A vector of a certificate, and the one that has to be there for it to mean something.
struct CertificateKind {
  int which;
  std::vector<double> BatchCertificate::*numbers;
  std::vector<double> BatchCertificate::*whole;
};
constexpr CertificateKind certificateKinds[] = {
    {OSI_CUDA_FARKAS, &BatchCertificate::farkas, &BatchCertificate::farkas},
    {OSI_CUDA_RAY, &BatchCertificate::ray, &BatchCertificate::ray},
    {OSI_CUDA_FARKAS_LOW, &BatchCertificate::farkasLow, &BatchCertificate::farkas},
    {OSI_CUDA_RAY_LOW, &BatchCertificate::rayLow, &BatchCertificate::ray}};

}  // namespace

int osi_cuda_batch_get_enclosures(osi_cuda_batch* batch, int64_t count, double* lower,
                                  double* upper) {
  return call(batch, [&](osi_cuda_batch& b) {
    BatchResults const& results = resultsOf(b);
    needLength(count, results.status.size(), "results");
    if (results.enclosure.size() != results.status.size())
      throw Failure(OSI_CUDA_NOTHING, "nobody asked for enclosures");
    if (lower) std::ranges::transform(results.enclosure, lower, &ObjectiveEnclosure::lower);
    if (upper) std::ranges::transform(results.enclosure, upper, &ObjectiveEnclosure::upper);
  });
}

int osi_cuda_batch_get_starts(osi_cuda_batch* batch, int64_t count, int64_t* starts) {
  return call(batch, [&](osi_cuda_batch& b) {
    BatchResults const& results = resultsOf(b);
    needLength(count, results.status.size(), "results");
    if (results.start.size() != results.status.size())
      throw Failure(OSI_CUDA_NOTHING, "nobody asked for starts");
    copyInto(results.start, starts);
  });
}

int osi_cuda_batch_get_results(osi_cuda_batch* batch, int64_t count, uint8_t* statuses,
                               uint8_t* proofs, int32_t* iterations, double* objectives,
                               double* residuals) {
  return call(batch, [&](osi_cuda_batch& b) {
    BatchResults const& results = resultsOf(b);
    needLength(count, results.status.size(), "results");
    copyInto(results.status, statuses);
    copyInto(results.proof, proofs);
    copyInto(results.iterations, iterations);
    copyInto(results.objective, objectives);
    copyInto(results.residual, residuals);
  });
}

int osi_cuda_batch_get_values(osi_cuda_batch* batch, int which, int64_t length, double* values) {
  return call(batch, [&](osi_cuda_batch& b) {
    if (which != OSI_CUDA_COLUMN_VALUES && which != OSI_CUDA_ROW_DUALS)
      refuse("a batch has no array ", which);
    BatchResults const& results = resultsOf(b);
    bool const rows = which == OSI_CUDA_ROW_DUALS;
    std::vector<double> const& from = rows ? results.y : results.x;
    needLength(length, from.size(), rows ? "row duals" : "column values");
    needArray(values, length, "values");
    std::ranges::copy(from, values);
  });
}

int osi_cuda_batch_get_basis(osi_cuda_batch* batch, uint8_t* columns, uint8_t* rows) {
  return call(batch, [&](osi_cuda_batch& b) {
    BatchResults const& results = resultsOf(b);
    copyInto(results.columnStatus, columns);
    copyInto(results.rowStatus, rows);
  });
}

int osi_cuda_batch_get_certificate(osi_cuda_batch* batch, int64_t problem, int which,
                                   int32_t length, double* values, double* margin) {
  return call(batch, [&](osi_cuda_batch& b) {
    BatchResults const& results = resultsOf(b);
    std::size_t const k = problemOf(results, problem);
    BatchCertificate const* const own = of(results.certificates, k);
    auto const kind = std::ranges::find(certificateKinds, which, &CertificateKind::which);
    if (kind == std::end(certificateKinds)) refuse("a batch has no certificate ", which);
    if (!own || (own->*kind->whole).empty())
      throw Failure(OSI_CUDA_NOTHING, "problem ", problem, ", ", toString(results.status[k]),
                    ", has no such certificate");
    std::vector<double> const& whole = own->*kind->whole;
    needLength(length, whole.size(), "numbers of the certificate");
    needArray(values, length, "values");
    std::fill_n(values, length, 0.0);
    std::ranges::copy(own->*kind->numbers, values);
    if (margin) *margin = own->margin;
  });
}

int osi_cuda_batch_get_certificates(osi_cuda_batch* batch, int64_t* count, int64_t* length,
                                    int64_t* problems, int64_t* starts, double* values) {
  return call(batch, [&](osi_cuda_batch& b) {
    std::int64_t number = 0, end = 0;
    for (BatchCertificate const& own : resultsOf(b).certificates) {
      std::vector<double> const& numbers = own.farkas.empty() ? own.ray : own.farkas;
      if (numbers.empty()) continue;  // bounds that cross
      if (problems) problems[number] = static_cast<std::int64_t>(own.problem);
      if (starts) starts[number] = end;
      if (values) std::ranges::copy(numbers, values + end);
      ++number;
      end += std::ssize(numbers);
    }
    if (starts) starts[number] = end;
    if (count) *count = number;
    if (length) *length = end;
  });
}

int osi_cuda_batch_get_number(osi_cuda_batch* batch, int which, double* value) {
  return call(batch, [&](osi_cuda_batch& b) {
    needPointer(value, "value");
    BatchResults const& results = resultsOf(b);
    double const numbers[] = {static_cast<double>(results.again),
                              static_cast<double>(results.onDevice),
                              results.seconds,
                              results.deviceSeconds,
                              results.deviceLost ? 1.0 : 0.0,
                              static_cast<double>(results.pooled),
                              static_cast<double>(results.relaxed.integers),
                              static_cast<double>(results.relaxed.semicontinuous),
                              static_cast<double>(results.relaxed.sets)};
    if (which < 0 || at(which) >= std::size(numbers)) refuse("there is no number ", which);
    *value = numbers[which];
  });
}

char const* osi_cuda_batch_device(osi_cuda_batch* batch) {
  return ask<char const*>(batch, nullptr, [](osi_cuda_batch& b) {
    return b.handedOut.keep(b.solved ? b.results.device : std::string());
  });
}

char const* osi_cuda_batch_note(osi_cuda_batch* batch, int64_t problem) {
  return ask<char const*>(batch, nullptr, [&](osi_cuda_batch& b) {
    BatchResults const& results = resultsOf(b);
    std::size_t const k = problemOf(results, problem);
    auto const found = of(results.notes, k);
    return b.handedOut.keep(found ? found->sentence : std::string());
  });
}
