// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CoinPackedVector.hpp"
#include "CoinWarmStartBasis.hpp"
#include "OsiClpSolverInterface.hpp"
#include "OsiRowCut.hpp"
#include "tests/osi/answer_faults.hpp"
#include "tests/osi/contract.hpp"
#include "tests/osi/random_draws.hpp"

namespace osi_cuda::testing {

/// What an interface answers: a list of numbers for the name of each query.
using Answers = std::map<std::string, std::vector<double>>;

/// Every const query of OsiSolverInterface that does not need a factorisation.
inline Answers answersOf(OsiSolverInterface& s) {
  Answers all;
  auto const n = static_cast<std::size_t>(s.getNumCols()),
             m = static_cast<std::size_t>(s.getNumRows());
  auto const list = [&](char const* name, auto const* values, std::size_t count) {
    all[name] = values ? std::vector<double>(values, values + count) : std::vector<double>();
  };
  auto const number = [&](std::string const& name, double value) { all[name] = {value}; };
  number("getNumCols", s.getNumCols());
  number("getNumRows", s.getNumRows());
  number("getNumElements", static_cast<double>(s.getNumElements()));
  number("getNumIntegers", s.getNumIntegers());
  number("getObjSense", s.getObjSense());
  number("getInfinity", s.getInfinity());
  list("getColLower", s.getColLower(), n);
  list("getColUpper", s.getColUpper(), n);
  list("getObjCoefficients", s.getObjCoefficients(), n);
  list("getRowLower", s.getRowLower(), m);
  list("getRowUpper", s.getRowUpper(), m);
  list("getRowSense", s.getRowSense(), m);
  list("getRightHandSide", s.getRightHandSide(), m);
  list("getRowRange", s.getRowRange(), m);
  list("getColType", s.getColType(true), n);
  for (int j = 0; j < s.getNumCols(); ++j)
    for (bool const is : {s.isContinuous(j), s.isBinary(j), s.isInteger(j), s.isIntegerNonBinary(j),
                          s.isFreeBinary(j)})
      all["types of columns"].push_back(is);
  auto const matrix = [&](char const* name, CoinPackedMatrix const* held) {
    std::vector<double>& flat = all[name];
    for (int k = 0; held && k < held->getMajorDim(); ++k) {
      auto const vector = held->getVector(k);
      std::map<int, double> entries;
      for (int e = 0; e < vector.getNumElements(); ++e)
        entries[vector.getIndices()[e]] += vector.getElements()[e];
      for (auto const& [index, value] : entries)
        flat.insert(flat.end(), {static_cast<double>(k), static_cast<double>(index), value});
    }
  };
  matrix("getMatrixByCol", s.getMatrixByCol());
  matrix("getMatrixByRow", s.getMatrixByRow());
  matrix("getMutableMatrixByCol", s.getMutableMatrixByCol());
  matrix("getMutableMatrixByRow", s.getMutableMatrixByRow());
  number("isAbandoned", s.isAbandoned());
  number("isProvenOptimal", s.isProvenOptimal());
  number("isProvenPrimalInfeasible", s.isProvenPrimalInfeasible());
  number("isProvenDualInfeasible", s.isProvenDualInfeasible());
  number("isPrimalObjectiveLimitReached", s.isPrimalObjectiveLimitReached());
  number("isDualObjectiveLimitReached", s.isDualObjectiveLimitReached());
  number("isIterationLimitReached", s.isIterationLimitReached());
  number("basisIsAvailable", s.basisIsAvailable());
  number("optimalBasisIsAvailable", s.optimalBasisIsAvailable());
  number("canDoSimplexInterface", s.canDoSimplexInterface());
  number("numberObjects", s.numberObjects());
  number("getIntegerTolerance", s.getIntegerTolerance());
  list("getColSolution", s.getColSolution(), n);
  list("getStrictColSolution", s.getStrictColSolution(), n);
  list("getRowPrice", s.getRowPrice(), m);
  list("getReducedCost", s.getReducedCost(), n);
  list("getRowActivity", s.getRowActivity(), m);
  number("getObjValue", s.getObjValue());
  auto const fractional = s.getFractionalIndices(1e-6);
  all["getFractionalIndices"] = std::vector<double>(fractional.begin(), fractional.end());
  std::unique_ptr<CoinWarmStart> const start(s.getWarmStart());
  auto const* const basis = dynamic_cast<CoinWarmStartBasis const*>(start.get());
  number("getWarmStart, columns", basis ? basis->getNumStructural() : -1);
  number("getWarmStart, rows", basis ? basis->getNumArtificial() : -1);
  for (int key = 0; key <= OsiLastIntParam; ++key) {
    int value = 0;
    bool const there = s.getIntParam(static_cast<OsiIntParam>(key), value);
    all["getIntParam " + std::to_string(key)] = {double(there), there ? double(value) : 0.0};
  }
  for (int key = 0; key <= OsiLastDblParam; ++key) {
    double value = 0.0;
    bool const there = s.getDblParam(static_cast<OsiDblParam>(key), value);
    all["getDblParam " + std::to_string(key)] = {double(there), there ? value : 0.0};
  }
  for (int key = 0; key <= OsiLastHintParam; ++key) {
    bool yes = false;
    OsiHintStrength strength = OsiHintIgnore;
    bool const there = s.getHintParam(static_cast<OsiHintParam>(key), yes, strength);
    all["getHintParam " + std::to_string(key)] = {double(there), double(yes), double(strength)};
  }
  std::string names;
  for (int j = 0; j < s.getNumCols(); ++j) names += s.getColName(j) + ' ';
  for (int i = 0; i < s.getNumRows(); ++i) names += s.getRowName(i) + ' ';
  names += s.getObjName() + ' ';
  all["names"] = std::vector<double>(names.begin(), names.end());
  return all;
}

/// Random edits and solves of OsiClp and of this interface, side by side. Coefficients and costs
/// are drawn such that an optimum is the only one.
class Twins : RandomDraws {
 public:
  explicit Twins(unsigned seed) : RandomDraws(seed) {
    clp_ = std::make_unique<OsiClpSolverInterface>();
    clp_->messageHandler()->setLogLevel(0);
    own_ = makeOsiCuda();
    load();
  }

