// SPDX-License-Identifier: EPL-2.0
// Repeated products over tiles and over two executors say what plain ones say.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "examples/common/random.hpp"
#include "examples/response/fem_problem.hpp"
#include "examples/response/partition.hpp"
#include "examples/response/sharing.hpp"

namespace osi_cuda::response {
namespace {

std::vector<double> randomField(int size) {
  examples::Random random(9);
  std::vector<double> x(size);
  for (double& value : x) value = 2.0 * random.uniform() - 1.0;
  return x;
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::isnan(a[k]) ? HUGE_VAL : std::max(most, std::abs(a[k] - b[k]));
  return most;
}

std::vector<double> equal(int count) {
  return std::vector<double>(std::size_t(count), 1.0);
}

BOOST_AUTO_TEST_CASE(partsAreEvenAndInOnePlace) {
  examples::Random random(3);
  std::vector<Point> places(1000);
  for (Point& p : places) p = {random.uniform(), random.uniform()};
  for (int const count : {1, 2, 7, 16, 1000, 1500}) {
    Parts const parts = partsOf(places, equal(count));
    BOOST_TEST(parts.count() == count);
    std::set<int> seen(parts.member.begin(), parts.member.end());
    BOOST_TEST(seen.size() == places.size());
    for (int k = 0; k < count; ++k)
      BOOST_TEST(std::abs(double(parts.of(k).size()) - 1000.0 / count) <= (count > 7 ? 2.0 : 1.0));
  }
  // A cut across the longer side: no place of the first part lies beyond one of the second.
  for (Point& p : places) p.y *= 0.5;
  for (double const share : {0.0, 0.3, 1.0}) {
    Parts const two = partsOf(places, {share, 1.0 - share});
    BOOST_TEST(int(two.of(0).size()) == int(share * 1000));
    double lower = 0.0, upper = 1.0;
    for (int const k : two.of(0)) lower = std::max(lower, places[k].x);
    for (int const k : two.of(1)) upper = std::min(upper, places[k].x);
    if (share > 0.0 && share < 1.0) BOOST_TEST(lower <= upper);
  }
  Parts const three = partsOf(places, {1.0, 2.0, 7.0});
  for (int k = 0; k < 3; ++k)
    BOOST_TEST(std::abs(int(three.of(k).size()) - (k == 0 ? 100 : k == 1 ? 200 : 700)) <= 1);
}

/// What a step is, by the words of its definition.
BOOST_AUTO_TEST_CASE(aStepIsWhatItSays) {
  Mesh const mesh = generatePlate({8, 1, 0.2, 4.0, 1});
  Space const space = makeSpace(mesh, 2);
  Relaxation const a = relaxationOf(space);
  std::vector<double> x = randomField(a.rows()), product(x.size());
  a.matrix.multiply(x.data(), product.data());
  std::vector<double> expected = x;
  for (int i = 0; i < a.rows(); ++i) expected[i] += a.weight[i] * (a.load[i] - product[i]);
  relaxPlainly(a, x, 1, 2);
  BOOST_TEST(difference(x, expected) < 1e-14);
  for (int i = 0; i < a.rows(); ++i)
    if (space.isFixed[i]) BOOST_TEST(a.weight[i] == 0.0);
}

BOOST_AUTO_TEST_CASE(tilesSayWhatPlainStepsSay) {
  for (int const degree : {1, 3}) {
    Mesh const mesh = generatePlate({17, 2, 0.25, 9.0, 4});
    Space const space = makeSpace(mesh, degree);
    Parts const boxes = partsOf(space.place, equal(12));
    Relaxation const a = permuted(relaxationOf(space), boxes.member);
    std::vector<double> const start = randomField(a.rows());
    // The order of rows changes nothing but the order of sums.
    std::vector<double> plain = start, unsorted(start.size()), back(start.size());
    relaxPlainly(a, plain, 11, 1);
    for (int k = 0; k < a.rows(); ++k) unsorted[boxes.member[k]] = start[k];
    relaxPlainly(relaxationOf(space), unsorted, 11, 2);
    for (int k = 0; k < a.rows(); ++k) back[k] = unsorted[boxes.member[k]];
    BOOST_TEST(difference(back, plain) < 1e-13);
    for (int const depth : {1, 2, 4, 11, 16}) {
      TiledRelaxation const tiled(a, depth, 4096.0);
      BOOST_TEST(tiled.tiles() > 3);
      BOOST_TEST(tiled.redundancy() >= 1.0);
      if (depth > 1) BOOST_TEST(tiled.redundancy() > 1.0);
      for (int const threads : {1, 2}) {
        std::vector<double> x = start;
        tiled.run(x, 11, threads);  // no multiple of the depth
        BOOST_TEST(difference(x, plain) < 1e-14);
      }
    }
  }
}

/// Where a layer is missing, the outermost rows are wrong: the layers are all needed.
BOOST_AUTO_TEST_CASE(aTileHasItsLayers) {
  Mesh const mesh = generatePlate({10, 0, 0.2, 4.0, 2});
  Space const space = makeSpace(mesh, 1);
  Relaxation const a = relaxationOf(space);
  std::vector<int> number(a.rows(), -1);
  Parts const boxes = partsOf(space.place, equal(6));
  Tile const tile = tileOf(a, boxes.of(2), 3, number);
  BOOST_TEST(tile.depth() == 3);
  BOOST_TEST(tile.own() == int(boxes.of(2).size()));
  for (int const one : number) BOOST_TEST(one == -1);
  std::set<int> const rows(tile.row.begin(), tile.row.end());
  BOOST_TEST(rows.size() == tile.row.size());
  for (int d = 0; d < 3; ++d)
    for (int k = 0; k < tile.within[d]; ++k)
      for (int at = a.matrix.start[tile.row[k]]; at < a.matrix.start[tile.row[k] + 1]; ++at) {
        auto const found = std::find(tile.row.begin(), tile.row.end(), a.matrix.column[at]);
        auto const place = int(found - tile.row.begin());
        BOOST_TEST(place < tile.within[d + 1]);
      }
  BOOST_TEST(tile.entries(1) == tile.start[tile.own()]);
  BOOST_TEST(tile.entries(3) > 3 * tile.entries(1));
}

BOOST_AUTO_TEST_CASE(executorsShareTheRows) {
  Mesh const mesh = generatePlate({15, 1, 0.25, 9.0, 4});
  Space const space = makeSpace(mesh, 2);
  Relaxation const a = relaxationOf(space);
  std::vector<double> const start = randomField(a.rows());
  for (int const depth : {1, 3}) {
    std::vector<double> plain = start;
    relaxPlainly(a, plain, 4 * depth, 1);
    for (std::vector<double> const& shares :
         {std::vector<double>{0.0, 1.0}, {0.2, 0.8}, {1.0, 0.0}, {1.0, 1.0, 1.0, 1.0, 1.0}}) {
      std::vector<std::unique_ptr<PartExecutor>> owners;
      std::vector<PartExecutor*> executors;
      for (std::size_t p = 0; p < shares.size(); ++p) {
        owners.push_back(hostPart(1 + int(p) % 2));
        executors.push_back(owners.back().get());
      }
      SharedRelaxation shared(a, partsOf(space.place, shares), depth, start, executors);
      shared.run(4);
      BOOST_TEST(difference(shared.values(), plain) < 1e-14);
      bool const isCut = shares.size() > 2 || (shares[0] > 0.0 && shares[0] < 1.0);
      BOOST_TEST((shared.exchanged() > 0.0) == isCut);
    }
  }
}

/// A part that fails to start or to end: nobody computes any more when that is told.
class FailingPart : public PartExecutor {
 public:
  explicit FailingPart(bool atStart) : atStart_(atStart) {}
  std::string name() const override { return "failing"; }
  void take(Tile const&, std::vector<double> const&) override {}
  void start(int) override {
    if (atStart_) throw std::runtime_error("start");
  }
  double wait() override { throw std::runtime_error("wait"); }
  int list(std::vector<int> const&) override { return 0; }
  std::vector<double> read(int) override { return {}; }
  void write(int, std::vector<double> const&) override {}

