// SPDX-License-Identifier: EPL-2.0
// The device's part of a batch on fibers of the host: every thread of a block a fiber, in random
// order. What depends on who comes first shows as an answer that depends on the seed.
#include "tests/support/emulated_device.hpp"
// what follows is device code, which the emulation has to come before
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/engine/cuda/batch/batch_queue.cuh"
#include "tests/support/batch_checks.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/hard_problems.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using namespace osi_cuda::cuda;

namespace {

/// A part of a batch in memory, as a kernel finds it, and what the kernel leaves there.
class Emulation {
 public:
  explicit Emulation(std::vector<LinearProgram> const& problems) : problems_(problems) {
    for (LinearProgram const& lp : problems) packed_.add(lp);
    BatchResults& r = results_;
    r.columnStart = r.rowStart = {0};
    std::int64_t cells = 0;
    for (LinearProgram const& lp : problems) {
      tasks_.push_back({cells, static_cast<std::int64_t>(r.columnStart.back()),
                        static_cast<std::int64_t>(r.rowStart.back()), lp.rows(), lp.columns(),
                        lp.sense == Sense::maximize ? -1.0 : 1.0, lp.objectiveOffset});
      cells += std::int64_t{lp.rows()} * lp.columns();
      r.columnStart.push_back(r.columnStart.back() + at(lp.columns()));
      r.rowStart.push_back(r.rowStart.back() + at(lp.rows()));
      order_.push_back(static_cast<int>(order_.size()));
    }
  }

  /// Solves all problems; the tableau in shared memory or outside.
  template <bool single, bool inShared, bool usual>
  BatchResults run(int blocks, int threads, std::uint64_t seed,
                   batch::SmallSettings const& settings = exact()) {
    BatchResults& r = results_;
    std::size_t const columns = r.columnStart.back(), rows = r.rowStart.back();
    double const unset = std::nan("");
    r.x.assign(columns, unset);
    r.y.assign(rows, unset);
    std::vector<double> yLow(rows, unset), ray(columns, unset), rayLow(columns, unset);
    std::vector<std::uint8_t> columnStatus(columns, 99), rowStatus(rows, 99);
    std::vector<batch::SmallReport> report(problems_.size());
    BatchPart const part{tasks_.data(),
                         packed_.matrix.data(),
                         packed_.objective.data(),
                         packed_.columnLower.data(),
                         packed_.columnUpper.data(),
                         packed_.rowLower.data(),
                         packed_.rowUpper.data(),
                         {report.data(), r.x.data(), r.y.data(), yLow.data(), ray.data(),
                          rayLow.data(), columnStatus.data(), rowStatus.data()}};
    std::size_t shared = 0, tableau = 0;
    for (BatchTask const& task : tasks_) {
      std::size_t const bytes = tableauBytes(task.rows, task.columns);
      tableau = std::max(tableau, bytes / sizeof(double));
      shared =
          std::max(shared, teamBytes(task.rows, task.columns, threads) + (inShared ? bytes : 0));
    }
    std::vector<double> tableaus(inShared ? 0 : at(blocks) * tableau, unset);
    unsigned next = 0;
    BatchQueue const queue{order_.data(), static_cast<int>(order_.size()), &next,
                           inShared ? nullptr : tableaus.data(), tableau};
    // Behind what the kernel asks for lies its ticket, as in a kernel's static shared memory.
    std::size_t const ticket = (shared + 15) / 16 * 16;
    emulated::launch(blocks, threads, ticket + sizeof(unsigned), seed, [&] {
      char* const memory = emulated::sharedMemory();
      solveQueue<single, inShared, usual>(part, queue, settings, threads, memory,
                                          reinterpret_cast<unsigned*>(memory + ticket));
    });
    return keep(report, yLow, ray, rayLow, columnStatus, rowStatus);
  }

  static batch::SmallSettings exact() {
    batch::SmallSettings settings;
    settings.primal = settings.dual = Pricing::sketched;
    return settings;
  }

