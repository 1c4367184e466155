// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/run.hpp"

namespace osi_cuda {

char const* toString(SolveStage stage) {
  constexpr char const* names[] = {"presolve", "load",   "start",     "barrier",
                                   "pivots",   "digits", "enclosure", "exact"};
  return names[static_cast<std::size_t>(stage)];
}

std::string sentenceOf(PlanChoice const& choice) {
  return std::string("plan: ") + choice.subject + ' ' + choice.chosen + " (" + choice.reason + ')';
}

Run::Scope::Scope(Run& run, SolveStage stage)
    : run_(run),
      outer_(run.stage_),
      counts_(stage != SolveStage::load && stage != SolveStage::enclosure) {
  run_.book();
  run_.stage_ = stage;
  run_.counting_ += counts_;
  run_.account_.entered |= 1u << static_cast<unsigned>(stage);
}

Run::Scope::~Scope() {
  run_.book();
  run_.stage_ = outer_;
  run_.counting_ -= counts_;
}

void Run::book() {
  double const now = whole_->seconds(), passed = now - std::exchange(since_, now);
  if (stage_) account_.byStage[static_cast<std::size_t>(*stage_)] += passed;
  if (counting_ > 0) account_.seconds += passed;
}

void Run::spend(std::int64_t iterations, bool first) {
  budget_->spend(iterations);
  account_.iterations += iterations;
  if (first) account_.phase1 += iterations;
}

void Run::spendBarrier(int iterations) {
  budget_->spend(iterations);
  account_.barrier += iterations;
}

double Run::seconds() const {
  return account_.seconds + (counting_ > 0 ? whole_->seconds() - since_ : 0.0);
}

double Run::seconds(SolveStage stage) const {
  return account_.byStage[static_cast<std::size_t>(stage)] +
         (stage_ == stage ? whole_->seconds() - since_ : 0.0);
}

void Run::progress(Progress progress) const {
  if (!reports()) return;
  progress.seconds = seconds();
  if (progress.stage != Stage::barrier) progress.iterations = account_.iterations;
  callbacks_.progress(progress);
}

void Run::trace(char const* kind, std::vector<TraceField> fields) const {
  if (traces()) callbacks_.trace({kind, seconds(), account_.iterations, std::move(fields)});
}

void Run::plan(PlanChoice choice) {
  if (callbacks_.plan) callbacks_.plan(choice);
  choices_.push_back(std::move(choice));
}

bool Run::checkpointDue() const {
  return callbacks_.checkpoint && callbacks_.checkpointDue && callbacks_.checkpointDue();
}

void Run::checkpoint(Basis const& basis, SolveAlgorithm algorithm,
                     std::optional<Status> status) const {
  if (!callbacks_.checkpoint) return;
  if (status == Status::iterationLimit && whole_->iterationsLeft() > 0) status.reset();
  tell({basis, account_.iterations, seconds(), algorithm, status});
}

void Run::tell(Checkpoint checkpoint) const {
  if (given_) {
    checkpoint.basis = given_(checkpoint.basis);
    checkpoint.status.reset();
  }
  callbacks_.checkpoint(checkpoint);
}

void Run::take(Run const& beside) {
  budget_->take(*beside.whole_);
  book();
  double const seconds = account_.seconds;
  account_ = beside.account_;
  account_.seconds = seconds;
}

void Run::conclude(Solution& solution) {
  book();
  solution.iterations = account_.iterations;
  solution.phase1Iterations = account_.phase1;
  solution.barrierIterations = account_.barrier;
  solution.barrierSeconds = seconds(SolveStage::barrier);
  solution.seconds = account_.seconds;
  solution.phases = whole_->phases();
  solution.plan = {std::move(choices_), {}};
  for (std::size_t k = 0; k < stageCount; ++k)
    if (account_.entered >> k & 1u)
      solution.plan.stages.push_back({toString(static_cast<SolveStage>(k)), account_.byStage[k]});
}

}  // namespace osi_cuda
