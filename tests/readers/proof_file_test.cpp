// SPDX-License-Identifier: EPL-2.0
// Proof files as they are written; tests/cli/proofs.py has them checked.
#include "readers/proof_file.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

namespace osi_cuda::readers {
namespace {

/// max x - y / 4 + 1/2, the row 2 <= x + 2^-1074 y, x in [0, 2], y >= 1 and y <= 2^1023.
LinearProgram extremes() {
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.objectiveOffset = 0.5;
  lp.matrix.rows = 1;
  lp.matrix.columns = 2;
  lp.matrix.starts = {0, 1, 2};
  lp.matrix.indices = {0, 0};
  lp.matrix.values = {1.0, 0x1p-1074};
  lp.objective = {1.0, -0.25};
  lp.columnLower = {-0.0, 1.0};
  lp.columnUpper = {2.0, 0x1p1023};
  lp.rowLower = {2.0};
  lp.rowUpper = {infinity};
  lp.columnNames = {"x", "a name"};
  lp.rowNames = {"%"};
  return lp;
}

ExactCertificate optimum() {
  ExactCertificate proof;
  proof.proved = true;
  proof.status = Status::optimal;
  proof.objective = "9/4";
  proof.basis = {{VariableStatus::atUpper, VariableStatus::atLower}, {VariableStatus::basic}};
  proof.point = {"2", "1"};
  proof.rowMultipliers = {"0"};
  proof.columnMultipliers = {"1", "-1/4"};
  return proof;
}

BOOST_AUTO_TEST_SUITE(proof_file)

BOOST_AUTO_TEST_CASE(viprHasTheProblemInFractions) {
  std::string const text = writeProofText(extremes(), optimum(), ProofFormat::vipr);
  auto const has = [&text](std::string const& part) {
    BOOST_TEST(text.find(part) != std::string::npos, part << " is not in\n" << text);
  };
  has("VER 1.0\nVAR 3\nx\nC2\noffset\nINT 0\nOBJ max\n3 0 1 1 -1/4 2 1/2\nCON 6 5\nlo_x G 0  1 0 "
      "1\n"
      "up_x L 2  1 0 1\nlo_C2 G 1  1 1 1\nup_C2 L 8988465674311579538646525953945123668089884894711"
      "5328636715");
  has("\noffset E 1  1 2 1\nlo_R1 G 2  2 0 1 1 1/2024022533073106183524953467189173070495"
      "566497641421183569013580274303395679953468919603837014371244");
  has("RTP range 9/4 9/4\nSOL 1\noptimum 3 0 2 1 1 2 1\nDER 1\nproof L 9/4 OBJ "
      "{ lin 3 1 1 2 -1/4 4 1/2 } -1\n");
}

BOOST_AUTO_TEST_CASE(jsonHasOneListForEachVector) {
  auto const json = nlohmann::json::parse(writeProofText(extremes(), optimum(), ProofFormat::json));
  BOOST_TEST(json["format"] == "osi_cuda proof 1");
  BOOST_TEST(json["status"] == "optimal");
  BOOST_TEST(json["problem"]["sense"] == "maximize");
  BOOST_TEST(json["problem"]["fingerprint"].get<std::string>().size() == 16u);
  BOOST_TEST(json["objective"] == "9/4");
  BOOST_TEST(json["columns"] == nlohmann::json({"x", "a name"}));
  BOOST_TEST(json["column_basis"] == nlohmann::json({"upper", "lower"}));
  BOOST_TEST(json["primal"] == nlohmann::json({"2", "1"}));
  BOOST_TEST(json["dual"] == nlohmann::json::array({"0"}));
  BOOST_TEST(!json.contains("ray"));
}

BOOST_AUTO_TEST_CASE(whatCanNotBeWrittenIsRefused) {
  ExactCertificate proof = optimum();
  proof.status = Status::unbounded;
  proof.ray = {"1", "0"};
  BOOST_CHECK_THROW(writeProofText(extremes(), proof, ProofFormat::vipr), WriteError);
  BOOST_CHECK_NO_THROW(writeProofText(extremes(), proof, ProofFormat::json));
  proof.proved = false;
  BOOST_CHECK_THROW(writeProofText(extremes(), proof, ProofFormat::json), WriteError);
  LinearProgram nowhere = extremes();
  nowhere.columnLower[0] = infinity;
  ExactCertificate crossed;
  crossed.proved = true;
  crossed.status = Status::infeasible;
  crossed.crossed = 0;
  BOOST_CHECK_THROW(writeProofText(nowhere, crossed, ProofFormat::vipr), WriteError);
  BOOST_TEST(
      writeProofText(nowhere, crossed, ProofFormat::json).find("\"crossed_column\": \"x\"") !=
      std::string::npos);
  BOOST_TEST(!proofFormatForName("proof.txt").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::readers
