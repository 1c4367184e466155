// SPDX-License-Identifier: EPL-2.0
// Names live in the base class, which keeps but hides them while the discipline is `auto`, and does
// not delete them then. Here they go with their rows and columns whatever the discipline.
#include <limits>
#include <memory>
#include <vector>

#include "CoinModel.hpp"
#include "osi/state.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace {

/// Makes names reachable while it lives.
class NamesAtHand {
 public:
  explicit NamesAtHand(OsiSolverInterface& interface) : interface_(interface) {
    interface_.getIntParam(OsiNameDiscipline, before_);
    if (before_ == 0) interface_.setIntParam(OsiNameDiscipline, 1);
  }
  ~NamesAtHand() { interface_.setIntParam(OsiNameDiscipline, before_); }
  NamesAtHand(NamesAtHand const&) = delete;
  NamesAtHand& operator=(NamesAtHand const&) = delete;

 private:
  OsiSolverInterface& interface_;
  int before_ = 0;
};

}  // namespace

/// The names of a file, whatever the discipline: it may change later.
void OsiCudaSolverInterface::takeNames(osi_cuda::LinearProgram const& lp) {
  NamesAtHand const names(*this);
  setObjName(lp.objectiveName);
  OsiNameVec rowNames = lp.rowNames, columnNames = lp.columnNames;
  setRowNames(rowNames, 0, static_cast<int>(rowNames.size()), 0);
  setColNames(columnNames, 0, static_cast<int>(columnNames.size()), 0);
}

// The base class would take names that are not there, and drop sense and offset.
int OsiCudaSolverInterface::loadFromCoinModel(CoinModel& model, bool keepSolution) {
  double *rowLower = model.rowLowerArray(), *rowUpper = model.rowUpperArray(),
         *columnLower = model.columnLowerArray(), *columnUpper = model.columnUpperArray(),
         *objective = model.objectiveArray(), *associated = model.associatedArray();
  int* integers = model.integerTypeArray();
  std::unique_ptr<int[]> ownIntegers;
  std::vector<std::unique_ptr<double[]>> own;
  if (model.stringsExist()) {  // numbers in place of texts, in arrays that are ours
    int const errors = model.createArrays(rowLower, rowUpper, columnLower, columnUpper, objective,
                                          integers, associated);
    ownIntegers.reset(integers);
    for (double* const array :
         {rowLower, rowUpper, columnLower, columnUpper, objective, associated})
      own.emplace_back(array);
    if (errors > 0) {
      osi_cuda::osi::say(*handler_, 14, 0,
                         osi_cuda::concat(errors, " text(s) of the CoinModel have no value"), 'W');
      return errors;
    }
  }
  CoinPackedMatrix matrix;
  if (model.packedMatrix())
    matrix = *model.packedMatrix();
  else
    model.createPackedMatrix(matrix, associated);
  bool const fits =
      keepSolution && matrix.getNumRows() == getNumRows() && matrix.getNumCols() == getNumCols();
  std::unique_ptr<CoinWarmStart> const start(fits ? getWarmStart() : nullptr);
  setDblParam(OsiObjOffset, model.objectiveOffset());
  loadProblem(matrix, columnLower, columnUpper, objective, rowLower, rowUpper);
  if (model.optimizationDirection() != 0.0)
    setObjSense(model.optimizationDirection() < 0.0 ? -1.0 : 1.0);
  setStrParam(OsiProbName, model.getProblemName() ? model.getProblemName() : "");
  NamesAtHand const names(*this);
  for (int i = 0; i < getNumRows(); ++i)
    if (char const* const name = model.getRowName(i)) setRowName(i, name);
  for (int j = 0; j < getNumCols(); ++j) {
    if (char const* const name = model.getColumnName(j)) setColName(j, name);
    if (integers && integers[j]) setInteger(j);
  }
  if (start) setWarmStart(start.get());
  return 0;
}

void OsiCudaSolverInterface::dropNames() {
  NamesAtHand const names(*this);
  constexpr int all = std::numeric_limits<int>::max();
  OsiSolverInterface::deleteRowNames(0, all);
  OsiSolverInterface::deleteColNames(0, all);
  setObjName("");
}

// From the back, so that the numbers in front stay what they are; runs go together.
void OsiCudaSolverInterface::dropNames(std::vector<int> const& gone, bool ofRows) {
  NamesAtHand const names(*this);
  for (std::size_t end = gone.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && gone[begin - 1] == gone[begin] - 1) --begin;
    int const length = static_cast<int>(end - begin);
    if (ofRows)
      deleteRowNames(gone[begin], length);
    else
      deleteColNames(gone[begin], length);
    end = begin;
  }
}