  OsiSolverInterface& clp() { return *clp_; }
  OsiSolverInterface& own() { return *own_; }
  std::string const& last() const { return last_; }

  /// Whether docs/reference/osi_contract.md has a reason why the answers to a query may differ now.
  bool mayDiffer(std::string const& query) const {
    auto const isOneOf = [&](std::initializer_list<char const*> names) {
      return std::ranges::find(names, query) != names.end();
    };
    bool const atOptimum =
        since_.solved && own_->isProvenOptimal() && clp_->isProvenOptimal() && !clpIsWrong_;
    if (isOneOf({"getColSolution", "getRowPrice", "getReducedCost", "getRowActivity",
                 "getFractionalIndices"}))
      return !atOptimum;
    if (query == "getObjValue") return !atOptimum || since_.costs;
    if (query == "getStrictColSolution") return !atOptimum || since_.bounds;
    if (isOneOf({"isAbandoned", "isPrimalObjectiveLimitReached"}))
      return !since_.solved || clpIsWrong_;
    if (isOneOf({"isProvenOptimal", "isProvenPrimalInfeasible", "isProvenDualInfeasible",
                 "isDualObjectiveLimitReached"}))
      return since_.matrix || clpIsWrong_;
    if (isOneOf({"basisIsAvailable", "optimalBasisIsAvailable"}))
      return !since_.solved || since_.costs || since_.bounds || since_.copied || clpIsWrong_;
    if (isOneOf({"getRightHandSide", "getRowRange"})) return since_.typed;
    if (isOneOf({"getWarmStart, columns", "getWarmStart, rows"})) return since_.matrix;
    if (isOneOf({"getNumIntegers", "numberObjects"})) return deletedColumns_;
    return false;
  }

