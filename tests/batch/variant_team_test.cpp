// SPDX-License-Identifier: EPL-2.0
// The device's part of variants on fibers of the host, every thread of a block a fiber, in random
// order.
#include "tests/support/emulated_device.hpp"
// what follows is device code, which the emulation has to come before
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>

#include "osi_cuda/batch/start_pool.hpp"
#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/batch/variant_list.hpp"
#include "osi_cuda/engine/cuda/batch/variant_queue.cuh"
#include "osi_cuda/proof/residuals.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/batch_contract.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/random_variants.hpp"

using namespace osi_cuda;
using namespace osi_cuda::cuda;

namespace {

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Variants in memory, as a kernel finds them, and what the kernel leaves there.
class Emulation {
 public:
  Emulation(LinearProgram const& lp, Basis const& basis, PackedVariants const& variants)
      : lp_(lp), base_(lp, basis, 1), list_(batch::listVariants(lp, variants.view())) {}

  /// What became of the variants, as a batch has it.
  BatchResults run(int blocks, int threads, std::uint64_t seed, int capacity = 40,
                   bool points = true, bool near = false, double cutoff = std::nan("")) {
    std::size_t const m = at(lp_.rows()), n = at(lp_.columns()), count = list_.tasks.size();
    std::size_t const places = points ? count : at(blocks);
    double const unset = std::nan("");
    BatchResults r;
    r.x.assign(places * n, unset);
    r.y.assign(places * m, unset);
    std::vector<double> yLow(places * m, unset), ray(places * n, unset), rayLow(places * n, unset);
    std::vector<std::uint8_t> columnStatus(places * n, 99), rowStatus(places * m, 99);
    std::vector<batch::SmallReport> report(count);
    std::int64_t const doubles =
        (batch::VariantPlaces::doubles(lp_.rows(), lp_.columns(), capacity) + 1) / 2 * 2;
    std::vector<double> memory(at(doubles) * at(blocks), unset);
    unsigned next = 0;
    int const stop = 0;
    VariantPart part;
    part.base = base_.view();
    part.tasks = list_.tasks.data();
    part.numbers = list_.numbers.data();
    part.coefficients = list_.coefficients.data();
    part.starts = list_.starts.data();
    part.count = static_cast<int>(count);
    part.capacity = capacity;
    part.next = &next;
    part.stop = &stop;
    part.points = points;
    part.answers = {report.data(), r.x.data(),    r.y.data(),          yLow.data(),
                    ray.data(),    rayLow.data(), columnStatus.data(), rowStatus.data()};
    part.near = near;
    part.memory = memory.data();
    part.memoryDoubles = doubles;
    batch::VariantSettings settings;
    settings.cutoff = cutoff;
    std::size_t const states = at(batch::VariantPlaces::nearDoubles(lp_.rows(), lp_.columns()));
    std::size_t const ticket =
        variantBytes(threads, capacity) + (near ? states : 0) * sizeof(double);
    emulated::launch(blocks, threads, ticket + sizeof(int), seed, [&] {
      char* const shared = emulated::sharedMemory();
      solveVariantQueue(part, settings, threads, shared, reinterpret_cast<int*>(shared + ticket));
    });
    if (!points) {
      r = {};
      r.columnStart.assign(count + 1, 0);
      r.rowStart = r.columnStart;
    } else {
      for (std::size_t k = 0; k <= count; ++k) {
        r.columnStart.push_back(k * n);
        r.rowStart.push_back(k * m);
      }
      for (std::uint8_t word : columnStatus)
        r.columnStatus.push_back(static_cast<VariableStatus>(word));
      for (std::uint8_t word : rowStatus) r.rowStatus.push_back(static_cast<VariableStatus>(word));
    }
    for (std::size_t k = 0; k < count; ++k) keep(r, k, report[k], yLow, ray, rayLow);
    return r;
  }

  /// Variant k begins at this basis, from the one that all share.
  void begin(std::size_t k, Basis const& start, Basis const& shared) {
    auto const bitsOf = [&](Basis const& basis) {
      std::vector<std::uint32_t> bits(
          2 * batch::StartPool::wordsOf(at(lp_.columns()) + at(lp_.rows())));
      batch::StartPool::write(basis.columns, basis.rows, bits);
      return bits;
    };
    std::vector<std::uint32_t> const common = bitsOf(shared);
    list_.begin(k, bitsOf(start), std::span(common).first(common.size() / 2));
  }

