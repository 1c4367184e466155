// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/worker.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bridges/bridge.hpp"
#include "lab/stress/claim.hpp"
#include "lab/stress/exact.hpp"
#include "lab/stress/kinds.hpp"
#include "lab/stress/ways.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/write.hpp"

namespace osi_cuda::stress {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The bridge checks certificates of Clp by the solver's own rules and drops what fails, so that a
/// missing one is no proof; exact arithmetic settles that. Others give multipliers with either
/// sign.
void describePeer(LinearProgram const& lp, Solution const& solution, Claim& claim) {
  describe(lp, solution, claim);
  if (solution.status != Status::infeasible || claim.proof != Proof::none) return;
  Rationals y = farkasOf(solution);
  for (mpq_class& value : y) value = -value;
  claim.proof = judgeFarkas(lp, y);
}

class Worker {
 public:
  explicit Worker(WorkerSettings settings) : settings_(std::move(settings)) {}

  std::string answer(std::string const& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    try {
      return answered(fields);
    } catch (std::exception const& error) {
      return std::string("failed ") + error.what();
    }
  }

 private:
  std::string answered(std::vector<std::string> const& fields) {
    std::string const& request = fields.at(0);
    if (request == "problem") return make(fields.at(1), fields.at(2), fields.at(3), fields.at(4));
    if (request == "own") return own(fields.at(1), fields.at(2), fields.at(3), fields.at(4));
    if (request == "peer") return peer(fields.at(1), std::stod(fields.at(2)));
    if (request == "exact") return exact();
    if (request == "objective") return objective();
    if (request == "write") {
      readers::write(fields.at(1), lp_, readers::FileFormat::freeMps);
      for (auto const& [way, suspect] : suspects_)
        readers::write(std::filesystem::path(fields.at(1)).replace_extension(way + ".mps").string(),
                       suspect, readers::FileFormat::freeMps);
      return "written";
    }
    throw std::runtime_error("a worker does not know the request " + request);
  }

  std::string make(std::string const& kindName, std::string const& seed,
                   std::string const& baseName, std::string const& file) {
    Kind const* const kind = findKind(kindName);
    if (kind == nullptr) throw std::runtime_error("there is no kind " + kindName);
    if (kind->fromBase) {
      if (baseName != baseName_ || !base_) base_.emplace(BaseFile{baseName, file});
      baseName_ = baseName;
      lp_ = makeProblem(*kind, baseName, *base_, std::stoull(seed));
    } else {
      lp_ = makeProblem(*kind, "", BaseModel(), std::stoull(seed));
    }
    truth_.reset();
    suspects_.clear();
    seed_ = std::stoull(seed);
    return "made " + std::to_string(lp_.rows()) + " " + std::to_string(lp_.columns()) + " " +
           std::to_string(lp_.matrix.nonzeros());
  }

  std::string own(std::string const& engine, std::string const& algorithm,
                  std::string const& pricing, std::string const& limit) {
    if (isWay(engine)) return way(engine, std::stod(limit));
    Options options;
    bool const interior = algorithm == "interior";
    bool const representation = engine == "tableau" || engine == "factors";
    for (auto const& [name, value] :
         {std::pair<std::string, std::string>{"engine", representation ? "host" : engine},
          {"representation", representation ? engine : "auto"},
          {"algorithm", interior ? "barrier" : algorithm},
          {"crossover", interior ? "off" : "on"},
          {"pricing", pricing},
          {"time-limit", limit},
          {"threads", "1"}})
      if (std::string const fault = setOption(options, name, value); !fault.empty())
        throw std::runtime_error(fault);
    Claim claim;
    claim.solver = "own";
    claim.variant = engine + "/" + algorithm + "/" + pricing;
    auto const start = Clock::now();
    Solver solver(lp_);
    Solution const solution = solver.solve(options);
    claim.seconds = since(start);
    describe(lp_, solution, claim);
    if (settings_.truthTime > 0.0) settle(truth(), lp_, solution, claim);
    return lineOf(claim);
  }

  /// Of the present problem.
  Truth const& truth() {
    if (!truth_) truth_ = truthOf(lp_, settings_.truthTime);
    return *truth_;
  }

  std::string way(std::string const& name, double limit) {
    auto const start = Clock::now();
    auto gone = goneWay(name, lp_, truth(), limit, seed_);
    if (!gone) return "absent " + name;
    gone->claim.solver = "own";
    gone->claim.variant = name + "/auto/auto";
    gone->claim.seconds = since(start);
    if (gone->suspect) suspects_.insert_or_assign(name, std::move(*gone->suspect));
    return lineOf(gone->claim);
  }

  std::string peer(std::string const& name, double limit) {
    Claim claim;
    claim.solver = name;
    auto const start = Clock::now();
    auto const bridge = findBridge(bridges(), name);
    if (!bridge) return "absent " + name;
    BridgeOptions options;
    options.timeLimit = limit;
    options.presolve = settings_.peerPresolve;
    Solution const solution = bridge->solve(lp_, options);
    claim.seconds = since(start);
    describePeer(lp_, solution, claim);
    return lineOf(claim);
  }

  std::string exact() {
    Claim claim;
    claim.solver = "exact";
    auto const start = Clock::now();
    ExactAnswer const answer = exactAnswer(lp_);
    claim.seconds = since(start);
    claim.answer = answer.known ? answerOf(answer.status) : Answer::numerical;
    claim.objective = std::numeric_limits<double>::quiet_NaN();
    // Infeasible: by how much. Otherwise there is a point that satisfies everything.
    claim.judged = {answer.infeasibility, 0.0, 0.0, claim.objective};
    claim.proof = answer.known ? Proof::exact : Proof::none;
    claim.improvingRay = answer.improvingRay;
    return lineOf(claim);
  }

  std::string objective() {
    auto const optimum = exactOptimum(lp_);
    if (!optimum) throw std::runtime_error("no exact optimum was found");
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", optimum->get_d());
    return std::string("optimum ") + text;
  }

  WorkerSettings settings_;
  std::optional<BaseModel> base_;
  std::string baseName_;
  LinearProgram lp_;
  std::uint64_t seed_ = 1;
  std::optional<Truth> truth_;                     // of lp_, once it is asked for
  std::map<std::string, LinearProgram> suspects_;  // what a way states something false about
};

void reply(int replies, std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  text += '\n';
  for (std::size_t done = 0; done < text.size();) {
    auto const count = write(replies, text.data() + done, text.size() - done);
    if (count <= 0) _exit(1);  // nobody listens any more
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace

void serveLines(int requests, int replies,
                std::function<std::string(std::string const&)> const& answer) {
  // Without the one who asks, a solve that does not end would go on for ever.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string pending;
  char block[4096];
  for (ssize_t count = 0; (count = read(requests, block, sizeof block)) > 0;) {
    pending.append(block, static_cast<std::size_t>(count));
    for (std::size_t end; (end = pending.find('\n')) != std::string::npos;) {
      reply(replies, answer(pending.substr(0, end)));
      pending.erase(0, end + 1);
    }
  }
}

void serve(int requests, int replies, WorkerSettings const& settings) {
  Worker worker(settings);
  serveLines(requests, replies, [&](std::string const& line) { return worker.answer(line); });
}

}  // namespace osi_cuda::stress
