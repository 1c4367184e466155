// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/options.hpp"

namespace osi_cuda::cli {

/// The event as docs/reference/program.md describes it: a JSON object on one line, without the
/// line's end. Numbers that are not finite are null.
std::string traceLine(TraceEvent const& event);

/// The file of --trace: a line for each event, written out at once, so that a run that is killed
/// leaves all but the event that it was busy with.
class TraceFile {
 public:
  /// Empties or creates the file. `notice` hears a message if the file can't be written any more
  /// later; the solve goes on without a trace then. Throws the Failure `cannotWrite`, or `usage`
  /// for
  /// `-`.
  TraceFile(std::string path, std::function<void(std::string const&)> notice);

  /// The first line: the file that is solved and the options that are not the usual ones.
  void begin(std::string const& file, Options const& options);
  void write(TraceEvent const& event);

  /// Where the basis goes that a failing solve ends with: FILE.bas. Nowhere if FILE is a pipe or a
  /// terminal.
  std::optional<std::string> basisPath() const;

 private:
  std::string path_;
  std::function<void(std::string const&)> notice_;
  std::ofstream out_;
};

}  // namespace osi_cuda::cli