 private:
  void keep(BatchResults& r, std::size_t k, batch::SmallReport const& report,
            std::vector<double> const& yLow, std::vector<double> const& ray,
            std::vector<double> const& rayLow) const {
    using osi_cuda::BatchStatus;
    BatchStatus const end = list_.end[k] == BatchStatus::numerical ? report.end : list_.end[k];
    bool const optimal = end == BatchStatus::optimal, infeasible = end == BatchStatus::infeasible,
               unbounded = end == BatchStatus::unbounded;
    r.status.push_back(end == BatchStatus::objectiveLimit ? end
                       : optimal                          ? BatchStatus::optimal
                       : infeasible                       ? BatchStatus::infeasible
                       : unbounded                        ? BatchStatus::unbounded
                                                          : BatchStatus::numerical);
    r.objective.push_back(optimal ? report.objective : 0.0);
    r.residual.push_back(optimal ? report.residual : 0.0);
    r.iterations.push_back(report.iterations);
    r.proof.push_back(optimal                   ? ProofGrade::tolerance
                      : infeasible || unbounded ? ProofGrade::extended
                                                : ProofGrade::none);
    if (!infeasible && !unbounded) return;
    BatchCertificate certificate;
    certificate.problem = k;
    auto const piece = [](std::vector<double> const& array, std::vector<std::size_t> const& start,
                          std::size_t place) {
      return std::vector<double>(array.begin() + static_cast<std::ptrdiff_t>(start[place]),
                                 array.begin() + static_cast<std::ptrdiff_t>(start[place + 1]));
    };
    if (infeasible && list_.end[k] == BatchStatus::numerical && !r.y.empty()) {
      certificate.farkas = piece(r.y, r.rowStart, k);
      certificate.farkasLow = piece(yLow, r.rowStart, k);
    } else if (unbounded && !r.x.empty()) {
      certificate.ray = piece(ray, r.columnStart, k);
      certificate.rayLow = piece(rayLow, r.columnStart, k);
    }
    r.certificates.push_back(certificate);
  }

  LinearProgram const& lp_;
  batch::HostVariantBase base_;
  batch::VariantList list_;
};

/// Statuses, objectives and proofs are those of single solves, but for the odd variant that is left
/// to the ordinary solver.
void check(LinearProgram const& lp, PackedVariants const& variants, BatchResults const& results) {
  std::size_t open = 0;
  for (std::size_t k = 0; k < results.status.size(); ++k) {
    if (results.status[k] == BatchStatus::numerical) {
      ++open;
      continue;
    }
    LinearProgram const variant = testing::variantOf(lp, variants, k);
    Solution const single = testing::solvedAlone(variant);
    BOOST_TEST_CONTEXT("variant " << k) {
      BOOST_TEST(toString(results.status[k]) == toString(single.status));
      if (single.status == Status::optimal)
        BOOST_TEST(std::fabs(results.objective[k] - single.objective) <=
                   1e-9 * (1.0 + std::fabs(single.objective)));
      if (!results.x.empty()) testing::checkAnswer(variant, results, k);
    }
  }
  BOOST_TEST(open <= 1 + results.status.size() / 10);
}

/// Bits of what an end writes.
void checkSame(BatchResults const& a, BatchResults const& b) {
  for (std::size_t k = 0; k < a.status.size(); ++k) {
    if (a.status[k] == BatchStatus::infeasible) {
      BOOST_TEST((b.status[k] == BatchStatus::infeasible));
      BOOST_TEST(a.iterations[k] == b.iterations[k]);
    } else if (a.status[k] == BatchStatus::optimal) {
      testing::checkSameBits(a, k, b, k);
    }
  }
}

PackedVariants someVariants(LinearProgram const& lp, std::uint64_t seed, int count) {
  testing::VariantDraw draw;
  draw.count = count;
  return testing::randomVariants(lp, seed, draw);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variant_team)

BOOST_AUTO_TEST_CASE(blocks_solve_random_variants) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = seed % 4 == 0 ? 40 : 12;
    shape.emptyDimensions = false;  // those are solved by the ordinary solver
    testing::RandomLp const made = testing::randomLp(seed, shape);
    testing::VariantDraw draw;
    draw.count = 8;
    PackedVariants const variants = testing::randomVariants(made.lp, seed, draw);
    BOOST_TEST_CONTEXT(made.description) {
      Emulation emulation(made.lp, testing::solvedAlone(made.lp).basis, variants);
      int const threads = seed % 2 == 0 ? 64 : 96;
      BatchResults const first = emulation.run(3, threads, seed);
      check(made.lp, variants, first);
      checkSame(first, emulation.run(2, threads, seed + 100));
    }
  }
}

