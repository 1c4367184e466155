// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/experiment_database.hpp"

#include <sqlite3.h>

#include "examples/common/failure.hpp"
#include "shell/sqlite_statement.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;
using Statement = shell::SqliteStatement;

constexpr int busyMilliseconds = 10'000;  // another process may be writing

constexpr char schema[] = R"(
create table if not exists implementation(
  id integer primary key, method text not null, place text not null, solver text not null,
  unique(method, place, solver));
create table if not exists graph(
  id integer primary key, family text not null, vertices integer not null, arcs integer not null,
  seeds text not null, unique(family, vertices, arcs, seeds));
create table if not exists parameters(
  id integer primary key, text text not null, ants integer not null, unique(text, ants));
create table if not exists experiment(
  id integer primary key, implementation integer not null references implementation(id),
  graph integer not null references graph(id),
  parameters integer not null references parameters(id), accuracy real not null,
  mean_excess real, runs integer not null, mean_seconds real not null,
  mean_transfer_seconds real not null, mean_rounds real not null, ok integer not null,
  device text not null, time text not null);
pragma user_version = 1;
)";

constexpr char selectLatest[] = R"(
select i.method, i.place, i.solver, g.family, g.vertices, g.arcs, g.seeds, p.text, p.ants,
  e.accuracy, e.mean_excess, e.runs, e.mean_seconds, e.mean_transfer_seconds, e.mean_rounds, e.ok,
  e.device, e.time
from experiment e join implementation i on e.implementation = i.id join graph g on e.graph = g.id
  join parameters p on e.parameters = p.id
where e.id in (select max(id) from experiment group by implementation, graph, parameters, device)
order by i.method, g.family, g.vertices, g.arcs, i.place, i.solver, p.ants, p.text, e.device
)";

}  // namespace

ExperimentDatabase::ExperimentDatabase(std::string const& path, Mode mode) : path_(path) {
  int const flags =
      mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  auto const mustWork = [&](int result) {
    if (result == SQLITE_OK) return;
    std::string const sentence = "database '" + path + "': " + sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw Failure(mode == Mode::read ? ExitStatus::noInput : ExitStatus::cannotWrite, sentence);
  };
  mustWork(sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr));
  sqlite3_busy_timeout(handle_, busyMilliseconds);
  char const* const first = mode == Mode::write ? schema : "select count(*) from experiment";
  mustWork(sqlite3_exec(handle_, first, nullptr, nullptr, nullptr));
}

ExperimentDatabase::~ExperimentDatabase() {
  sqlite3_close(handle_);
}

std::int64_t ExperimentDatabase::identify(std::string const& table,
                                          std::vector<std::string> const& columns,
                                          std::vector<std::string> const& values) const {
  std::string names, marks, equal;
  for (std::string const& column : columns) {
    names += (names.empty() ? "" : ", ") + column;
    marks += marks.empty() ? "?" : ", ?";
    equal += (equal.empty() ? "" : " and ") + column + " = ?";
  }
  Statement insert(handle_, path_,
                   "insert or ignore into " + table + '(' + names + ") values(" + marks + ')');
  for (std::string const& value : values) insert.bind(value);
  insert.step();
  Statement select(handle_, path_, "select id from " + table + " where " + equal);
  for (std::string const& value : values) select.bind(value);
  select.step();
  return select.integer();
}

void ExperimentDatabase::store(Experiment const& e) {
  std::int64_t const implementation =
      identify("implementation", {"method", "place", "solver"}, {e.method, e.place, e.solver});
  std::int64_t const graph =
      identify("graph", {"family", "vertices", "arcs", "seeds"},
               {e.family, std::to_string(e.vertices), std::to_string(e.arcs), e.seeds});
  std::int64_t const parameters =
      identify("parameters", {"text", "ants"}, {e.parameters, std::to_string(e.ants)});
  Statement insert(handle_, path_,
                   "insert into experiment values(null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                   "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))");
  insert.bind(implementation).bind(graph).bind(parameters);
  insert.bind(std::optional<double>(e.accuracy)).bind(e.excess).bind(e.runs);
  insert.bind(std::optional<double>(e.seconds)).bind(std::optional<double>(e.transferSeconds));
  insert.bind(std::optional<double>(e.rounds)).bind(std::int64_t{e.ok}).bind(e.device).step();
}

std::vector<Experiment> ExperimentDatabase::latest() const {
  Statement rows(handle_, path_, selectLatest);
  std::vector<Experiment> result;
  while (rows.step()) {
    Experiment e;
    e.method = rows.text();
    e.place = rows.text();
    e.solver = rows.text();
    e.family = rows.text();
    e.vertices = rows.integer();
    e.arcs = rows.integer();
    e.seeds = rows.text();
    e.parameters = rows.text();
    e.ants = rows.integer();
    e.accuracy = rows.real();
    e.excess = rows.optionalReal();
    e.runs = rows.integer();
    e.seconds = rows.real();
    e.transferSeconds = rows.real();
    e.rounds = rows.real();
    e.ok = rows.integer() != 0;
    e.device = rows.text();
    e.time = rows.text();
    result.push_back(std::move(e));
  }
  return result;
}

}  // namespace osi_cuda::shortest_path
