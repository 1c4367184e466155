// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/campaign.hpp"

#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "lab/stress/kinds.hpp"
#include "lab/stress/worker_process.hpp"
#include "osi_cuda/model/pricing.hpp"

namespace osi_cuda::stress {
namespace {

/// Seconds after which a process is ended: so many times its own limit, and some for what the limit
/// does not count (the judge, other work of the machine).
double patience(double limit) {
  return 3.0 * limit + 20.0;
}

/// Making a problem may need Clp's solution of its base.
constexpr double makingLimit = 120.0;

class TaskRunner {
 public:
  explicit TaskRunner(Campaign const& campaign) : campaign_(campaign), process_(campaign.worker) {}

  ProblemResult run(Task const& task) {
    result_ = {};
    result_.task = task;
    if (!make()) return result_;
    double const cells = static_cast<double>(result_.rows) * result_.columns;
    double const limit = campaign_.timeLimit + campaign_.timeLimitPerCell * cells;
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", limit);
    for (Variant const& variant : variantsOf(campaign_, task.kind))
      ask("own\t" + variant.engine + "\t" + variant.algorithm + "\t" + variant.pricing + "\t" +
              text,
          limit, "own", variant.engine + "/" + variant.algorithm + "/" + variant.pricing);
    for (std::string const& peer : campaign_.peers)
      ask("peer\t" + peer + "\t" + text, limit, peer, "");
    if (campaign_.exactTime > 0.0 && needsExact(result_.claims)) askExact();
    bool failed = false;
    for (std::size_t k = 0; k < result_.claims.size(); ++k) {
      result_.judgements.push_back(judge(result_.claims, k));
      if (result_.claims[k].solver != "own") continue;
      failed = failed || result_.judgements[k].missing ||
               result_.judgements[k].verdict == Verdict::wrong;
    }
    if (failed && !campaign_.writeFailures.empty()) writeProblem();
    return std::move(result_);
  }

 private:
  /// Makes the problem in the present process; false when that fails.
  bool make() {
    auto const& task = result_.task;
    std::string const base = task.base.name.empty() ? "-" : task.base.name;
    std::string const file = task.base.path.empty() ? "-" : task.base.path;
    auto const reply = process_.ask(
        "problem\t" + task.kind + "\t" + std::to_string(task.seed) + "\t" + base + "\t" + file,
        makingLimit);
    std::istringstream stream(reply.line);
    std::string word;
    stream >> word >> result_.rows >> result_.columns;
    made_ = reply.outcome == WorkerProcess::Outcome::replied && word == "made";
    if (!made_)
      result_.failure = reply.line.empty() ? "the process that made it ended" : reply.line;
    return made_;
  }

  WorkerProcess::Reply request(std::string const& line, double seconds) {
    if (!made_ && !make()) return {};
    auto const reply = process_.ask(line, seconds);
    // A new process does not know the problem.
    if (reply.outcome != WorkerProcess::Outcome::replied) made_ = false;
    return reply;
  }

  void ask(std::string const& line, double limit, std::string const& solver,
           std::string const& variant) {
    auto const reply = request(line, patience(limit));
    if (reply.line.rfind("absent ", 0) == 0) return;
    Claim claim;
    claim.solver = solver;
    claim.variant = variant;
    if (reply.outcome == WorkerProcess::Outcome::crashed) {
      claim.answer = Answer::crash;
    } else if (reply.outcome == WorkerProcess::Outcome::late) {
      claim.answer = Answer::hang;
    } else if (reply.line.rfind("failed ", 0) == 0) {
      claim.message = reply.line;
    } else {
      claim = claimFrom(reply.line);
    }
    result_.claims.push_back(claim);
  }

  void askExact() {
    auto const reply = request("exact", campaign_.exactTime);
    if (reply.outcome != WorkerProcess::Outcome::replied || reply.line.rfind("failed ", 0) == 0)
      return;
    Claim exact = claimFrom(reply.line);
    if (exact.answer == Answer::optimal) {
      auto const optimum = request("objective", campaign_.exactTime);
      if (optimum.line.rfind("optimum ", 0) == 0)
        exact.objective = std::stod(optimum.line.substr(8));
    }
    result_.claims.push_back(exact);
  }

  void writeProblem() {
    bool wrong = false;
    for (std::size_t k = 0; k < result_.claims.size(); ++k)
      wrong = wrong || (result_.claims[k].solver == "own" &&
                        result_.judgements[k].verdict == Verdict::wrong);
    auto const& task = result_.task;
    std::string const base = task.base.name.empty() ? "" : "_" + task.base.name;
    request("write\t" + campaign_.writeFailures + "/" + (wrong ? "false-" : "missing-") +
                task.kind + base + "_" + std::to_string(task.seed) + ".mps",
            makingLimit);
  }

  Campaign const& campaign_;
  WorkerProcess process_;
  ProblemResult result_;
  bool made_ = false;
};

}  // namespace

std::vector<Variant> variantsOf(Campaign const& campaign, std::string const& kindName) {
  Kind const* const kind = findKind(kindName);
  std::vector<Variant> variants;
  for (Variant const& variant : campaign.variants) {
    variants.push_back(variant);
    if (kind == nullptr || !kind->everyRule || variant.pricing != "auto") continue;
    for (PricingRule const& rule : pricingRules)
      variants.push_back({variant.engine, variant.algorithm, rule.name});
  }
  return variants;
}

std::vector<Task> tasksOf(Campaign const& campaign) {
  for (std::string const& name : campaign.kinds)
    if (findKind(name) == nullptr) throw std::invalid_argument("there is no kind " + name);
  std::vector<Task> tasks;
  std::int64_t solves = 0;
  auto add = [&](Task task) {
    solves += static_cast<std::int64_t>(variantsOf(campaign, task.kind).size());
    tasks.push_back(std::move(task));
  };
  // At least one seed, then until there are enough solves.
  auto wanted = [&](std::uint64_t seed) {
    return campaign.solves > 0
               ? solves < campaign.solves && (seed == campaign.firstSeed || solves > 0)
               : seed <= campaign.lastSeed;
  };
  for (std::uint64_t seed = campaign.firstSeed; wanted(seed); ++seed) {
    for (std::string const& name : campaign.kinds)
      if (!findKind(name)->fromBase)
        for (int k = 0; k < campaign.constructedPerSeed; ++k)
          add({name, {}, (seed - 1) * campaign.constructedPerSeed + k + 1});
    // Base by base: a worker keeps the last one.
    for (BaseFile const& base : campaign.bases)
      for (std::string const& name : campaign.kinds)
        if (findKind(name)->fromBase) add({name, base, seed});
  }
  return tasks;
}

void run(Campaign const& campaign, std::function<void(ProblemResult const&)> const& finished) {
  auto const tasks = tasksOf(campaign);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  auto work = [&] {
    try {
      TaskRunner runner(campaign);
      for (std::size_t k = next++; k < tasks.size(); k = next++) {
        ProblemResult const result = runner.run(tasks[k]);
        std::lock_guard const lock(mutex);
        finished(result);
      }
    } catch (...) {
      std::lock_guard const lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int k = 1; k < campaign.jobs; ++k) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace osi_cuda::stress
