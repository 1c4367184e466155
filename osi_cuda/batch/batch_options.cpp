// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda {
namespace {

constexpr char const* problemTimeLimit = "problem-time-limit";

/// Sketches are not for small problems, nor is a tableau without delayed changes for variants.
bool hasRule(Pricing rule) {
  return rule != Pricing::sketched && rule != Pricing::greatest;
}

void copyHonoured(Options const& from, Options& to) {
  for (OptionRecord const& record : optionTable())
    if (record.ofBatches) record.copy(from, to);
}

std::string unknownOption(std::string_view name) {
  std::vector<std::string> known{problemTimeLimit};
  for (OptionRecord const& record : optionTable())
    if (record.ofBatches) known.push_back(record.name);
  std::string hint = suggestion(name, known);
  if (hint.empty())
    for (std::string const& other : known) hint += (hint.empty() ? "; it has " : ", ") + other;
  return "a batch has no option '" + std::string(name) + "'" + hint;
}

}  // namespace

BatchOptions::BatchOptions(Options const& options) {
  copyHonoured(options, *this);
  if (!hasRule(pricing)) pricing = Pricing::automatic;
}

std::string setOption(BatchOptions& options, std::string_view name, std::string_view text) {
  BatchOptions changed = options;
  if (name == problemTimeLimit) {
    Options limit;
    OptionRecord const& record = *findOption("time-limit");
    std::string const fault = record.set(limit, text);
    if (!fault.empty()) return "option " + std::string(name) + ": " + fault;
    changed.problemTimeLimit = limit.timeLimit;
  } else if (OptionRecord const* const record = findOption(name); !record || !record->ofBatches) {
    return unknownOption(name);
  } else {
    std::string fault = setOption(static_cast<Options&>(changed), name, text);
    if (fault.empty()) fault = findFault(changed);
    if (!fault.empty()) return fault;
  }
  options = changed;
  return {};
}

std::string findFault(BatchOptions const& options) {
  if (std::string fault = findFault(static_cast<Options const&>(options)); !fault.empty())
    return fault;
  Options honoured;
  copyHonoured(options, honoured);
  honoured.atWork = options.atWork;
  honoured.oneOfMany = options.oneOfMany;
  if (!(static_cast<Options const&>(options) == honoured))
    for (OptionRecord const& record : optionTable())
      if (!record.ofBatches && record.get(options) != record.defaultText)
        return unknownOption(record.name);
  if (!hasRule(options.pricing))
    return "option pricing: expected auto, steepest, devex or dantzig, found '" +
           findOption("pricing")->get(options) + "'";
  if (options.iterationLimit < 1)
    return "option iteration-limit: expected none or an integer >= 1, found '" +
           std::to_string(options.iterationLimit) + "'";
  if (!(options.problemTimeLimit >= 0.0))
    return "option problem-time-limit: expected none or a number >= 0, found '" +
           std::to_string(options.problemTimeLimit) + "'";
  return {};
}

}  // namespace osi_cuda
