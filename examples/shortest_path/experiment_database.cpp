// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/experiment_database.hpp"

namespace osi_cuda::shortest_path {
namespace {

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

ExperimentDatabase::ExperimentDatabase(std::string const& path, Mode mode)
    : database_(path, mode, schema, "experiment") {}

void ExperimentDatabase::store(Experiment const& e) {
  database_.prepare("insert or ignore into implementation values(null, ?, ?, ?)")
      .run(e.method, e.place, e.solver);
  database_.prepare("insert or ignore into graph values(null, ?, ?, ?, ?)")
      .run(e.family, e.vertices, e.arcs, e.seeds);
  database_.prepare("insert or ignore into parameters values(null, ?, ?)")
      .run(e.parameters, e.ants);
  database_
      .prepare(
          "insert into experiment select null, i.id, g.id, p.id, ?, ?, ?, ?, ?, ?, ?, ?, "
          "strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from implementation i, graph g, parameters p "
          "where i.method = ? and i.place = ? and i.solver = ? and g.family = ? and g.vertices = ? "
          "and g.arcs = ? and g.seeds = ? and p.text = ? and p.ants = ?")
      .run(e.accuracy, e.excess, e.runs, e.seconds, e.transferSeconds, e.rounds, e.ok, e.device,
           e.method, e.place, e.solver, e.family, e.vertices, e.arcs, e.seeds, e.parameters,
           e.ants);
}

std::vector<Experiment> ExperimentDatabase::latest() const {
  shell::SqliteStatement rows = database_.prepare(selectLatest);
  std::vector<Experiment> result;
  while (rows.step()) {
    Experiment& e = result.emplace_back();
    rows.read(e.method, e.place, e.solver, e.family, e.vertices, e.arcs, e.seeds, e.parameters,
              e.ants, e.accuracy, e.excess, e.runs, e.seconds, e.transferSeconds, e.rounds, e.ok,
              e.device, e.time);
  }
  return result;
}

}  // namespace osi_cuda::shortest_path
