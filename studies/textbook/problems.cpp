// SPDX-License-Identifier: EPL-2.0
#include "studies/textbook/problems.hpp"

#include <algorithm>
#include <cstdio>

#include "bench/dense_model.hpp"
#include "examples/traffic_matrix/generated_lp.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::textbook {
std::string familyOfProblem(std::string const& name) {
  return name.substr(0, name.find(':'));
}

LinearProgram makeProblem(std::string const& name, std::uint64_t seed) {
  std::string const family = familyOfProblem(name);
  std::string const size = name.substr(std::min(name.size(), family.size() + 1));
  int rows = 0, columns = 0;
  char rest = 0;
  if (auto const dense = bench::familyOf(family);
      dense && std::sscanf(size.c_str(), "%dx%d%c", &rows, &columns, &rest) == 2 && rows > 0 &&
      columns > 0)
    return bench::denseModel(*dense, rows, columns, seed);
  bool const sum = family == "traffic-sum", minimax = family == "traffic-minimax";
  if ((sum || minimax) && std::sscanf(size.c_str(), "%d%c", &rows, &rest) == 1 && rows >= 3)
    return examples::traffic::generatedLp(
        sum ? examples::traffic::Objective::Kind::sum : examples::traffic::Objective::Kind::minimax,
        rows, seed);
  throw shell::Failure(shell::ExitStatus::usage,
                       "expected a problem like origin:1000x500, signed:..., uniform:..., "
                       "traffic-sum:20 or traffic-minimax:20, found '" +
                           name + "'");
}

}  // namespace osi_cuda::textbook
