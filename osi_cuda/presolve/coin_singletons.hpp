// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CoinPresolveMatrix.hpp>
#include <vector>

namespace osi_cuda::coin {

/// Mends what slack_singleton_action makes of a basis on the way back. It takes columns without
/// cost that have an entry in one row only into the bounds of that row. Several of them in a row it
/// takes out again one by one, each looked at by itself, and leaves more of them basic than there
/// are rows, or between their bounds and nonbasic.
///
/// What such columns and the slack of their row add up to is left as it is; where the slack was
/// basic, all of them but one go to a bound, those without a bound to zero, and that one becomes
/// basic and takes the rest. None of them has a reduced cost, as the row's dual is zero, so that
/// the point stays as good as it was.
class SingletonMender {
 public:
  /// Before the action is taken back.
  explicit SingletonMender(CoinPostsolveMatrix const& matrix);
  /// After it was.
  void mend(CoinPostsolveMatrix& matrix) const;

 private:
  std::vector<int> lengths_;    ///< of the columns
  std::vector<char> rowBasic_;  ///< by row
};

}  // namespace osi_cuda::coin
