// SPDX-License-Identifier: EPL-2.0
#include "readers/proof_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "osi_cuda/base/decimal.hpp"
#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/model/fingerprint.hpp"
#include "osi_cuda/model/relaxed_columns.hpp"
#include "readers/format_writers.hpp"
#include "readers/output.hpp"
#include "readers/solution_file.hpp"

namespace osi_cuda::readers {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(Json const& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One object, a key on each line: the vectors of large problems are too long to be built as one.
class ProofObject {
 public:
  explicit ProofObject(Output& out) : out_(out) { out_ << "{\n"; }

  void add(char const* key, Json const& value) {
    out_ << separator_ << " \"" << key << "\": " << dumped(value);
    separator_ = ",\n";
  }
  void addList(char const* key, int size, auto const& item) {
    Json list = Json::array();
    for (int k = 0; k < size; ++k) list.push_back(item(k));
    add(key, list);
  }
  void end() { out_ << "\n}\n"; }

 private:
  Output& out_;
  char const* separator_ = "";
};

void writeJson(Output& out, LinearProgram const& lp, ExactCertificate const& proof) {
  int const n = lp.columns(), m = lp.rows();
  ProofObject object(out);
  object.add("format", "osi_cuda proof 1");
  object.add("problem", {{"name", lp.name},
                         {"fingerprint", fingerprintOf(lp)},
                         {"rows", m},
                         {"columns", n},
                         {"nonzeros", countNonzeros(lp.matrix)},
                         {"sense", lp.sense == Sense::maximize ? "maximize" : "minimize"},
                         {"numbers", proof.numbers == ExactNumbers::decimals  ? "decimals"
                                     : proof.numbers == ExactNumbers::doubles ? "doubles"
                                                                              : "fractions"}});
  if (int const relaxed = relaxedIn(lp).integers; relaxed > 0)
    object.add("relaxed_integers", relaxed);
  object.add("status", osi_cuda::toString(proof.status));
  if (!proof.objective.empty()) object.add("objective", proof.objective);
  object.addList("columns", n, [&](int j) { return lp.columnName(j); });
  object.addList("rows", m, [&](int i) { return lp.rowName(i); });
  if (proof.status != Status::infeasible) {
    object.addList("column_basis", n, [&](int j) { return toString(proof.basis.columns[j]); });
    object.addList("row_basis", m, [&](int i) { return toString(proof.basis.rows[i]); });
  }
  // What a status needs is there for problems without rows or columns as well.
  if (proof.status != Status::infeasible) object.add("primal", proof.point);
  if (proof.status == Status::optimal) object.add("dual", proof.rowMultipliers);
  if (proof.status == Status::unbounded) object.add("ray", proof.ray);
  if (proof.status == Status::infeasible && proof.crossed < 0)
    object.add("farkas", proof.rowMultipliers);
  if (proof.crossed >= n) object.add("crossed_row", lp.rowName(proof.crossed - n));
  if (proof.crossed >= 0 && proof.crossed < n)
    object.add("crossed_column", lp.columnName(proof.crossed));
  object.end();
}

std::string wholeNumber(long double value) {
  char digits[400];  // 2^1074 has 324
  std::snprintf(digits, sizeof digits, "%.0Lf", value);
  return digits;
}

/// The finite double as "p/q" or "p", in lowest terms.
std::string fractionOf(double value) {
  int exponent = 0;
  long double numerator = std::frexp(value + 0.0, &exponent);  // -0 is 0
  while (numerator != std::floor(numerator)) {
    numerator *= 2.0L;
    --exponent;
  }
  if (exponent >= 0) return wholeNumber(std::ldexp(numerator, exponent));
  return wholeNumber(numerator) + "/" + wholeNumber(std::ldexp(1.0L, -exponent));
}

/// The shortest decimal that is read as the finite double, as a fraction.
std::string decimalFractionOf(double value) {
  Decimal const decimal = shortestDecimal(value);
  std::string const digits = std::to_string(decimal.mantissa),
                    zeros(static_cast<std::size_t>(std::abs(decimal.exponent)), '0');
  return decimal.exponent >= 0 ? digits + zeros : digits + "/1" + zeros;
}

/// Blanks end a name, % begins a comment.
std::string nameOr(std::string name, char letter, int k) {
  bool const fits = !name.empty() && name[0] != '%' && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f;
  });
  return fits ? name : concat(letter, k + 1);
}