  void step(bool solves) {
    change(solves);
    auto const isOneOf = [&](std::initializer_list<char const*> names) {
      return std::ranges::find(names, last_) != names.end();
    };
    if (isOneOf({"initialSolve", "resolve"})) {
      since_ = {.solved = true, .typed = since_.typed};
      bool const differ = answerOf(*own_) != answerOf(*clp_) || !faultOf(*clp_).empty();
      clpIsWrong_ = differ && faultOf(*own_).empty();
    }
    deletedColumns_ |= last_ == "deleteCols";
    since_.costs |= isOneOf({"setObjCoeff", "setObjective", "setObjSense"});
    since_.bounds |= isOneOf({"setColLower", "setColUpper", "setColBounds", "setRowBounds",
                              "setRowLower", "setRowUpper", "setRowType"});
    since_.copied |= last_ == "clone";
    since_.typed |= last_ == "setRowType";
    since_.matrix |= isOneOf({"loadProblem", "replaceMatrix"});
    if (isOneOf({"loadProblem", "replaceMatrix", "addRow", "addCol", "deleteRows", "deleteCols",
                 "applyRowCuts"}))
      since_.solved = false;
  }

 private:
  /// What was done since the last solve; `typed` since the last load.
  struct Since {
    bool solved = false;  ///< there was one, and rows, columns and coefficients are the same
    bool matrix = false, costs = false, bounds = false, copied = false, typed = false;
  };

  void change(bool solves) {
    switch (below(solves ? 26 : 22)) {
      case 0: {
        last_ = "setObjCoeff";
        int const j = below(columns());
        double const cost = real();
        return both([&](auto& s) { s.setObjCoeff(j, cost); });
      }
      case 1: {
        last_ = "setObjective";
        auto const costs = reals(columns());
        return both([&](auto& s) { s.setObjective(costs.data()); });
      }
      case 2: {
        last_ = "setObjSense";
        double const sense = -own_->getObjSense();
        return both([&](auto& s) { s.setObjSense(sense); });
      }
      case 3: {
        last_ = "objective offset";
        double const offset = real();
        return both([&](auto& s) { s.setDblParam(OsiObjOffset, offset); });
      }
      case 4: {
        last_ = "setColLower";
        int const j = below(columns());
        double const bound = std::min(own_->getColUpper()[j], double(below(4)));
        return both([&](auto& s) { s.setColLower(j, bound); });
      }
      case 5: {
        last_ = "setColUpper";
        int const j = below(columns());
        double const bound = std::max(own_->getColLower()[j], double(below(9)));
        return both([&](auto& s) { s.setColUpper(j, bound); });
      }
      case 6: {
        last_ = "setColBounds";
        int const j = below(columns());
        double const lower = below(4), upper = lower + below(5);
        return both([&](auto& s) { s.setColBounds(j, lower, upper); });
      }
      case 7: {
        last_ = "setRowBounds";
        if (rows() == 0) return;
        int const i = below(rows());
        double const lower = below(9) - 8, upper = lower + below(9);
        return both([&](auto& s) { s.setRowBounds(i, lower, upper); });
      }
      case 8: {
        last_ = "setRowLower";
        if (rows() == 0) return;
        int const i = below(rows());
        double const bound = std::min(own_->getRowUpper()[i], double(below(9) - 4));
        return both([&](auto& s) { s.setRowLower(i, bound); });
      }
      case 9: {
        last_ = "setRowUpper";
        if (rows() == 0) return;
        int const i = below(rows());
        double const bound = std::max(own_->getRowLower()[i], double(below(9) - 4));
        return both([&](auto& s) { s.setRowUpper(i, bound); });
      }
      case 10: {
        last_ = "setRowType";
        if (rows() == 0) return;
        int const i = below(rows());
        char const type = "LGERN"[below(5)];
        double const side = below(9), range = 1 + below(4);
        return both([&](auto& s) { s.setRowType(i, type, side, range); });
      }
      case 11: {
        last_ = "addRow";
        CoinPackedVector const row = vector(columns());
        double const upper = below(20);
        return both([&](auto& s) { s.addRow(row, -s.getInfinity(), upper); });
      }
      case 12: {
        last_ = "addCol";
        CoinPackedVector const column = vector(rows());
        double const lower = below(3), upper = lower + below(6), cost = real();
        return both([&](auto& s) { s.addCol(column, lower, upper, cost); });
      }
      case 13: {
        last_ = "deleteRows";
        if (rows() < 2) return;
        int const i = below(rows());
        return both([&](auto& s) { s.deleteRows(1, &i); });
      }
      case 14: {
        last_ = "deleteCols";
        if (columns() < 3) return;
        int const j = below(columns());
        return both([&](auto& s) { s.deleteCols(1, &j); });
      }
      case 15: {
        last_ = "integer marks";
        int const j = below(columns());
        bool const integer = below(2) == 0;
        return both([&](auto& s) { integer ? s.setInteger(j) : s.setContinuous(j); });
      }
      case 16: {
        last_ = "applyRowCuts";
        OsiRowCut cut;
        cut.setRow(vector(columns()));
        cut.setLb(-COIN_DBL_MAX);
        cut.setUb(below(20));
        return both([&](auto& s) { s.applyRowCuts(1, &cut); });
      }
      case 17: {
        last_ = "setWarmStart";
        std::unique_ptr<CoinWarmStart> const start(own_->getWarmStart());
        return both([&](auto& s) { s.setWarmStart(start.get()); });
      }
      case 18: {
        last_ = "limits";
        if (solves) return;
        double const limit = 100.0 * real(), other = 100.0 * real();
        bool const off = below(3) == 0;
        return both([&](auto& s) {
          s.setDblParam(OsiDualObjectiveLimit, off ? COIN_DBL_MAX * s.getObjSense() : limit);
          s.setDblParam(OsiPrimalObjectiveLimit, off ? -COIN_DBL_MAX * s.getObjSense() : other);
        });
      }
      case 19:
        last_ = "clone";
        return both([](auto& s) { return s.clone(); });
      case 20: {
        last_ = "replaceMatrix";
        CoinPackedMatrix matrix(*own_->getMatrixByCol());
        if (rows() == 0) return;
        matrix.modifyCoefficient(below(rows()), below(columns()), real());
        return both([&](auto& s) { s.replaceMatrix(matrix); });
      }
      case 21:
        if (below(4) > 0) return;
        return load();
      case 22:
      case 23:
        last_ = "initialSolve";
        return both([](auto& s) { s.initialSolve(); });
      default:
        last_ = "resolve";
        return both([](auto& s) { s.resolve(); });
    }
  }

