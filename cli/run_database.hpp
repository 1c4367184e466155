// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bridges/comparison.hpp"
#include "shell/sqlite_database.hpp"

namespace osi_cuda::cli {

/// One solve of one instance, as the database keeps it.
struct RunRecord {
  std::int64_t id = 0;     ///< ascends with time
  std::int64_t batch = 0;  ///< the regress command that it belongs to
  std::string time;        ///< UTC, as 2031-02-28T13:59:59Z
  std::string host;        ///< name of the machine
  std::string solver, version, algorithm, engine, device;
  std::string options;   ///< what the solver was told, as text
  std::string instance;  ///< name in the list
  std::string checksum;  ///< of the file's bytes: an instance that changed is another instance
  std::int64_t rows = 0, columns = 0, nonzeros = 0;
  std::string status;  ///< as toString(Status), or "skipped"
  std::string verdict;
  bool proved = false;
  std::optional<double> objective;  ///< with status optimal
  std::int64_t iterations = 0;
  double seconds = 0.0;
  std::optional<double> primal, dual, complementarity;  ///< residuals, with status optimal
  std::string message;                                  ///< reason or message of the solver

  std::string label() const { return solver + '/' + algorithm; }
};

/// A file of runs (SQLite). Every run is written in a transaction of its own, so that what is
/// finished survives whatever happens next. Not to be used from two threads at a time; several
/// processes may share the file. Members throw Failure: noInput or cannotWrite with SQLite's words.
class RunDatabase {
 public:
  using Mode = shell::SqliteDatabase::Mode;

  /// Opens the file; with Mode::write makes it and its tables if they are missing.
  RunDatabase(std::string const& path, Mode mode);

  /// A new batch number, with the command that began it as text.
  std::int64_t beginBatch(std::string const& command);
  /// The newest batch that this command began, or 0.
  std::int64_t lastBatch(std::string const& command);
  /// Whether a batch has a run of the same solver, algorithm, options, instance and checksum.
  bool has(RunRecord const& run);
  /// Stores a run; its id is ignored.
  void store(RunRecord const& run);
  /// The last run of the same solver, algorithm, options, instance and checksum in an earlier
  /// batch.
  std::optional<RunRecord> previous(RunRecord const& run);
  /// The newest run of each instance by each solver and algorithm, up to `batch` (0: all), by
  /// instance, then solver.
  std::vector<RunRecord> latestRuns(std::int64_t batch = 0);
  /// All runs, by id.
  std::vector<RunRecord> allRuns();
  /// Adds the batches and runs of another database, with numbers of their own.
  void add(std::string const& path);

 private:
  shell::SqliteDatabase database_;
};

}  // namespace osi_cuda::cli