/// The problem as VIPR has it: what the proofs of both kinds begin with.
class ViprProblem {
 public:
  ViprProblem(Output& out, LinearProgram const& lp, bool integers, bool decimals = false,
              std::map<double, std::string> fractions = {})
      : out_(out),
        lp_(lp),
        decimals_(decimals),
        integers_(integers && !lp.integer.empty()),
        fractions_(std::move(fractions)) {}

  ConstraintNumbers const& numbers() const { return numbers_; }
  bool hasOffset() const { return numbers_.offset >= 0; }

  std::string textOf(double number) const {
    if (auto const entry = fractions_.find(std::fabs(number)); entry != fractions_.end())
      return (number < 0.0 ? "-" : "") + entry->second;
    return decimals_ && number != 0.0 ? decimalFractionOf(number) : fractionOf(number);
  }

  void write() const {
    variables();
    objective();
    out_ << "CON " << numbers_.all << ' ' << numbers_.bounds << '\n';
    for (int v = 0; v < n_ + lp_.rows(); ++v) {
      if (v == n_) offset();
      constraintsOf(v);
    }
    if (lp_.rows() == 0) offset();
  }

  /// What is to be shown: the objective from that to that; none is empty.
  void range(std::string const& low, std::string const& high) const {
    out_ << "RTP range " << (low.empty() ? "-inf" : low) << ' ' << (high.empty() ? "inf" : high)
         << '\n';
  }
  void solution(std::vector<std::string> const& point) const {
    out_ << "SOL 1\noptimum "
         << static_cast<int>(n_ - std::ranges::count(point, "0")) + hasOffset();
    for (int j = 0; j < n_; ++j)
      if (point[j] != "0") out_ << ' ' << j << ' ' << point[j];
    if (hasOffset()) out_ << ' ' << n_ << " 1";
    out_ << '\n';
  }

 private:
  void variables() const {
    out_ << "% " << (integers_ ? "an integer problem" : "a linear relaxation") << ", its "
         << (decimals_ ? "decimals" : "numbers")
         << " as fractions; a column \"offset\" is fixed at 1\n"
         << "VER 1.0\nVAR " << n_ + hasOffset() << '\n';
    for (int j = 0; j < n_; ++j) out_ << nameOr(lp_.columnName(j), 'C', j) << '\n';
    if (hasOffset()) out_ << "offset\n";
    out_ << "INT " << (integers_ ? static_cast<int>(std::ranges::count(lp_.integer, 1)) : 0);
    for (int j = 0; integers_ && j < n_; ++j)
      if (lp_.integer[j]) out_ << ' ' << j;
    out_ << '\n';
  }

  void objective() const {
    auto const used = n_ - std::ranges::count(lp_.objective, 0.0);
    out_ << (lp_.sense == Sense::maximize ? "OBJ max\n" : "OBJ min\n")
         << static_cast<int>(used) + hasOffset();
    for (int j = 0; j < n_; ++j)
      if (lp_.objective[j] != 0.0) out_ << ' ' << j << ' ' << textOf(lp_.objective[j]);
    if (hasOffset()) out_ << ' ' << n_ << ' ' << textOf(lp_.objectiveOffset);
    out_ << '\n';
  }

  void offset() const {
    if (hasOffset()) out_ << "offset E 1  1 " << n_ << " 1\n";
  }

  /// Those of variable v, column v or row v - n, as far as its bounds are finite.
  void constraintsOf(int v) const {
    bool const column = v < n_;
    double const lower = column ? lp_.columnLower[v] : lp_.rowLower[v - n_];
    double const upper = column ? lp_.columnUpper[v] : lp_.rowUpper[v - n_];
    std::string const name =
        column ? nameOr(lp_.columnName(v), 'C', v) : nameOr(lp_.rowName(v - n_), 'R', v - n_);
    if (lower == infinity || upper == -infinity)
      throw WriteError("VIPR has no statement for the bounds of " + name +
                       ", which no number keeps");
    auto const add = [&](char const* prefix, char sense, double side) {
      out_ << prefix << name << ' ' << sense << ' ' << textOf(side) << "  ";
      if (column) {
        out_ << "1 " << v << " 1\n";
        return;
      }
      auto const line = byRows_.column(v - n_);
      out_ << static_cast<int>(line.size());
      for (auto const [j, a] : line) out_ << ' ' << j << ' ' << textOf(a);
      out_ << '\n';
    };
    if (lower == upper) return add("eq_", 'E', lower);
    if (std::isfinite(lower)) add("lo_", 'G', lower);
    if (std::isfinite(upper)) add("up_", 'L', upper);
  }

