// SPDX-License-Identifier: EPL-2.0
#include "readers/proof_file.hpp"

#include <nlohmann/json.hpp>

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

}  // namespace osi_cuda::readers