  int columns() const { return own_->getNumCols(); }
  int rows() const { return own_->getNumRows(); }
  double real() { return (below(2000001) - 1000000) / 100000.0; }
  std::vector<double> reals(int count) {
    std::vector<double> drawn;
    for (int k = 0; k < count; ++k) drawn.push_back(real());
    return drawn;
  }
  CoinPackedVector vector(int size) {
    CoinPackedVector drawn;
    for (int k = 0; k < size; ++k)
      if (below(3) > 0) drawn.insert(k, real());
    return drawn;
  }

  template <class Change>
  void both(Change const& change) {
    for (auto* const each : {&clp_, &own_}) {
      if constexpr (std::is_void_v<decltype(change(**each))>)
        change(**each);
      else
        each->reset(change(**each));
    }
  }

  void load() {
    last_ = "loadProblem";
    int const n = 2 + below(7), m = below(7);
    CoinPackedMatrix matrix(false, 0.0, 0.0);
    matrix.setDimensions(0, n);
    std::vector<double> lower, upper, rowLower, rowUpper, costs = reals(n);
    for (int i = 0; i < m; ++i) {
      matrix.appendRow(vector(n));
      int const kind = below(4);
      rowLower.push_back(kind == 0 ? below(6) - 5 : kind == 1 ? below(6) : -COIN_DBL_MAX);
      rowUpper.push_back(kind == 1 ? COIN_DBL_MAX : below(12));
    }
    for (int j = 0; j < n; ++j) {
      lower.push_back(below(6) == 0 ? -COIN_DBL_MAX : below(3) - 1);
      upper.push_back(below(5) == 0 ? COIN_DBL_MAX : 2 + below(9));
    }
    both([&](auto& s) {
      s.loadProblem(matrix, lower.data(), upper.data(), costs.data(), rowLower.data(),
                    rowUpper.data());
    });
  }

  std::unique_ptr<OsiSolverInterface> clp_, own_;
  std::string last_;
  Since since_{.matrix = true};
  bool clpIsWrong_ = false;  ///< its answer proves nothing, and the other one does
  bool deletedColumns_ = false;
};

/// Whether two lists of numbers are the same, but for rounding.
inline bool same(std::vector<double> const& a, std::vector<double> const& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return x == y || std::fabs(x - y) <= 1e-6 * (1.0 + std::max(std::fabs(x), std::fabs(y)));
  });
}

}  // namespace osi_cuda::testing