  Output& out_;
  LinearProgram const& lp_;
  bool const decimals_, integers_;
  std::map<double, std::string> const fractions_;
  ConstraintNumbers const numbers_{lp_};
  SparseMatrix const byRows_ = lp_.matrix.transposed();
  int const n_ = lp_.columns();
};

struct ViprTerm {
  int constraint;
  std::string weight;
};

/// Weights that are not 0 on the constraints that they need: a positive one takes the lower bound
/// for a bound from below.
std::vector<ViprTerm> combination(ConstraintNumbers const& numbers, ExactCertificate const& proof,
                                  bool fromBelow) {
  std::vector<ViprTerm> terms;
  std::size_t const n = proof.columnMultipliers.size();
  for (std::size_t v = 0; v < numbers.lower.size(); ++v) {
    std::string const& weight = v < n ? proof.columnMultipliers[v] : proof.rowMultipliers[v - n];
    if (weight == "0") continue;
    bool const wantsLower = (weight[0] != '-') == fromBelow;
    terms.push_back({(wantsLower ? numbers.lower : numbers.upper)[v], weight});
  }
  return terms;
}

}  // namespace

std::optional<ProofFormat> proofFormatForName(std::string const& path) {
  if (path.ends_with(".json")) return ProofFormat::json;
  if (path.ends_with(".vipr")) return ProofFormat::vipr;
  return std::nullopt;
}

std::string writeProofText(LinearProgram const& lp, ExactCertificate const& proof,
                           ProofFormat format) {
  if (!proof.proved) throw WriteError("there is no exact proof: " + proof.message);
  Output out;
  format == ProofFormat::vipr ? writeVipr(out, lp, proof) : writeJson(out, lp, proof);
  return out.text();
}

void writeProof(std::string const& path, LinearProgram const& lp, ExactCertificate const& proof,
                ProofFormat format) {
  writeWhole(path, writeProofText(lp, proof, format));
}

void writeVipr(Output& out, LinearProgram const& lp, ExactCertificate const& proof) {
  bool const optimal = proof.status == Status::optimal;
  if (!optimal && proof.status != Status::infeasible)
    throw WriteError("VIPR has no statement for an unbounded problem; a .json file holds its ray");
  ViprProblem const problem(out, lp, false, proof.numbers == ExactNumbers::decimals,
                            proof.fractions);
  problem.write();
  ConstraintNumbers const& numbers = problem.numbers();
  bool const fromBelow = !optimal || lp.sense == Sense::minimize;
  std::vector<ViprTerm> terms;
  if (optimal) {
    problem.range(proof.objective, proof.objective);
    problem.solution(proof.point);
  } else {
    out << "RTP infeas\nSOL 0\n";
  }
  if (proof.crossed < 0)
    terms = combination(numbers, proof, fromBelow);
  else
    terms = {{numbers.lower[proof.crossed], "1"}, {numbers.upper[proof.crossed], "-1"}};
  if (optimal && problem.hasOffset())
    terms.push_back({numbers.offset, problem.textOf(lp.objectiveOffset)});
  out << "DER 1\nproof " << (fromBelow ? "G " : "L ")
      << (optimal ? proof.objective + " OBJ" : "1 0") << " { lin "
      << static_cast<int>(terms.size());
  for (ViprTerm const& term : terms) out << ' ' << term.constraint << ' ' << term.weight;
  out << " } -1\n";
}

std::string writeTreeProofText(LinearProgram const& lp, TreeCertificate const& proof) {
  Output out;
  ViprProblem const problem(out, lp, true);
  problem.write();
  bool const minimises = lp.sense == Sense::minimize;
  if (proof.bound.empty())
    out << "RTP infeas\n";
  else
    problem.range(minimises ? proof.bound : proof.objective,
                  minimises ? proof.objective : proof.bound);
  if (proof.point.empty())
    out << "SOL 0\n";
  else
    problem.solution(proof.point);
  out << "DER " << proof.derived << '\n' << proof.derivations;
  return out.text();
}

}  // namespace osi_cuda::readers
