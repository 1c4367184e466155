// SPDX-License-Identifier: EPL-2.0
// Names live in the base class, which keeps but hides them while the discipline is `auto`, and does
// not delete them then. Here they go with their rows and columns whatever the discipline.
#include <limits>

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
