// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lab/stress/kinds.hpp"

namespace osi_cuda::stress {
namespace {

void count(Summary::Counts& counts, Claim const& claim, Judgement const& judgement) {
  ++counts.solves;
  counts.right += judgement.verdict == Verdict::right;
  counts.wrong += judgement.verdict == Verdict::wrong;
  counts.unsettled += judgement.verdict == Verdict::unsettled;
  counts.missing += judgement.missing;
  counts.numerical += claim.answer == Answer::numerical;
  counts.timeLimit += claim.answer == Answer::timeLimit;
  counts.crash += claim.answer == Answer::crash;
  counts.hang += claim.answer == Answer::hang;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace

void Summary::Counts::add(Counts const& other) {
  problems += other.problems;
  solves += other.solves;
  right += other.right;
  wrong += other.wrong;
  unsettled += other.unsettled;
  numerical += other.numerical;
  timeLimit += other.timeLimit;
  crash += other.crash;
  hang += other.hang;
  missing += other.missing;
  wanted += other.wanted;
  for (auto const& [name, peer] : other.peers) {
    Peer& sum = peers[name];
    sum.solves += peer.solves;
    sum.wrong += peer.wrong;
    sum.missing += peer.missing;
  }
}

void Summary::add(ProblemResult const& result) {
  Counts& counts = byKind_[result.task.kind];
  if (!result.failure.empty()) return;
  ++counts.problems;
  bool const otherAnswer =
      std::any_of(result.claims.begin(), result.claims.end(),
                  [](Claim const& claim) { return claim.solver != "own" && claim.standsUp(); });
  for (std::size_t k = 0; k < result.claims.size(); ++k) {
    Claim const& claim = result.claims[k];
    Judgement const& judgement = result.judgements[k];
    if (claim.solver == "own") {
      count(counts, claim, judgement);
      understated_ += claim.understated;
      if (claim.answer == Answer::optimal && !std::isnan(claim.miss)) {
        ++known_;
        bool const missed = claim.miss > falseResidual;
        missed_ += missed;
        untold_ += missed && !std::isfinite(claim.width);
        if (std::isfinite(claim.width)) widths_.push_back(claim.width);
      }
      counts.wanted += otherAnswer;
    } else if (claim.solver != "exact") {
      auto& peer = counts.peers[claim.solver];
      ++peer.solves;
      peer.wrong += judgement.verdict == Verdict::wrong;
      peer.missing += judgement.missing;
    }
  }
}

std::string Summary::enclosures() const {
  std::vector<double> widths = widths_;
  std::sort(widths.begin(), widths.end());
  return std::to_string(known_) + " optima held against the exact ones, " +
         std::to_string(missed_) + " off by more than 1e-6 (" + std::to_string(untold_) +
         " without a finite enclosure), " + std::to_string(widths.size()) +
         " finite enclosures of median relative width " +
         (widths.empty() ? "-" : number(widths[widths.size() / 2])) + "; " +
         std::to_string(understated_) + " primal residuals reported too small";
}

Summary::Counts Summary::total() const {
  Counts sum;
  for (auto const& [kind, counts] : byKind_) sum.add(counts);
  return sum;
}

void Summary::print(std::ostream& out, std::vector<std::string> const& peers) const {
  out << "| kind | problems | solves | right | false | unsettled | numerical | time limit | crash "
         "| "
         "hang | missing |";
  for (std::string const& peer : peers) out << " " << peer << " false | " << peer << " missing |";
  out << "\n|---|" << std::string("---|---|---|---|---|---|---|---|---|---|");
  for (std::size_t k = 0; k < peers.size(); ++k) out << "---|---|";
  out << "\n";
  auto line = [&](std::string const& name, Counts const& c) {
    out << "| " << name;
    for (int const value : {c.problems, c.solves, c.right, c.wrong, c.unsettled, c.numerical,
                            c.timeLimit, c.crash, c.hang, c.missing})
      out << " | " << value;
    for (std::string const& peer : peers) {
      auto const found = c.peers.find(peer);
      if (found == c.peers.end())
        out << " | - | -";
      else
        out << " | " << found->second.wrong << " | " << found->second.missing;
    }
    out << " |\n";
  };
  for (Kind const& kind : kinds())
    if (auto const found = byKind_.find(kind.name); found != byKind_.end())
      line(kind.name, found->second);
  line("**all**", total());
}

void Summary::printShort(std::ostream& out, std::vector<std::string> const& peers) const {
  out << "| kind | what | problems | solves | false | missing |";
  for (std::string const& peer : peers) out << " " << peer << " false | " << peer << " missing |";
  out << "\n| --- | --- | --- | --- | --- | --- |";
  for (std::size_t k = 0; k < peers.size(); ++k) out << " --- | --- |";
  out << "\n";
  auto line = [&](std::string const& name, std::string const& what, Counts const& c) {
    out << "| " << name << " | " << what << " | " << c.problems << " | " << c.solves << " | "
        << c.wrong << " | " << c.missing << " |";
    for (std::string const& peer : peers) {
      auto const found = c.peers.find(peer);
      Counts::Peer const counts = found == c.peers.end() ? Counts::Peer{} : found->second;
      out << " " << counts.wrong << " | " << counts.missing << " |";
    }
    out << "\n";
  };
  for (Kind const& kind : kinds())
    if (auto const found = byKind_.find(kind.name); found != byKind_.end())
      line(kind.name, kind.what, found->second);
  line("all", "", total());
}

std::string csvHeading() {
  return "kind,base,seed,rows,columns,solver,engine/algorithm/pricing,status,own_primal,own_dual,"
         "own_complementarity,judged_primal,judged_dual,judged_gap,proof,objective,"
         "other_objective,miss,width,understated,seconds,iterations,verdict,missing,message\n";
}

std::string csvLines(ProblemResult const& result) {
  std::string lines;
  std::string const start = result.task.kind + "," + result.task.base.name + "," +
                            std::to_string(result.task.seed) + "," + std::to_string(result.rows) +
                            "," + std::to_string(result.columns) + ",";
  if (!result.failure.empty())
    return start + ",,not_made,,,,,,,,,,,,,,,,\"" + result.failure + "\"\n";
  for (std::size_t k = 0; k < result.claims.size(); ++k) {
    Claim const& claim = result.claims[k];
    // The exact objective, else that of the first other solver whose optimum stands up.
    std::string other;
    for (Claim const& reference : result.claims)
      if (reference.solver != claim.solver && reference.answer == Answer::optimal &&
          reference.standsUp() && (other.empty() || reference.solver == "exact"))
        other = number(reference.objective);
    std::string message = claim.message;
    std::replace(message.begin(), message.end(), '"', '\'');
    lines += start + claim.solver + "," + claim.variant + "," + toString(claim.answer);
    for (double const value :
         {claim.reported.primal, claim.reported.dual, claim.reported.complementarity,
          claim.judged.primal, claim.judged.dual, claim.judged.gap})
      lines += "," + number(value);
    lines += std::string(",") + toString(claim.proof) + "," + number(claim.objective) + "," +
             other + "," + number(claim.miss) + "," + number(claim.width) + "," +
             (claim.understated ? "1" : "0") + "," + number(claim.seconds) + "," +
             std::to_string(claim.iterations) + "," + toString(result.judgements[k].verdict) + "," +
             (result.judgements[k].missing ? "1" : "0") + ",\"" + message + "\"\n";
  }
  return lines;
}

}  // namespace osi_cuda::stress