BOOST_AUTO_TEST_CASE(large_coefficients_that_a_variant_replaces_leave_nothing_behind) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = seed % 3 == 0 ? 40 : 8;
    shape.emptyDimensions = false;
    testing::RandomLp const made = testing::randomLp(seed, shape);
    testing::Restored const restored = testing::restoredVariant(made.lp, seed);
    Emulation emulation(restored.large, testing::solvedAlone(made.lp).basis, restored.variants);
    BatchResults const results = emulation.run(1, 64, seed);
    if (results.status[0] == BatchStatus::numerical) continue;  // for the ordinary solver
    BOOST_TEST_CONTEXT(made.description) {
      BOOST_TEST(toString(results.status[0]) == toString(made.expected));
      testing::checkAnswer(made.lp, results, 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(more_lines_than_threads_and_fewer) {
  for (auto const& [rows, columns] : {std::pair{150, 5}, {5, 150}, {90, 80}}) {
    LinearProgram const lp = testing::denseLp(rows, columns, 1, true);
    PackedVariants const variants = someVariants(lp, 3, 4);
    Emulation emulation(lp, testing::solvedAlone(lp).basis, variants);
    check(lp, variants, emulation.run(2, 64, 5));
  }
}

BOOST_AUTO_TEST_CASE(long_and_short_lines_of_the_matrix) {
  LinearProgram const lp = testing::sparseLp(60, 90, 3, 8);
  PackedVariants const variants = someVariants(lp, 6, 6);
  Emulation emulation(lp, testing::solvedAlone(lp).basis, variants);
  check(lp, variants, emulation.run(2, 64, 9));
}

BOOST_AUTO_TEST_CASE(where_states_lie_makes_no_difference) {
  LinearProgram const lp = testing::sparseLp(70, 50, 3, 5);
  PackedVariants const variants = someVariants(lp, 4, 6);
  Emulation emulation(lp, testing::solvedAlone(lp).basis, variants);
  for (int const threads : {64, 512, 1024}) {
    BatchResults const far = emulation.run(2, threads, 1),
                       near = emulation.run(2, threads, 2, 40, true, true);
    check(lp, variants, near);
    for (std::size_t k = 0; k < 6; ++k) BOOST_TEST((far.status[k] == near.status[k]));
    checkSame(far, near);
  }
}

BOOST_AUTO_TEST_CASE(blocks_begin_where_others_ended) {
  int pivots = 0, pivotsAgain = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = 40;
    shape.emptyDimensions = false;
    testing::RandomLp const made = testing::randomLp(seed, shape);
    testing::VariantDraw draw;
    draw.count = 8;
    PackedVariants const variants = testing::randomVariants(made.lp, seed, draw);
    Basis const basis = testing::solvedAlone(made.lp).basis;
    Emulation emulation(made.lp, basis, variants), own(made.lp, basis, variants);
    BatchResults const first = emulation.run(2, 64, seed, 90);
    auto const basisOf = [&](std::size_t k) {
      return first.status[k] == BatchStatus::optimal ? first.basisOf(k) : basis;
    };
    for (std::size_t k = 0; k < 8; ++k) {
      emulation.begin(k, basisOf((k + 1) % 8), basis);
      own.begin(k, basisOf(k), basis);
    }
    BOOST_TEST_CONTEXT(made.description) {
      BatchResults const again = emulation.run(3, 96, seed, 90);
      check(made.lp, variants, again);
      checkSame(again, emulation.run(1, 96, seed + 50, 90));
      BatchResults const same = own.run(2, 64, seed, 90);
      check(made.lp, variants, same);
      for (std::size_t k = 0; k < 8; ++k) {
        if (first.status[k] != BatchStatus::optimal) continue;
        pivots += first.iterations[k];
        pivotsAgain += same.iterations[k];
      }
      check(made.lp, variants, emulation.run(2, 64, seed, 43));  // no room for some starts
    }
  }
  BOOST_TEST(pivots > 10);
  BOOST_TEST(pivotsAgain == 0);
}

// Several passes of the threads, and several pieces of S^-1 in shared memory.
BOOST_AUTO_TEST_CASE(far_starts_of_wide_problems) {
  for (auto const& [rows, columns] : {std::pair{50, 150}, {45, 200}, {60, 61}}) {
    LinearProgram const lp = testing::denseLp(rows, columns, 1, true);
    PackedVariants const variants = someVariants(lp, 5, 3);
    Basis const slacks{
        std::vector<VariableStatus>(static_cast<std::size_t>(columns)),
        std::vector<VariableStatus>(static_cast<std::size_t>(rows), VariableStatus::basic)};
    Basis const far = testing::solvedAlone(lp).basis;
    auto const entering = std::ranges::count(far.columns, VariableStatus::basic);
    BOOST_TEST(entering > 16);
    Emulation near(lp, far, variants), emulation(lp, slacks, variants);
    for (std::size_t k = 0; k < 3; ++k) emulation.begin(k, far, slacks);
    for (int const threads : {64, 96}) {
      BatchResults const first = near.run(1, threads, 7, 200),
                         again = emulation.run(2, threads, 9, 200);
      check(lp, variants, again);
      int pivots = 0, pivotsAgain = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        pivots += first.iterations[k];
        pivotsAgain += again.iterations[k];
      }
      BOOST_TEST(pivotsAgain <= 2 * pivots + 3);  // not from the slacks
    }
  }
}

