// SPDX-License-Identifier: EPL-2.0
// Whether the contract program sees what it is there for: each fault that other solver interfaces
// were seen to have is put into this one, and some point has to complain.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <list>

#include "CoinWarmStartBasis.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/contract.hpp"

using osi_cuda::testing::contractPoints;
using osi_cuda::testing::OsiFactory;

namespace {

/// OsiCuda with a fault; clones have it too.
template <class Fault>
class Faulty : public OsiCudaSolverInterface {
 public:
  OsiSolverInterface* clone(bool copyData = true) const override {
    return copyData ? new Fault(static_cast<Fault const&>(*this)) : new Fault();
  }
};

using Base = OsiCudaSolverInterface;

struct SometimesAbandoned : Faulty<SometimesAbandoned> {
  int solves = 0;
  void resolve() override {
    Base::resolve();
    ++solves;
  }
  bool isAbandoned() const override { return solves % 50 == 4; }
  bool isProvenOptimal() const override { return !isAbandoned() && Base::isProvenOptimal(); }
};

struct BoundsByCopy : Faulty<BoundsByCopy> {
  mutable std::list<std::vector<double>> copies;  // kept, so that old pointers can be read
  double const* getColUpper() const override {
    double const* const own = Base::getColUpper();
    copies.emplace_back(own, own + getNumCols());
    return copies.back().data();
  }
};

struct SolutionDroppedByBounds : Faulty<SolutionDroppedByBounds> {
  void setColUpper(int column, double value) override {
    Base::setColUpper(column, value);
    std::vector<double> const zeros(static_cast<std::size_t>(getNumCols()), 0.0);
    setColSolution(zeros.data());
  }
};

struct HotStartLimitForgotten : Faulty<HotStartLimitForgotten> {
  bool hot = false;
  void solveFromHotStart() override {
    Base::solveFromHotStart();
    hot = true;
  }
  bool isIterationLimitReached() const override { return !hot && Base::isIterationLimitReached(); }
};

struct HotStartFromAnywhere : Faulty<HotStartFromAnywhere> {
  void solveFromHotStart() override {}
};

struct SolutionNotTaken : Faulty<SolutionNotTaken> {
  void setColSolution(double const*) override {}
};

struct PricesWithoutReducedCosts : Faulty<PricesWithoutReducedCosts> {
  std::vector<double> prices;
  void setRowPrice(double const* values) override { prices.assign(values, values + getNumRows()); }
  double const* getRowPrice() const override {
    return prices.empty() ? Base::getRowPrice() : prices.data();
  }
};

struct DeletingNothingForgets : Faulty<DeletingNothingForgets> {
  void deleteRows(int count, int const* rows) override {
    Base::deleteRows(count, rows);
    CoinWarmStartBasis const empty;
    setWarmStart(&empty);
  }
};

struct BasisOfOldSize : Faulty<BasisOfOldSize> {
  CoinWarmStartBasis* last = nullptr;
  BasisOfOldSize() = default;
  BasisOfOldSize(BasisOfOldSize const& other) : Faulty(other) {}
  BasisOfOldSize& operator=(BasisOfOldSize const&) = delete;
  ~BasisOfOldSize() override { delete last; }
  void initialSolve() override {
    Base::initialSolve();
    delete last;
    last = dynamic_cast<CoinWarmStartBasis*>(Base::getWarmStart());
  }
  CoinWarmStart* getWarmStart() const override {
    return last ? last->clone() : Base::getWarmStart();
  }
};

struct BasisNotTaken : Faulty<BasisNotTaken> {
  bool setWarmStart(CoinWarmStart const* warmStart) override {
    auto const* const basis = dynamic_cast<CoinWarmStartBasis const*>(warmStart);
    return basis && basis->getNumStructural() == getNumCols() && Base::setWarmStart(warmStart);
  }
};

struct SlacksTheOtherWay : Faulty<SlacksTheOtherWay> {
  CoinWarmStart* getWarmStart() const override {
    auto* const basis = dynamic_cast<CoinWarmStartBasis*>(Base::getWarmStart());
    for (int i = 0; i < getNumRows(); ++i) {
      auto const status = basis->getArtifStatus(i);
      if (status == CoinWarmStartBasis::atLowerBound)
        basis->setArtifStatus(i, CoinWarmStartBasis::atUpperBound);
      if (status == CoinWarmStartBasis::atUpperBound)
        basis->setArtifStatus(i, CoinWarmStartBasis::atLowerBound);
    }
    return basis;
  }
};

struct StatusesTheOtherWay : Faulty<StatusesTheOtherWay> {
  void getBasisStatus(int* columnStatus, int* rowStatus) const override {
    Base::getBasisStatus(columnStatus, rowStatus);
    for (int i = 0; i < getNumRows(); ++i)
      if (rowStatus[i] >= 2) rowStatus[i] = 5 - rowStatus[i];
  }
};

struct ReducedCostsFlipped : Faulty<ReducedCostsFlipped> {
  mutable std::vector<double> flipped;
  double const* getReducedCost() const override {
    double const* const own = Base::getReducedCost();
    flipped.assign(own, own + getNumCols());
    for (double& d : flipped) d *= getObjSense();
    return flipped.data();
  }
};

struct LimitsMinimise : Faulty<LimitsMinimise> {
  bool setDblParam(OsiDblParam key, double value) override {
    bool const isLimit = key == OsiDualObjectiveLimit || key == OsiPrimalObjectiveLimit;
    return Base::setDblParam(key, isLimit ? value * getObjSense() : value);
  }
};

struct NoLimitIsZeroInMaximum : Faulty<NoLimitIsZeroInMaximum> {
  bool getDblParam(OsiDblParam key, double& value) const override {
    bool const known = Base::getDblParam(key, value);
    if (key == OsiDualObjectiveLimit) value = std::fabs(value);
    return known;
  }
};

struct OffsetAdded : Faulty<OffsetAdded> {
  double getObjValue() const override {
    double offset = 0.0;
    getDblParam(OsiObjOffset, offset);
    return Base::getObjValue() + 2.0 * offset;
  }
};

struct LoadResetsSense : Faulty<LoadResetsSense> {
  void loadProblem(CoinPackedMatrix const& matrix, double const* columnLower,
                   double const* columnUpper, double const* objective, double const* rowLower,
                   double const* rowUpper) override {
    setObjSense(1.0);
    Base::loadProblem(matrix, columnLower, columnUpper, objective, rowLower, rowUpper);
  }
};

struct SlowQuestions : Faulty<SlowQuestions> {
  bool isFreeBinary(int column) const override {
    CoinPackedMatrix byRow;
    for (int k = 0; k < 3; ++k) byRow.reverseOrderedCopyOf(*getMatrixByCol());
    return byRow.getNumCols() > 0 && Base::isFreeBinary(column);
  }
};

struct CloneForgetsIntegers : Faulty<CloneForgetsIntegers> {
  OsiSolverInterface* clone(bool copyData = true) const override {
    auto* const copy = Faulty::clone(copyData);
    for (int j = 0; copyData && j < getNumCols(); ++j) copy->setContinuous(j);
    return copy;
  }
};

struct CloneForgetsBasis : Faulty<CloneForgetsBasis> {
  OsiSolverInterface* clone(bool copyData = true) const override {
    auto* const copy = Faulty::clone(copyData);
    CoinWarmStartBasis const empty;
    copy->setWarmStart(&empty);
    return copy;
  }
};

struct ResolveOnlyLater : Faulty<ResolveOnlyLater> {
  bool solved = false;
  void initialSolve() override {
    Base::initialSolve();
    solved = true;
  }
  void resolve() override {
    if (solved) Base::resolve();
  }
};

struct NoArraysWhenInfeasible : Faulty<NoArraysWhenInfeasible> {
  double const* getRowPrice() const override {
    return isProvenPrimalInfeasible() ? nullptr : Base::getRowPrice();
  }
};

struct StaleColumnTypes : Faulty<StaleColumnTypes> {
  mutable std::vector<char> types;
  char const* getColType(bool refresh = false) const override {
    if (types.empty()) {
      char const* const own = Base::getColType(refresh);
      types.assign(own, own + getNumCols());
      types.resize(4096, 0);  // what lies behind the end
    }
    return types.data();
  }
};

struct StrictSkipsTheFirst : Faulty<StrictSkipsTheFirst> {
  mutable std::vector<double> strict;
  double const* getStrictColSolution() override {
    double const* const own = Base::getStrictColSolution();
    strict.assign(own, own + getNumCols());
    strict[0] = getColSolution()[0];
    return strict.data();
  }
};

struct SilentBranchAndBound : Faulty<SilentBranchAndBound> {
  void branchAndBound() override {}
};

struct MatrixNotReplaced : Faulty<MatrixNotReplaced> {
  void replaceMatrixOptional(CoinPackedMatrix const&) override {}
};

struct ResetThrows : Faulty<ResetThrows> {
  void reset() override { OsiSolverInterface::reset(); }
};

/// Whether some point of the contract complains.
bool caught(OsiFactory const& factory, std::string& by) {
  for (auto const& point : contractPoints()) {
    std::vector<std::string> violations;
    try {
      point.check(factory, violations);
    } catch (CoinError const& e) {
      violations.push_back(e.message());
    }
    if (violations.empty()) continue;
    by = point.name;
    return true;
  }
  return false;
}

template <class Fault>
void expectCaught(char const* name) {
  std::string by;
  bool const seen = caught(
      [] {
        auto solver = std::make_unique<Fault>();
        solver->messageHandler()->setLogLevel(0);
        return solver;
      },
      by);
  BOOST_TEST(seen, "nothing complains of the fault " << name);
  BOOST_TEST_MESSAGE(name << ": " << by);
}
#define EXPECT_CAUGHT(fault) expectCaught<fault>(#fault)

}  // namespace

