// SPDX-License-Identifier: EPL-2.0
#include "tests/stress/claim.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace osi_cuda::stress {
namespace {

constexpr std::array<char const*, 7> answerNames = {
    "optimal", "infeasible", "unbounded", "numerical", "time_limit", "crash", "hang"};

std::string plain(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace

char const* toString(Answer answer) {
  return answerNames[static_cast<std::size_t>(answer)];
}

bool Claim::standsUp() const {
  if (solver == "exact") return answered();
  switch (answer) {
    case Answer::optimal:
      return judged.largest() <= falseResidual;
    case Answer::infeasible:
      return proof == Proof::exact;
    case Answer::unbounded:
      return proof == Proof::exact && judged.primal <= falseResidual;
    default:
      return false;
  }
}

std::string lineOf(Claim const& claim) {
  std::string message = claim.message;
  for (char& c : message)
    if (c == '\t' || c == '\n') c = ' ';
  std::string line;
  for (std::string const& field :
       {claim.solver, claim.variant, std::to_string(static_cast<int>(claim.answer)),
        plain(claim.objective), plain(claim.reported.primal), plain(claim.reported.dual),
        plain(claim.reported.complementarity), plain(claim.judged.primal), plain(claim.judged.dual),
        plain(claim.judged.gap), plain(claim.judged.objective),
        std::to_string(static_cast<int>(claim.proof)), std::string(claim.improvingRay ? "1" : "0"),
        plain(claim.seconds), std::to_string(claim.iterations), message})
    line += (line.empty() ? "" : "\t") + field;
  return line;
}

Claim claimFrom(std::string const& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  if (fields.size() == 15) fields.emplace_back();
  if (fields.size() != 16) throw std::runtime_error("a worker sent what is no claim: " + line);
  auto number = [&](int k) { return std::strtod(fields[k].c_str(), nullptr); };
  Claim claim;
  claim.solver = fields[0];
  claim.variant = fields[1];
  claim.answer = static_cast<Answer>(std::stoi(fields[2]));
  claim.objective = number(3);
  claim.reported = {number(4), number(5), number(6)};
  claim.judged = {number(7), number(8), number(9), number(10)};
  claim.proof = static_cast<Proof>(std::stoi(fields[11]));
  claim.improvingRay = fields[12] == "1";
  claim.seconds = number(13);
  claim.iterations = std::stoll(fields[14]);
  claim.message = fields[15];
  return claim;
}

}  // namespace osi_cuda::stress
