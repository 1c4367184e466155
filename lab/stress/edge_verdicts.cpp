// SPDX-License-Identifier: EPL-2.0
//
// Problems at the edge of the tolerances by every way to solve them: which statuses differ.
//
// usage: edge_verdicts [FIRST LAST]      seeds; 1 2000 without them
//
// Prints a line for each problem of which a way says something else than is right, and at last a
// table of families: CSV on standard output. Exit status 1 where a status is wrong.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "tests/support/edge_problems.hpp"
#include "tests/support/ways_to_solve.hpp"

int main(int count, char** texts) {
  using namespace osi_cuda;
  using namespace osi_cuda::testing;
  std::uint64_t const first = count > 1 ? std::strtoull(texts[1], nullptr, 10) : 1,
                      last = count > 2 ? std::strtoull(texts[2], nullptr, 10) : 2000;
  struct Family {
    int problems = 0, solves = 0, differing = 0, wrong = 0;
  };
  std::map<std::string, Family> families;
  std::vector<Way> const ways = waysToSolve();
  int wrong = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Random random(seed, 57);
    EdgeProblem const made = edgeProblem(random);
    Family& family = families[made.family];
    std::set<Status> found;
    std::string others;
    for (Way const& way : ways) {
      Status const status = way.solve(made.lp, made.tolerance);
      found.insert(status);
      ++family.solves;
      if (status == made.right()) continue;
      ++family.wrong;
      others += ", " + way.name + " " + toString(status);
    }
    ++family.problems;
    family.differing += found.size() > 1;
    if (others.empty()) continue;
    ++wrong;
    std::fprintf(stderr, "%llu %s, %g times %g: %s%s\n", static_cast<unsigned long long>(seed),
                 made.family.c_str(), made.times, made.tolerance, toString(made.right()),
                 others.c_str());
  }
  std::puts("family,problems,ways,solves,problems with different statuses,wrong statuses");
  for (auto const& [name, family] : families)
    std::printf("%s,%d,%zu,%d,%d,%d\n", name.c_str(), family.problems, ways.size(), family.solves,
                family.differing, family.wrong);
  return wrong > 0 ? 1 : 0;
}