BOOST_AUTO_TEST_CASE(blocks_end_beyond_a_cutoff) {
  LinearProgram const lp = testing::denseLp(20, 30, 4, true);
  testing::VariantDraw draw;
  draw.count = 12;
  draw.costs = draw.coefficients = false;
  PackedVariants const variants = testing::randomVariants(lp, 2, draw);
  Emulation emulation(lp, testing::solvedAlone(lp).basis, variants);
  BatchResults const whole = emulation.run(2, 64, 1);
  double const cutoff = whole.objective[0];
  BatchResults const ended = emulation.run(2, 64, 2, 40, true, false, cutoff);
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  int beyond = 0;
  for (std::size_t k = 0; k < 12; ++k) {
    if (ended.status[k] != BatchStatus::objectiveLimit) {
      BOOST_TEST((ended.status[k] == whole.status[k]));
      continue;
    }
    ++beyond;
    std::span<double const> const y = ended.yOf(k);
    BOOST_TEST(verifyBound(testing::variantOf(lp, variants, k), {y.begin(), y.end()}, cutoff, 1e-9)
                   .proved);
    if (whole.status[k] == BatchStatus::optimal)
      BOOST_TEST(sign * whole.objective[k] >= sign * cutoff);
  }
  BOOST_TEST(beyond > 0);
}

BOOST_AUTO_TEST_CASE(shapes_of_blocks) {
  constexpr std::size_t shared = 232448;  // bytes that a block may have on a device of today
  VariantShape const small = variantShape(200, 250, 128, 0, shared);
  BOOST_TEST(small.threads == 256);
  BOOST_TEST(small.near);
  BOOST_TEST(2 * (small.shared + 1024 + 16) <= shared);  // two at a time
  VariantShape const wide = variantShape(112, 2993, 128, 0, shared);
  BOOST_TEST(wide.threads == 1024);
  BOOST_TEST(wide.near);
  BOOST_TEST(wide.shared + 16 <= shared);
  VariantShape const large = variantShape(4480, 10958, 128, 0, shared);
  BOOST_TEST(!large.near);
  BOOST_TEST(large.shared == variantBytes(large.threads, 128));
  BOOST_TEST(variantShape(200, 250, 128, 300, shared).threads == 512);
  BOOST_TEST(variantShape(200, 250, 128, 1, shared).threads == 256);
}

BOOST_AUTO_TEST_CASE(answers_nobody_wants_are_proved_all_the_same) {
  LinearProgram const lp = testing::denseLp(20, 30, 4, true);
  PackedVariants const variants = someVariants(lp, 2, 9);
  Emulation emulation(lp, testing::solvedAlone(lp).basis, variants);
  BatchResults const with = emulation.run(2, 64, 1), without = emulation.run(2, 64, 2, 40, false);
  for (std::size_t k = 0; k < 9; ++k) {
    BOOST_TEST((with.status[k] == without.status[k]));
    BOOST_TEST((with.objective[k] == without.objective[k]));
  }
}

BOOST_AUTO_TEST_CASE(full_factors_leave_a_variant_open) {
  LinearProgram const lp = testing::denseLp(30, 20, 1, true);
  PackedVariants const variants = someVariants(lp, 2, 3);
  Emulation emulation(lp, {}, variants);  // from slacks
  BatchResults const results = emulation.run(1, 64, 1, 2);
  // An infeasible one may show at once; no optimum is two pivots away.
  BOOST_TEST(std::count(results.status.begin(), results.status.end(), BatchStatus::numerical) > 0);
  BOOST_TEST(std::count(results.status.begin(), results.status.end(), BatchStatus::optimal) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
