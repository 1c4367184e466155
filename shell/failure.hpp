// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/base/index.hpp"

namespace osi_cuda::shell {

/// What the program says to the shell; the numbers from 64 on are those of sysexits.h.
enum class ExitStatus : int {
  optimal = 0,
  noOptimum = 1,     ///< proved to be infeasible or unbounded
  stopped = 2,       ///< by a limit or by the user; the best point so far is reported
  numerical = 3,     ///< no status could be proved
  disagreement = 4,  ///< solvers disagree (compare), or a regression (regress)
  usage = 64,
  badInput = 65,
  noInput = 66,
  unavailable = 69,  ///< the asked device, engine or solver, or memory
  internal = 70,
  cannotWrite = 73
};

/// Ends the command with a status and a message.
class Failure : public std::runtime_error {
 public:
  /// The message is made of the parts, one after the other.
  Failure(ExitStatus status, auto const& first, auto const&... more)
      : std::runtime_error(concat(first, more...)), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// An exception as the user meets it.
struct FailureReport {
  ExitStatus status = ExitStatus::internal;
  std::string line;             ///< for standard error, without a line end
  nlohmann::ordered_json json;  ///< for standard output under --json
};

/// Translates whatever the readers, the solver or a command have thrown. `program`, its name,
/// begins the line; a fault in a file begins with FILE:LINE:COLUMN instead.
FailureReport report(std::exception_ptr const& exception, std::string const& program = "osi-cuda");

/// The text of a JSON value for output: two spaces of indent, and bytes of names that are not
/// UTF-8 replaced.
std::string toText(nlohmann::ordered_json const& json);

/// JSON has no infinity and no NaN: such a number is null.
nlohmann::ordered_json numberOrNull(double value);

}  // namespace osi_cuda::shell
