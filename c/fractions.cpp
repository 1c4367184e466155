// SPDX-License-Identifier: EPL-2.0
// Numbers that stand for fractions, and exact answers.
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "c/arguments.hpp"
#include "c/problem.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

/// An exact array of the last solution; the proof is made once.
std::vector<std::string> const& exactArray(osi_cuda_problem& p, int which) {
  Solution const& solution = solutionOf(p);
  auto& certificate = p.solution->certificate;
  if (!certificate) {
    p.stop = false;
    certificate = certificateOf(p, solution);
  }
  if (!certificate->proved)
    throw Failure(OSI_CUDA_NOTHING, "there is no exact proof: ", certificate->message);
  bool const optimal = certificate->status == Status::optimal;
  static std::vector<std::string> const none;
  auto const& multipliers = certificate->rowMultipliers;
  if (which == OSI_CUDA_COLUMN_VALUES) return certificate->point;
  if (which == OSI_CUDA_ROW_DUALS) return optimal ? multipliers : none;
  if (which == OSI_CUDA_REDUCED_COSTS) return optimal ? certificate->columnMultipliers : none;
  if (which == OSI_CUDA_FARKAS) return optimal ? none : multipliers;
  if (which == OSI_CUDA_RAY) return certificate->ray;
  refuse("there is no array ", which, " of fractions");
}

}  // namespace

int osi_cuda_fractions(osi_cuda_problem* problem, int64_t length, int64_t const* numerators,
                       int64_t const* denominators, double* numbers) {
  return call(problem, [&](osi_cuda_problem& p) {
    needArray(numerators, length, "numerators");
    needArray(denominators, length, "denominators");
    needArray(numbers, length, "numbers");
    for (int64_t k = 0; k < length; ++k) {
      if (denominators[k] <= 0)
        refuse("denominators[", k, "] is ", denominators[k], ", but has to be > 0");
      numbers[k] = p.fractions.numberFor(rational::rationalOf(std::to_string(numerators[k])) /
                                         rational::rationalOf(std::to_string(denominators[k])));
    }
  });
}

int osi_cuda_fraction_texts(osi_cuda_problem* problem, int64_t length, char const* const* texts,
                            double* numbers) {
  return call(problem, [&](osi_cuda_problem& p) {
    needArray(texts, length, "texts");
    needArray(numbers, length, "numbers");
    for (int64_t k = 0; k < length; ++k) {
      needPointer(texts[k], "a text");
      numbers[k] = p.fractions.numberFor(rational::rationalOf(texts[k]));
    }
  });
}

int osi_cuda_set_fraction(osi_cuda_problem* problem, double number, char const* text) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(text, "text");
    if (!(number > 0.0) || !std::isfinite(number)) refuse("number is not > 0 and finite");
    p.fractions.set(number, rational::rationalOf(text));
    p.solution.reset();
  });
}

int osi_cuda_get_fraction(osi_cuda_problem* problem, int64_t index, double* number,
                          char const** text) {
  return call(problem, [&](osi_cuda_problem& p) {
    auto const& entries = p.fractions.entries();
    if (index < 0 || index >= std::ssize(entries))
      throw Failure(OSI_CUDA_NOTHING, "there is no fraction ", index);
    auto const entry = std::next(entries.begin(), index);
    if (number) *number = entry->first;
    if (text) *text = p.handedOut.keep(entry->second.text());
  });
}

int osi_cuda_get_decimals(osi_cuda_problem* problem, int* decimals) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(decimals, "decimals");
    *decimals = p.decimals;
  });
}

int osi_cuda_set_decimals(osi_cuda_problem* problem, int decimals) {
  return call(problem, [&](osi_cuda_problem& p) { p.decimals = decimals != 0; });
}

char const* osi_cuda_exact_text(osi_cuda_problem* problem, int which, int32_t index) {
  return ask<char const*>(problem, nullptr, [&](osi_cuda_problem& p) {
    std::vector<std::string> const& array = exactArray(p, which);
    if (array.empty()) throw Failure(OSI_CUDA_NOTHING, "the exact proof has no such array");
    if (index < 0 || index >= std::ssize(array)) refuse("there is no number ", index);
    return p.handedOut.keep(array[at(index)]);
  });
}
