// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda::bench {

/// The words of an option and what each stands for.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

inline Words<BatchEngine> const batchEngines{
    {"auto", BatchEngine::automatic}, {"cuda", BatchEngine::cuda}, {"host", BatchEngine::host}};
inline Words<BatchPricing> const batchPricings{{"auto", BatchPricing::automatic},
                                               {"steepest", BatchPricing::steepest},
                                               {"devex", BatchPricing::devex},
                                               {"dantzig", BatchPricing::dantzig}};

template <class Value>
std::vector<std::string> namesOf(Words<Value> const& words) {
  std::vector<std::string> names;
  for (auto const& [name, value] : words) names.push_back(name);
  return names;
}

/// Of a word that is one of them.
template <class Value>
Value valueOf(Words<Value> const& words, std::string const& name) {
  for (auto const& [word, value] : words)
    if (word == name) return value;
  return words.front().second;
}

}  // namespace osi_cuda::bench
