// SPDX-License-Identifier: EPL-2.0
#include "examples/textbook/variant.hpp"

namespace osi_cuda::textbook {

std::vector<Axis> const& axes() {
  static std::vector<Axis> const all{
      {"place", {"host", "device"}},
      {"rule",
       {"largest", "greatest", "greatest-thread", "greatest-block", "greatest-tile",
        "greatest-parts"}},
      {"buffers", {"one", "two"}},
      {"drive", {"one-core", "vectors", "all-cores", "host-flag", "queue", "graph", "persistent"}},
      {"precision", {"double", "single"}},
      {"layout", {"rows", "columns"}}};
  return all;
}

std::vector<std::string> wordsOf(Variant const& v) {
  std::size_t const chosen[] = {std::size_t(v.place),     std::size_t(v.rule),
                                std::size_t(v.buffers),   std::size_t(v.drive),
                                std::size_t(v.precision), std::size_t(v.layout)};
  std::vector<std::string> words;
  for (std::size_t k = 0; k < axes().size(); ++k) words.push_back(axes()[k].values[chosen[k]]);
  return words;
}

std::vector<Variant> allVariants() {
  constexpr Drive hostDrives[] = {Drive::oneCore, Drive::vectors, Drive::allCores};
  constexpr Drive deviceDrives[] = {Drive::hostFlag, Drive::queue, Drive::graph, Drive::persistent};
  constexpr Rule hostRules[] = {Rule::largest, Rule::greatest};
  constexpr Rule deviceRules[] = {Rule::largest, Rule::greatestThread, Rule::greatestBlock,
                                  Rule::greatestTile, Rule::greatestParts};
  std::vector<Variant> all;
  auto const add = [&](Place place, auto const& rules, auto const& drives) {
    for (Rule const rule : rules)
      for (Drive const drive : drives)
        for (Buffers const buffers : {Buffers::one, Buffers::two})
          for (Precision const precision : {Precision::doubles, Precision::singles})
            for (Layout const layout : {Layout::rows, Layout::columns})
              all.push_back({place, rule, buffers, drive, precision, layout});
  };
  add(Place::host, hostRules, hostDrives);
  add(Place::device, deviceRules, deviceDrives);
  return all;
}

char const* toString(Ending ending) {
  constexpr char const* words[] = {"running",   "optimal",     "infeasible",
                                   "unbounded", "pivot_limit", "time_limit"};
  return words[static_cast<int>(ending)];
}

}  // namespace osi_cuda::textbook