 private:
  BatchResults keep(std::vector<batch::SmallReport> const& report, std::vector<double> const& yLow,
                    std::vector<double> const& ray, std::vector<double> const& rayLow,
                    std::vector<std::uint8_t> const& columnStatus,
                    std::vector<std::uint8_t> const& rowStatus) {
    using osi_cuda::BatchStatus;
    BatchResults r = results_;
    auto const statuses = [](std::vector<std::uint8_t> const& words) {
      std::vector<VariableStatus> list;
      for (std::uint8_t word : words) list.push_back(static_cast<VariableStatus>(word));
      return list;
    };
    r.columnStatus = statuses(columnStatus);
    r.rowStatus = statuses(rowStatus);
    for (std::size_t k = 0; k < report.size(); ++k) {
      BatchStatus const end = report[k].end;
      bool const optimal = end == BatchStatus::optimal, infeasible = end == BatchStatus::infeasible,
                 unbounded = end == BatchStatus::unbounded;
      r.status.push_back(optimal                       ? BatchStatus::optimal
                         : infeasible                  ? BatchStatus::infeasible
                         : unbounded                   ? BatchStatus::unbounded
                         : end == BatchStatus::invalid ? BatchStatus::invalid
                                                       : BatchStatus::numerical);
      r.objective.push_back(optimal ? report[k].objective : 0.0);
      r.residual.push_back(report[k].residual);
      r.iterations.push_back(report[k].iterations);
      r.proof.push_back(optimal                   ? ProofGrade::tolerance
                        : infeasible || unbounded ? ProofGrade::extended
                                                  : ProofGrade::none);
      BatchCertificate certificate;
      certificate.problem = k;
      auto const piece = [](std::vector<double> const& array, std::size_t from, std::size_t to) {
        return std::vector<double>(array.begin() + static_cast<std::ptrdiff_t>(from),
                                   array.begin() + static_cast<std::ptrdiff_t>(to));
      };
      if (infeasible) {
        certificate.farkas = piece(r.y, r.rowStart[k], r.rowStart[k + 1]);
        certificate.farkasLow = piece(yLow, r.rowStart[k], r.rowStart[k + 1]);
      } else if (unbounded) {
        certificate.ray = piece(ray, r.columnStart[k], r.columnStart[k + 1]);
        certificate.rayLow = piece(rayLow, r.columnStart[k], r.columnStart[k + 1]);
      }
      if (infeasible || unbounded) r.certificates.push_back(certificate);
      // What an end does not write is nobody's business.
      if (!optimal)
        std::fill(r.y.begin() + static_cast<std::ptrdiff_t>(r.rowStart[k]),
                  r.y.begin() + static_cast<std::ptrdiff_t>(r.rowStart[k + 1]), 0.0);
      if (!optimal && !unbounded)
        std::fill(r.x.begin() + static_cast<std::ptrdiff_t>(r.columnStart[k]),
                  r.x.begin() + static_cast<std::ptrdiff_t>(r.columnStart[k + 1]), 0.0);
    }
    return r;
  }

