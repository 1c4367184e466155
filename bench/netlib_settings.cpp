// SPDX-License-Identifier: EPL-2.0
#include "bench/netlib_settings.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

#include "bench/results.hpp"

namespace osi_cuda::bench {
namespace {

/// A time limit ends solves of larger problems; their share of the work does not grow any more.
constexpr double dealtCells = 1e9;

[[noreturn]] void fail(std::string const& sentence) {
  throw std::invalid_argument(sentence);
}

double number(std::string const& name, std::string const& text) {
  char* end = nullptr;
  double const value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0.0))
    fail(name + " wants a number >= 0, not '" + text + "'");
  return value;
}

void setPart(NetlibSettings& s, std::string const& text) {
  char end = '\0';
  if (std::sscanf(text.c_str(), "%d/%d%c", &s.part, &s.parts, &end) != 2 || s.part < 1 ||
      s.part > s.parts)
    fail("--part looks like 2/4, not '" + text + "'");
}

void setAlgorithm(NetlibSettings& s, std::string const& text) {
  if (text == "primal")
    s.algorithms = {AlgorithmChoice::primal};
  else if (text == "dual")
    s.algorithms = {AlgorithmChoice::dual};
  else if (text == "barrier")
    s.algorithms = {AlgorithmChoice::barrier};
  else if (text == "none")
    s.algorithms.clear();
  else
    fail("--algorithm is primal, dual, barrier or none (only peers), not '" + text + "'");
}

void setSet(NetlibSettings& s, std::string const& text) {
  if (text != "netlib" && text != "kennington" && text != "all")
    fail("--set is netlib, kennington or all, not '" + text + "'");
  s.set = text;
}

void addPeers(NetlibSettings& s, std::string const& text) {
  for (Contestant& peer : parseContestants(text, bridges())) s.peers.push_back(std::move(peer));
}

std::vector<std::string> words(std::string const& list) {
  std::vector<std::string> result;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');) result.push_back(word);
  return result;
}

using Setter = std::function<void(NetlibSettings&, std::string const&)>;

std::map<std::string, Setter> const& setters() {
  using S = NetlibSettings;
  using T = std::string const;
  static std::map<std::string, Setter> const table{
      {"--set", setSet},
      {"--only", [](S& s, T& t) { s.only.push_back(t); }},
      {"--min-cells", [](S& s, T& t) { s.minCells = number("--min-cells", t); }},
      {"--max-cells", [](S& s, T& t) { s.maxCells = number("--max-cells", t); }},
      {"--memory-limit", [](S& s, T& t) { s.memoryLimit = 1e9 * number("--memory-limit", t); }},
      {"--part", setPart},
      {"--algorithm", setAlgorithm},
      {"--peer", addPeers},
      {"--peer-limit", [](S& s, T& t) { s.peerLimit = number("--peer-limit", t); }},
      {"--results", [](S& s, T& t) { s.resultsFile = t; }},
      {"--solvers", [](S& s, T& t) { s.solvers = words(t); }},
  };
  return table;
}

std::vector<testing::Instance> allInstances(std::string const& set) {
  std::vector<testing::Instance> all;
  if (set != "kennington") all = testing::netlibInstances();
  if (set != "netlib")
    for (auto& instance : testing::kenningtonInstances()) all.push_back(std::move(instance));
  std::stable_sort(all.begin(), all.end(),
                   [](auto const& a, auto const& b) { return a.cells() < b.cells(); });
  return all;
}

}  // namespace

NetlibSettings parseNetlibSettings(std::vector<std::string> const& arguments) {
  NetlibSettings s;
  s.options.timeLimit = 120.0;
  s.options.presolve = Toggle::off;  // as the peers, unless it is asked for
  bool printing = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string const& name = arguments[i];
    if (name.rfind("--", 0) != 0) {
      if (!printing) fail("unknown argument " + name);
      s.print.push_back(name);
    } else if (name == "--print") {
      printing = true;
    } else if (name == "--ratios") {
      s.ratios = true;
    } else if (name == "--peer-presolve") {
      s.peerPresolve = true;
    } else if (name == "--list") {
      s.list = true;
    } else if (i + 1 == arguments.size()) {
      fail(name + " wants a value");
    } else if (auto const setter = setters().find(name); setter != setters().end()) {
      setter->second(s, arguments[++i]);
    } else if (std::string const fault = setOption(s.options, name.substr(2), arguments[++i]);
               !fault.empty()) {
      fail(fault);
    }
  }
  if (printing && s.print.empty()) fail("--print wants files");
  return s;
}

std::string ownLabel(Options const& options, AlgorithmChoice algorithm) {
  std::string label = findOption("engine")->get(options);
  label += algorithm == AlgorithmChoice::primal    ? "/primal"
           : algorithm == AlgorithmChoice::barrier ? "/barrier"
                                                   : "/dual";
  if (options.pricing != PricingChoice::automatic)
    label += '/' + findOption("pricing")->get(options);
  if (options.presolve != Toggle::off) label += "/presolve";
  return label;
}

double tableauBytes(testing::Instance const& instance) {
  return instance.cells() * (sizeof(double) + sizeof(float));
}

std::vector<testing::Instance> pickInstances(NetlibSettings const& s,
                                             std::vector<testing::Instance>& left) {
  std::vector<testing::Instance> fitting;
  for (auto& instance : allInstances(s.set)) {
    if (instance.cells() < s.minCells || instance.cells() > s.maxCells) continue;
    if (!s.only.empty() && std::find(s.only.begin(), s.only.end(), instance.name) == s.only.end())
      continue;
    (tableauBytes(instance) > s.memoryLimit ? left : fitting).push_back(std::move(instance));
  }
  std::vector<double> costs;
  for (auto const& instance : fitting) costs.push_back(std::min(instance.cells(), dealtCells));
  std::vector<int> const hands = deal(costs, s.parts);
  std::vector<testing::Instance> mine;
  for (std::size_t i = 0; i < fitting.size(); ++i)
    if (hands[i] == s.part - 1) mine.push_back(std::move(fitting[i]));
  return mine;
}

}  // namespace osi_cuda::bench
