// SPDX-License-Identifier: EPL-2.0
// The bounded pool of bases that variants may begin at.
#include "osi_cuda/batch/start_pool.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "tests/support/random.hpp"

using namespace osi_cuda;
using batch::StartPool;

namespace {

using Bits = StartPool::Word;

/// Two words that tell bases apart.
std::array<Bits, 2> numbered(std::int64_t handle) {
  return {static_cast<Bits>(handle), static_cast<Bits>(~handle)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(start_pool)

BOOST_AUTO_TEST_CASE(what_was_dropped_is_its_nearest_ancestor) {
  StartPool pool(20, 1, 7);  // the least room
  std::vector<std::int64_t> parents(7, -1);
  for (std::int64_t handle = 7; handle < 5000; ++handle) {
    // A few long lines of descent, and many short ones.
    std::int64_t const parent = handle < 10 ? -1 : handle % 5 == 0 ? handle - 9 : handle - 3;
    parents.push_back(parent < 7 ? -1 : parent);
    BOOST_REQUIRE(pool.keep(parent, numbered(handle)) == handle);
    BOOST_REQUIRE(std::ranges::equal(pool.find(handle), numbered(handle)));
    if (handle % 97 != 0) continue;
    std::set<std::int64_t> kept;
    for (std::int64_t h = 7; h <= handle; ++h) {
      std::span<Bits const> const bits = pool.find(h);
      if (!bits.empty() && bits[0] == static_cast<Bits>(h)) kept.insert(h);
    }
    BOOST_TEST(kept.size() <= 16u);
    BOOST_TEST(kept.size() >= 8u);
    std::int64_t const oldest = pool.next() - std::int64_t{8 * 16};  // with a link to its parent
    for (std::int64_t h = std::max<std::int64_t>(7, oldest); h <= handle; ++h) {
      std::int64_t nearest = h;
      while (nearest >= oldest && nearest >= 7 && !kept.contains(nearest))
        nearest = parents[static_cast<std::size_t>(nearest)];
      std::span<Bits const> const bits = pool.find(h);
      BOOST_TEST_CONTEXT(handle << ": " << h) {
        if (nearest < oldest) continue;
        BOOST_TEST(bits.empty() == (nearest < 7));
        if (!bits.empty()) BOOST_TEST(bits[0] == static_cast<Bits>(nearest));
      }
    }
  }
  BOOST_TEST(pool.find(6).empty());
  BOOST_TEST(pool.find(-1).empty());
  BOOST_TEST(pool.find(1 << 20).empty());
}

BOOST_AUTO_TEST_CASE(bases_of_a_problem_with_other_columns) {
  std::vector<VariableStatus> columns(70), rows(9);
  testing::Random random(3);
  auto const draw = [&] { return static_cast<VariableStatus>(random.whole(0, 2)); };
  std::ranges::generate(columns, draw);
  std::ranges::generate(rows, draw);
  StartPool pool(79, 1 << 20, 0);
  std::vector<Bits> bits(2 * pool.words()), fewer;
  StartPool::write(columns, rows, bits);
  pool.keep(-1, bits);
  std::vector<int> kept;
  std::vector<VariableStatus> those;
  for (int j = 0; j < 70; j += 1 + j % 3) {
    kept.push_back(j);
    those.push_back(columns[static_cast<std::size_t>(j)]);
  }
  for (int const fresh : {-1, -2}) {  // which the other problem has not
    kept.push_back(fresh);
    those.push_back(fresh == -2 ? VariableStatus::atUpper : VariableStatus::atLower);
  }
  pool.renumber(kept, 70, 9);
  fewer.resize(2 * pool.words());
  StartPool::write(those, rows, fewer);
  BOOST_TEST(pool.words() < bits.size() / 2);
  BOOST_TEST(std::ranges::equal(pool.find(0), fewer));
}

BOOST_AUTO_TEST_SUITE_END()
