// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shell/sqlite_database.hpp"

/// What the forms take on this machine, series by series, into a database and from there into
/// tables.
namespace osi_cuda::response {

struct Measurement {
  std::string series;   ///< sweeps, integration, storage, products, executors, ...
  std::string problem;  ///< what was computed
  double size = 0.0;    ///< orders the problems of a series
  std::string form;     ///< how
  double seconds = 0.0;
  double bytes = 0.0;  ///< the least that must be moved; 0: not told
  double iterations = 0.0;
  double error = 0.0;    ///< against the reference of the series, relative
  bool ok = false;       ///< the error is rounding
  std::string executor;  ///< host or the device's name
  std::string note;
};

/// A SQLite file of measurements, in three tables: problem, form, measurement. Members throw
/// Failure.
class MeasurementDatabase {
 public:
  using Mode = shell::SqliteDatabase::Mode;
  MeasurementDatabase(std::string const& path, Mode mode);
  void store(Measurement const& measurement);
  /// The newest of each problem, form and executor, by series, size and order of the forms.
  std::vector<Measurement> latest() const;

 private:
  shell::SqliteDatabase database_;
};

struct ExperimentSettings {
  std::vector<std::string> sizes;  ///< ROWSxCOLUMNS of sweeps
  std::vector<std::string> forms;  ///< of sweeps on a device, by name; empty: all, and the host's
  std::vector<int> degrees{1, 2, 3, 4};
  int cells = 200;                          ///< of the plate
  std::vector<std::string> files;           ///< LPs whose matrices products take
  std::string data;                         ///< folder with those that are named; empty: none
  std::vector<int> depths{1, 2, 4, 8, 16};  ///< steps in a pass of tiled products
  double r = 4.0;
  int repeats = 5;
  int threads = 1;  ///< what "all cores" are
  bool onDevice = false;
  bool quiet = false;  ///< nothing on standard error
};

using Store = std::function<void(Measurement const&)>;
using Series = void(ExperimentSettings const&, Store const&);
Series sweepExperiments, integrationExperiments, storageExperiments, productExperiments,
    executorExperiments, tilingExperiments, sharingExperiments, maxwellExperiments;

/// Names for ExperimentSettings::forms.
std::vector<std::string> deviceFormNames();

/// Tables of Markdown by the names of their marks in docs/response.md.
std::vector<std::pair<std::string, std::string>> tablesOf(std::vector<Measurement> const& all);

}  // namespace osi_cuda::response
