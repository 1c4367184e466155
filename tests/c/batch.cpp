// SPDX-License-Identifier: EPL-2.0
// Many small problems through the C interface.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "c/osi_cuda.h"

namespace {

struct FreeBatch {
  void operator()(osi_cuda_batch* batch) const { osi_cuda_batch_free(batch); }
};
using Batch = std::unique_ptr<osi_cuda_batch, FreeBatch>;

Batch makeBatch() {
  Batch batch(osi_cuda_batch_create());
  osi_cuda_batch_set_option(batch.get(), "engine", "host");
  return batch;
}

std::string message(Batch const& batch) {
  return osi_cuda_batch_message(batch.get());
}

/// The furniture of problem.hpp; max x with -x <= 0; min x with 3 <= x <= 2; a NaN.
struct Four {
  std::vector<int32_t> rows{2, 1, 2, 1}, columns{2, 1, 1, 1};
  std::vector<double> matrix{4, 2, 15, 5, -1, 1, 1, 1};
  std::vector<double> rowLower{-INFINITY, -INFINITY, -INFINITY, 3, -INFINITY, 0};
  std::vector<double> rowUpper{40, 120, 0, INFINITY, 2, 1};
  std::vector<double> costs{20, 9, 1, 1, NAN};
  std::vector<int> senses{OSI_CUDA_MAXIMIZE, OSI_CUDA_MAXIMIZE, OSI_CUDA_MINIMIZE,
                          OSI_CUDA_MINIMIZE};