 private:
  bool atStart_;
};
BOOST_AUTO_TEST_CASE(whatFailsEndsThePass) {
  Mesh const mesh = generatePlate({15, 1, 0.25, 9.0, 4});
  Space const space = makeSpace(mesh, 1);
  Relaxation const a = relaxationOf(space);
  for (bool const atStart : {true, false})
    for (bool const first : {true, false}) {
      auto const good = hostPart(1);
      FailingPart bad(atStart);
      std::vector<PartExecutor*> executors{good.get(), &bad};
      if (first) std::swap(executors[0], executors[1]);
      SharedRelaxation shared(a, partsOf(space.place, {0.5, 0.5}), 2, randomField(a.rows()),
                              executors);
      BOOST_CHECK_EXCEPTION(shared.run(1), std::runtime_error, [&](auto const& e) {
        return std::string(e.what()) == (atStart ? "start" : "wait");
      });
    }
}

BOOST_AUTO_TEST_CASE(theModelIsTheSlowestPartAndTheExchange) {
  SharingModel const model{{3e9, 1e9}, 1e-6, 1e-9};
  BOOST_TEST(model.seconds({3e6, 2e6}, 1000.0) == 2e-3 + 2e-6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(model.seconds({9e6, 2e6}, 0.0) == 3e-3 + 1e-6, boost::test_tools::tolerance(1e-12));
  // The balance is the best share.
  auto const at = [&](double share) {
    return model.seconds({share * 1e9, (1 - share) * 1e9}, 0.0);
  };
  double const best = model.balance()[0] / (model.balance()[0] + model.balance()[1]);
  for (double const other : {0.0, 0.5, 0.74, 0.76, 1.0}) BOOST_TEST(at(best) < at(other));
}

}  // namespace
}  // namespace osi_cuda::response