  std::vector<LinearProgram> problems_;
  PackedBatch packed_;
  std::vector<BatchTask> tasks_;
  std::vector<int> order_;
  BatchResults results_;
};

struct Drawn {
  std::vector<testing::RandomLp> made;
  std::vector<LinearProgram> problems;
};
Drawn draw(int count, int size, std::uint64_t seed) {
  testing::RandomLpShape shape;
  shape.maxRows = shape.maxColumns = size;
  shape.emptyDimensions = false;  // those are solved on the processor
  Drawn drawn;
  for (int k = 0; k < count; ++k) {
    drawn.made.push_back(testing::randomLp(seed + at(k), shape));
    drawn.problems.push_back(drawn.made.back().lp);
  }
  return drawn;
}

/// Known answers with their proofs, but for the odd one that is left to the ordinary solver.
void check(Drawn const& drawn, BatchResults const& results) {
  std::size_t open = 0;
  for (std::size_t k = 0; k < drawn.made.size(); ++k) {
    if (results.status[k] == BatchStatus::numerical) {
      ++open;
      continue;
    }
    BOOST_TEST_CONTEXT(drawn.made[k].description) {
      BOOST_TEST(toString(results.status[k]) == toString(drawn.made[k].expected));
      if (drawn.made[k].expected == Status::optimal)
        BOOST_TEST(std::fabs(results.objective[k] - drawn.made[k].objective) <=
                   1e-9 * (1.0 + std::fabs(drawn.made[k].objective)));
      testing::checkAnswer(drawn.problems[k], results, k);
    }
  }
  BOOST_TEST(open <= drawn.made.size() / 20);
}

void checkSame(BatchResults const& a, BatchResults const& b) {
  for (std::size_t k = 0; k < a.status.size(); ++k) {
    if (a.status[k] == BatchStatus::optimal || a.status[k] == BatchStatus::unbounded ||
        a.status[k] == BatchStatus::infeasible) {
      BOOST_TEST((a.status[k] == b.status[k]));
      BOOST_TEST(a.iterations[k] == b.iterations[k]);
      BOOST_TEST((a.objective[k] == b.objective[k]));
    }
  }
  BOOST_TEST((a.x == b.x));
  BOOST_TEST((a.y == b.y));
  BOOST_TEST((a.columnStatus == b.columnStatus));
  BOOST_TEST((a.rowStatus == b.rowStatus));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(block_team)

BOOST_AUTO_TEST_CASE(a_warp_solves_random_problems) {
  Drawn const drawn = draw(60, 10, 300);
  Emulation emulation(drawn.problems);
  BatchResults const first = emulation.run<true, true, true>(3, 32, 1);
  check(drawn, first);
  checkSame(first, emulation.run<true, true, true>(2, 32, 2));
}

BOOST_AUTO_TEST_CASE(several_warps_solve_random_problems) {
  Drawn const drawn = draw(24, 40, 700);
  Emulation emulation(drawn.problems);
  BatchResults const first = emulation.run<false, true, true>(2, 96, 3);
  check(drawn, first);
  checkSame(first, emulation.run<false, true, true>(1, 96, 4));
  checkSame(first, emulation.run<false, false, true>(2, 96, 5));  // the tableau elsewhere
}

BOOST_AUTO_TEST_CASE(other_rules_of_pricing_find_the_same_optima) {
  Drawn const drawn = draw(20, 14, 1300);
  Emulation emulation(drawn.problems);
  for (Pricing const pricing : {Pricing::devex, Pricing::dantzig, Pricing::steepest}) {
    batch::SmallSettings settings;
    settings.primal = settings.dual = pricing;
    check(drawn, emulation.run<false, true, false>(2, 64, 6, settings));
  }
}

BOOST_AUTO_TEST_CASE(more_lines_than_threads_and_fewer) {
  for (auto const& [rows, columns] : {std::pair{70, 5}, {5, 70}, {40, 35}}) {
    std::vector<LinearProgram> const problems{testing::denseLp(rows, columns, 1, false),
                                              testing::denseLp(rows, columns, 2, true)};
    Emulation emulation(problems);
    BatchResults const r = emulation.run<true, true, true>(1, 32, 7);
    BatchOptions options;
    options.engine = BatchEngine::host;
    BatchResults const host = solveBatch(problems, options);
    for (std::size_t k = 0; k < problems.size(); ++k) {
      BOOST_TEST((r.status[k] == host.status[k]));
      BOOST_TEST(std::fabs(r.objective[k] - host.objective[k]) <=
                 1e-9 * (1.0 + std::fabs(host.objective[k])));
      testing::checkAnswer(problems[k], r, k);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_bad_problem_costs_only_itself) {
  std::vector<LinearProgram> bad = testing::poisonedProblems();
  bad.resize(6);  // those without rows or columns are solved on the processor
  Drawn const drawn = draw(6, 8, 50);
  Emulation clean(drawn.problems);
  BatchResults const alone = clean.run<true, true, true>(1, 32, 8);
  std::vector<LinearProgram> mixed;
  for (std::size_t k = 0; k < bad.size(); ++k) {
    mixed.push_back(bad[k]);
    mixed.push_back(drawn.problems[k]);
  }
  Emulation emulation(mixed);
  BatchResults const results = emulation.run<true, true, true>(2, 32, 9);
  for (std::size_t k = 0; k < bad.size(); ++k) {
    BOOST_TEST(toString(results.status[2 * k]) == testing::poisonedStatus(k));
    testing::checkSameBits(results, 2 * k + 1, alone, k);
  }
}

namespace {

/// Problems one after the other as a team reads them.
class SmallProblems {
 public:
  explicit SmallProblems(PackedBatch const& packed) {
    batch::SmallProblem p;
    p.matrix = packed.matrix.data();
    p.objective = packed.objective.data();
    p.columnLower = packed.columnLower.data();
    p.columnUpper = packed.columnUpper.data();
    p.rowLower = packed.rowLower.data();
    p.rowUpper = packed.rowUpper.data();
    for (std::size_t k = 0; k < packed.rows.size(); ++k) {
      int const m = p.rows = packed.rows[k], n = p.columns = packed.columns[k];
      p.sign = packed.sense[k] == Sense::maximize ? -1.0 : 1.0;
      p.offset = packed.offset[k];
      list_.push_back(p);
      p.matrix += m * n;
      for (double const** array : {&p.objective, &p.columnLower, &p.columnUpper}) *array += n;
      for (double const** array : {&p.rowLower, &p.rowUpper}) *array += m;
    }
  }
  batch::SmallProblem const& operator[](std::size_t k) const { return list_[k]; }

 private:
  std::vector<batch::SmallProblem> list_;
};

template <class Team>
proof::Verdict verdictOn(Team& team, std::vector<double> const& x, std::vector<double> const& y) {
  team.forColumns([&](int j) { team.columns().change[j] = x[at(j)]; });
  team.forRows([&](int i) { team.rows().change[i] = y[at(i)]; });
  team.sync();
  double objective = 0.0;
  return batch::verifyPoint(team, objective);
}

proof::Verdict verdictOfBlock(batch::SmallProblem const& p, std::vector<double> const& x,
                              std::vector<double> const& y, std::uint64_t seed) {
  proof::Verdict verdict;
  emulated::launch(1, 64, teamBytes(p.rows, p.columns, 64) + tableauBytes(p.rows, p.columns), seed,
                   [&] {
                     BlockTeam<false, true, true> team(p, emulated::sharedMemory(), nullptr, 64);
                     proof::Verdict const own = verdictOn(team, x, y);
                     if (threadIdx.x == 0) verdict = own;
                   });
  return verdict;
}

bool alike(double a, double b) {
  if (a == b) return true;
  return std::fabs(a - b) <= 0.05 * std::fmax(a, b) + 1e-13;
}

}  // namespace

// At the edge of what can be proved: what one claims the other never contradicts, and what the
// device claims stands.
BOOST_AUTO_TEST_CASE(hard_problems_end_on_both_sides_alike) {
  PackedBatch packed;
  int const count = emulated::slow ? 300 : 3000;
  testing::addHardProblems(packed, count, 1);
  std::vector<LinearProgram> problems;
  for (int k = 0; k < count; ++k) problems.push_back(testing::problemOf(packed, at(k)));
  Emulation emulation(problems);
  BatchResults const device = emulation.run<true, true, true>(3, 32, 21);
  SmallProblems const small(packed);
  std::atomic<bool> const stop = false;
  batch::HostSolver solver(stop);
  int apart = 0, ends[10] = {};
  for (int k = 0; k < count; ++k) {
    BatchStatus const host = solver.solve(small[at(k)], Emulation::exact(), {}).end;
    ++ends[static_cast<int>(host)];
    BatchStatus const status = device.status[at(k)];
    std::string const word = toString(host);
    bool const open = host == BatchStatus::numerical || status == BatchStatus::numerical;
    if (!open) BOOST_TEST(toString(status) == word, "problem " << k);
    apart += open && toString(status) != word;
    bool const crossed =
        status == BatchStatus::infeasible &&
        device.certificates.end() == std::ranges::find_if(device.certificates, [&](auto const& c) {
          return c.problem == at(k) &&
                 std::ranges::any_of(c.farkas, [](double y) { return y != 0.0; });
        });
    if (status != BatchStatus::invalid && !crossed)
      BOOST_TEST_CONTEXT("problem " << k) testing::checkAnswer(problems[at(k)], device, at(k));
  }
  BOOST_TEST(apart <= count / 50);
  for (auto const end : {BatchStatus::optimal, BatchStatus::infeasible, BatchStatus::unbounded,
                         BatchStatus::invalid})
    BOOST_TEST(ends[static_cast<int>(end)] > count / 400);
}

BOOST_AUTO_TEST_CASE(verdicts_on_points_are_those_of_the_processor) {
  PackedBatch packed;
  int const count = emulated::slow ? 200 : 4000;
  testing::addHardProblems(packed, count, 2);
  SmallProblems const small(packed);
  std::atomic<bool> const stop = false;
  batch::HostSolver solver(stop);
  batch::HostTeam team(stop);
  int accepted = 0, refused = 0;
  for (int k = 0; k < count; ++k) {
    batch::SmallProblem const& p = small[at(k)];
    std::vector<double> x(at(p.columns)), y(at(p.rows));
    std::vector<VariableStatus> columnStatus(x.size()), rowStatus(y.size());
    solver.solve(p, Emulation::exact(),
                 {true, x.data(), y.data(), columnStatus.data(), rowStatus.data()});
    // The answer, or a point beside it; where there is no answer zeros, or what was written last.
    constexpr double steps[] = {0.0, 0.0, 1e-14, 1e-9, 1e-7};
    double const step = steps[k % 5];
    for (double& value : x) value += step * (1.0 + std::fabs(value));
    for (double& value : y) value -= step * (1.0 + std::fabs(value));
    if (k % 97 == 0) x.back() = k % 2 == 0 ? std::nan("") : 1e308;
    team.take(p);
    proof::Verdict const host = verdictOn(team, x, y),
                         device = verdictOfBlock(p, x, y, static_cast<std::uint64_t>(k));
    double const limit = batch::SmallSettings().accepted;
    bool const good = host.largest() <= limit;
    ++(good ? accepted : refused);
    BOOST_TEST_CONTEXT("problem " << k) {
      BOOST_TEST(good == (device.largest() <= limit));
      // Numbers that are none may be passed over where their factors are zeros.
      if (!proof::isNumber(host.largest())) {
        BOOST_TEST(!proof::isNumber(device.largest()));
        continue;
      }
      BOOST_TEST(alike(host.primal, device.primal), host.primal << " " << device.primal);
      BOOST_TEST(alike(host.dual, device.dual), host.dual << " " << device.dual);
      BOOST_TEST(alike(host.complementarity, device.complementarity),
                 host.complementarity << " " << device.complementarity);
    }
  }
  BOOST_TEST(accepted > count / 10);
  BOOST_TEST(refused > count / 10);
}

BOOST_AUTO_TEST_SUITE_END()