  int solve(Batch const& batch, osi_cuda_batch_places const* places = nullptr) const {
    return osi_cuda_batch_solve_at(batch.get(), places, 4, rows.data(), columns.data(),
                                   matrix.data(), nullptr, nullptr, rowLower.data(),
                                   rowUpper.data(), costs.data(), nullptr, senses.data());
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(batch, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(each_gets_its_answer) {
  Batch const batch = makeBatch();
  auto* const b = batch.get();
  int64_t seen = 0;
  osi_cuda_batch_set_progress(
      b, [](void* data, int64_t done, int64_t) { *static_cast<int64_t*>(data) = done; }, &seen);
  BOOST_TEST(Four().solve(batch) == OSI_CUDA_OK);
  BOOST_TEST(seen == 4);
  std::vector<std::uint8_t> statuses(4, 99), proofs(4, 99);
  std::vector<double> objectives(4, -1), residuals(4, -1);
  std::vector<int32_t> iterations(4, -1);
  BOOST_TEST(osi_cuda_batch_get_results(b, 4, statuses.data(), proofs.data(), iterations.data(),
                                        objectives.data(), residuals.data()) == OSI_CUDA_OK);
  BOOST_TEST(statuses ==
             (std::vector<std::uint8_t>{OSI_CUDA_STATUS_OPTIMAL, OSI_CUDA_STATUS_UNBOUNDED,
                                        OSI_CUDA_STATUS_INFEASIBLE, OSI_CUDA_STATUS_INVALID}));
  BOOST_TEST(objectives[0] == 188.0);
  BOOST_TEST(residuals[0] <= 1e-9);
  BOOST_TEST(int{proofs[1]} == int{OSI_CUDA_PROOF_EXTENDED});
  std::vector<double> x(5, -1), y(6, -1);
  BOOST_TEST(osi_cuda_batch_get_values(b, OSI_CUDA_COLUMN_VALUES, 5, x.data()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_get_values(b, OSI_CUDA_ROW_DUALS, 6, y.data()) == OSI_CUDA_OK);
  BOOST_TEST(x[0] == 4.0);
  BOOST_TEST(x[1] == 12.0);
  BOOST_TEST(y[0] == 3.5);
  std::vector<std::uint8_t> columnStatus(5, 99);
  BOOST_TEST(osi_cuda_batch_get_basis(b, columnStatus.data(), nullptr) == OSI_CUDA_OK);
  BOOST_TEST(int{columnStatus[1]} == int{OSI_CUDA_BASIC});
  double certificate[2] = {0, 0}, margin = 0;
  BOOST_TEST(osi_cuda_batch_get_certificate(b, 1, OSI_CUDA_RAY, 1, certificate, &margin) ==
             OSI_CUDA_OK);
  BOOST_TEST(certificate[0] > 0.0);
  BOOST_TEST(margin > 0.0);
  BOOST_TEST(osi_cuda_batch_get_certificate(b, 2, OSI_CUDA_FARKAS, 2, certificate, nullptr) ==
             OSI_CUDA_OK);
  BOOST_TEST(certificate[0] * certificate[1] < 0.0);
  BOOST_TEST(osi_cuda_batch_get_certificate(b, 0, OSI_CUDA_RAY, 2, certificate, nullptr) ==
             OSI_CUDA_NOTHING);
  BOOST_TEST(message(batch) == "problem 0, optimal, has no such certificate");
  BOOST_TEST(osi_cuda_batch_note(b, 3) == "Column C1 has a cost that is not finite.");
  BOOST_TEST(osi_cuda_batch_note(b, 0) == "");
  BOOST_TEST(osi_cuda_batch_note(b, 4) == nullptr);
  double number = -1;
  BOOST_TEST(osi_cuda_batch_get_number(b, OSI_CUDA_BATCH_ON_DEVICE, &number) == OSI_CUDA_OK);
  BOOST_TEST(number == 0.0);
  BOOST_TEST(osi_cuda_status_text(OSI_CUDA_STATUS_INVALID) == "invalid");
  BOOST_TEST(osi_cuda_status_text(OSI_CUDA_STATUS_INTERIOR) == "interior");
}

// The same bits as in the batch's own arrays, which have none then; the next call has its own
// again.
BOOST_AUTO_TEST_CASE(answers_in_the_callers_arrays) {
  Batch const batch = makeBatch();
  auto* const b = batch.get();
  std::vector<double> x(5, -1), y(6, -1), wantedX(5), wantedY(6);
  std::vector<std::uint8_t> columns(5, 99), rows(6, 99), wantedColumns(5), wantedRows(6);
  osi_cuda_batch_places const here{0,        nullptr,        nullptr,    x.data(),
                                   y.data(), columns.data(), rows.data()};
  BOOST_TEST(Four().solve(batch, &here) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_get_values(b, OSI_CUDA_COLUMN_VALUES, 5, wantedX.data()) ==
             OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch) == "length is 5, but the column values have length 0");
  BOOST_TEST(Four().solve(batch) == OSI_CUDA_OK);
  osi_cuda_batch_get_values(b, OSI_CUDA_COLUMN_VALUES, 5, wantedX.data());
  osi_cuda_batch_get_values(b, OSI_CUDA_ROW_DUALS, 6, wantedY.data());
  osi_cuda_batch_get_basis(b, wantedColumns.data(), wantedRows.data());
  BOOST_TEST((x == wantedX && y == wantedY && columns == wantedColumns && rows == wantedRows));
  BOOST_TEST(x[0] == 4.0);
  osi_cuda_batch_places const half{0, nullptr, nullptr, x.data(), nullptr, columns.data(), nullptr};
  BOOST_TEST(Four().solve(batch, &half) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch) == "of the arrays for points, duals and bases some are missing");
}

BOOST_AUTO_TEST_CASE(all_certificates_at_once) {
  Batch const batch = makeBatch();
  auto* const b = batch.get();
  BOOST_TEST(osi_cuda_batch_get_certificates(b, nullptr, nullptr, nullptr, nullptr, nullptr) ==
             OSI_CUDA_NOTHING);
  Four().solve(batch);
  int64_t count = 0, length = 0, problems[2], starts[3];
  BOOST_TEST(osi_cuda_batch_get_certificates(b, &count, &length, nullptr, nullptr, nullptr) ==
             OSI_CUDA_OK);
  BOOST_TEST((count == 2 && length == 3));
  double values[3], ray = 0, farkas[2];
  osi_cuda_batch_get_certificates(b, nullptr, nullptr, problems, starts, values);
  osi_cuda_batch_get_certificate(b, 1, OSI_CUDA_RAY, 1, &ray, nullptr);
  osi_cuda_batch_get_certificate(b, 2, OSI_CUDA_FARKAS, 2, farkas, nullptr);
  BOOST_TEST((problems[0] == 1 && problems[1] == 2));
  BOOST_TEST((starts[0] == 0 && starts[1] == 1 && starts[2] == 3));
  BOOST_TEST((values[0] == ray && values[1] == farkas[0] && values[2] == farkas[1]));
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  Batch const batch = makeBatch();
  auto* const b = batch.get();
  double x[5];
  BOOST_TEST(osi_cuda_batch_get_values(b, OSI_CUDA_COLUMN_VALUES, 5, x) == OSI_CUDA_NOTHING);
  BOOST_TEST(message(batch) == "the batch has solved nothing yet");
  Four four;
  four.rows[1] = -1;
  BOOST_TEST(four.solve(batch) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch) == "rows[1] is -1, but has to be at least 0");
  BOOST_TEST(osi_cuda_batch_solve(b, -1, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, nullptr, nullptr, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(Four().solve(batch) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_get_values(b, OSI_CUDA_COLUMN_VALUES, 4, x) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch) == "length is 4, but the column values have length 5");
  BOOST_TEST(osi_cuda_batch_get_certificate(b, 1, OSI_CUDA_ROW_DUALS, 1, x, nullptr) ==
             OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_batch_set_option(b, "speed", "1") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_batch_set_option(b, "algorithm", "dual") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch).rfind("a batch has no option 'algorithm'; it has problem-", 0) == 0u);
  BOOST_TEST(osi_cuda_batch_set_option(b, "iteration-limit", "0") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch) ==
             "option iteration-limit: expected none or an integer >= 1, found '0'");
  BOOST_TEST(osi_cuda_batch_set_option(b, "iteration-limit", "5") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_set_option(b, "iteration-limit", "none") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_set_option(b, "pricing", "sketched") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch) ==
             "option pricing: expected auto, steepest, devex or dantzig, found 'sketched'");
  BOOST_TEST(osi_cuda_batch_set_option(b, "problem-time-limit", "-1") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(batch).find("problem-time-limit") != std::string::npos);
  BOOST_TEST(osi_cuda_batch_set_option(nullptr, "seed", "1") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(std::string(osi_cuda_batch_message(nullptr)) == "the batch is NULL");
}

// 1e12 (x1 - x2) = 1, x1 + 2 x2 = 1: the optimum is no pair of doubles.
BOOST_AUTO_TEST_CASE(what_doubles_cannot_hold_is_no_optimum) {
  Batch const batch = makeBatch();
  auto* const b = batch.get();
  int32_t const size = 2;
  double const matrix[] = {1e12, -1e12, 1, 2}, free[] = {-INFINITY, -INFINITY},
               above[] = {INFINITY, INFINITY}, ones[] = {1, 1};
  BOOST_TEST(osi_cuda_batch_solve(b, 1, &size, &size, matrix, free, above, ones, ones, ones,
                                  nullptr, nullptr) == OSI_CUDA_OK);
  std::uint8_t status = 99;
  osi_cuda_batch_get_results(b, 1, &status, nullptr, nullptr, nullptr, nullptr);
  BOOST_TEST(int{status} == int{OSI_CUDA_STATUS_NUMERICAL});
  BOOST_TEST(std::string(osi_cuda_batch_note(b, 0)).find("two parts") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_it) {
  Batch const batch = makeBatch();
  auto* const b = batch.get();
  osi_cuda_batch_set_interrupt(
      b, [](void*) { return 1; }, nullptr);
  int const count = 20000, size = 20;
  std::vector<int32_t> const sizes(count, size);
  std::vector<double> const matrix(static_cast<std::size_t>(count) * size * size, 1.0);
  std::vector<double> const ones(static_cast<std::size_t>(count) * size, 1.0);
  std::vector<int> const senses(count, OSI_CUDA_MAXIMIZE);
  BOOST_TEST(osi_cuda_batch_solve(b, count, sizes.data(), sizes.data(), matrix.data(), nullptr,
                                  nullptr, nullptr, ones.data(), ones.data(), nullptr,
                                  senses.data()) == OSI_CUDA_OK);
  std::vector<std::uint8_t> statuses(count);
  osi_cuda_batch_get_results(b, count, statuses.data(), nullptr, nullptr, nullptr, nullptr);
  BOOST_TEST(int{statuses.back()} == int{OSI_CUDA_STATUS_INTERRUPTED});
}

BOOST_AUTO_TEST_SUITE_END()
