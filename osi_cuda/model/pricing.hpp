// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iterator>
#include <span>

/// The rules of pricing: how the entering (primal) or leaving (dual) variable is chosen. Each
/// rule has a record for options, help, messages, control and engines; the formulas are in
/// simplex/weights.hpp.
namespace osi_cuda {

enum class Pricing {
  automatic,
  steepest,  ///< steepest edge (Goldfarb and Reid 1977; dual: Forrest and Goldfarb 1992)
  sketched,  ///< its norms estimated by a random projection (Johnson and Lindenstrauss 1984)
  devex,     ///< reference framework (Harris 1973)
  dantzig,   ///< largest reduced cost or violation
  greatest   ///< largest improvement of the objective in one step
};

/// What a rule divides squares of reduced costs or violations by.
enum class Weights {
  none,      ///< nothing: the numbers themselves are compared
  exact,     ///< squared norms of steepest edge
  sketched,  ///< the same, estimated from a random projection of the tableau
  reference  ///< of a reference framework, 1 at first
};

struct PricingRule {
  Pricing rule = Pricing::automatic;  ///< its place in the table
  char const* name = "";              ///< as options and results have it
  char const* description = "";       ///< a few words for help and tables
  Weights weights = Weights::none;
  bool everywhere = true;  ///< else it is a rule of the primal's phase 2 only, and ...
  Pricing elsewhere = Pricing::automatic;  ///< ... this one replaces it
  bool ofTableau = false;  ///< needs a tableau; factors of the basis have no such numbers
  /// Compares the gain of a whole step: a run is one pivot, from a tableau without delayed updates.
  bool wholeSteps = false;
  bool randomTies = false;  ///< equal candidates are told apart by chance, not by their numbers
};

inline constexpr PricingRule pricingTable[] = {
    {.rule = Pricing::automatic, .name = "auto", .description = "by engine and size"},
    {.rule = Pricing::steepest,
     .name = "steepest",
     .description = "exact norms",
     .weights = Weights::exact},
    {.rule = Pricing::sketched,
     .name = "sketched",
     .description = "estimated norms",
     .weights = Weights::sketched,
     .ofTableau = true},
    {.rule = Pricing::devex,
     .name = "devex",
     .description = "reference weights",
     .weights = Weights::reference},
    {.rule = Pricing::dantzig, .name = "dantzig", .description = "no weights", .randomTies = true},
    {.rule = Pricing::greatest,
     .name = "greatest",
     .description = "the largest gain of a whole step",
     .everywhere = false,
     .elsewhere = Pricing::steepest,
     .ofTableau = true,
     .wholeSteps = true},
};

/// The rules themselves, without `automatic`.
inline constexpr std::span<PricingRule const> pricingRules{std::begin(pricingTable) + 1,
                                                           std::end(pricingTable)};

constexpr PricingRule const& ruleOf(Pricing pricing) {
  return pricingTable[static_cast<int>(pricing)];
}
constexpr char const* toString(Pricing pricing) {
  return ruleOf(pricing).name;
}

namespace pricing_details {
constexpr bool inOrder() {
  int place = 0;
  for (PricingRule const& record : pricingTable)
    if (static_cast<int>(record.rule) != place++) return false;
  return true;
}
}  // namespace pricing_details
static_assert(pricing_details::inOrder(), "each record stands at the place of its rule");

}  // namespace osi_cuda
