// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/round.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/workers.hpp"

namespace osi_cuda::search {

std::size_t Rounds::roomOf(std::size_t underWay) {
  SearchState& s = search_;
  s.boundNow = std::max(s.boundNow, boundOfAll());
  std::int64_t const nodes = s.nodes + static_cast<std::int64_t>(underWay);
  s.limited = nodes >= s.options.nodeLimit || s.lps.iterations >= s.options.iterationLimit;
  if (s.watch() || s.stopped || s.limited) return 0;
  auto const left = static_cast<std::uint64_t>(s.options.nodeLimit - nodes);
  return static_cast<std::size_t>(std::min<std::uint64_t>(s.batch, left));
}

double Rounds::boundOfAll() const {
  double lowest = std::min(search_.pool.lowestBound(), search_.closed);
  for (Round const& round : rounds_)
    for (int const node : round.nodes) lowest = std::min(lowest, search_.pool[node].bound);
  return std::min(search_.incumbent.raised(lowest), search_.incumbent.objective());
}

Round* Rounds::next(std::size_t underWay, std::vector<Probe>& probes) {
  NodePool& pool = search_.pool;
  std::size_t const room = roomOf(underWay);
  if (room == 0) return nullptr;
  double closed = infinity;
  std::vector<int> nodes = pool.take(room, search_.incumbent.cutoff(), closed);
  search_.close(closed);
  if (nodes.empty()) return nullptr;
  Round& round = rounds_[rounds_[0].nodes.empty() ? 0 : 1];
  round.nodes = std::move(nodes);
  round.probes = std::exchange(probes, {});
  round.list.clear();
  constexpr std::size_t worthThread = 256;
  std::size_t const count = round.nodes.size();
  std::vector<NodeList> parts(std::clamp<std::size_t>(count / worthThread, 1, at(search_.threads)));
  batch::runWorkers(search_.threads, parts.size(), [&](std::size_t p, int) {
    std::vector<BoundChange> changes;
    for (std::size_t k = count * p / parts.size(); k < count * (p + 1) / parts.size(); ++k) {
      search_.changesOf(round.nodes[k], changes);
      parts[p].add(changes, pool[round.nodes[k]].start);
    }
  });
  for (NodeList const& part : parts) round.list.append(part);
  for (Probe const& probe : round.probes) round.list.add(probe.bounds, probe.start);
  search_.lps.list(round.list, search_.incumbent.cutoff(), 0, round.call);
  return &round;
}

void Rounds::begin(Round& round) {
  NodeLps& lps = search_.lps;
  if (!search_.request.onDevice) {
    lps.run(round.call, search_.interrupted, round.answers);
    return lps.count(round.answers);
  }
  stops_ = search_.interruptedNow;
  round.done = std::async(std::launch::async, [this, &lps, &round] {
    lps.run(
        round.call, [this] { return stops_.load(); }, round.answers);
  });
}

void Rounds::wait(Round& round) {
  if (!round.done.valid()) return;
  constexpr std::chrono::milliseconds pause(20);
  while (round.done.wait_for(pause) != std::future_status::ready) stops_ = search_.watch();
  round.done.get();
  search_.lps.count(round.answers);
}

}  // namespace osi_cuda::search