BOOST_AUTO_TEST_SUITE(mutations)

BOOST_AUTO_TEST_CASE(the_contract_sees_every_fault) {
  EXPECT_CAUGHT(SometimesAbandoned);
  EXPECT_CAUGHT(BoundsByCopy);
  EXPECT_CAUGHT(SolutionDroppedByBounds);
  EXPECT_CAUGHT(HotStartLimitForgotten);
  EXPECT_CAUGHT(HotStartFromAnywhere);
  EXPECT_CAUGHT(SolutionNotTaken);
  EXPECT_CAUGHT(PricesWithoutReducedCosts);
  EXPECT_CAUGHT(DeletingNothingForgets);
  EXPECT_CAUGHT(BasisOfOldSize);
  EXPECT_CAUGHT(BasisNotTaken);
  EXPECT_CAUGHT(SlacksTheOtherWay);
  EXPECT_CAUGHT(StatusesTheOtherWay);
  EXPECT_CAUGHT(ReducedCostsFlipped);
  EXPECT_CAUGHT(LimitsMinimise);
  EXPECT_CAUGHT(NoLimitIsZeroInMaximum);
  EXPECT_CAUGHT(OffsetAdded);
  EXPECT_CAUGHT(LoadResetsSense);
  EXPECT_CAUGHT(SlowQuestions);
  EXPECT_CAUGHT(CloneForgetsIntegers);
  EXPECT_CAUGHT(CloneForgetsBasis);
  EXPECT_CAUGHT(ResolveOnlyLater);
  EXPECT_CAUGHT(NoArraysWhenInfeasible);
  EXPECT_CAUGHT(StaleColumnTypes);
  EXPECT_CAUGHT(StrictSkipsTheFirst);
  EXPECT_CAUGHT(SilentBranchAndBound);
  EXPECT_CAUGHT(MatrixNotReplaced);
  EXPECT_CAUGHT(ResetThrows);
}

BOOST_AUTO_TEST_SUITE_END()
