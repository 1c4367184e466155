// SPDX-License-Identifier: EPL-2.0
#include "cli/run_database.hpp"

#include <cstring>
#include <tuple>

namespace osi_cuda::cli {

using shell::SqliteStatement;

namespace {

constexpr char schema[] = R"(
create table if not exists batches(
  id integer primary key, time text not null, command text not null);
create table if not exists runs(
  id integer primary key, batch integer not null references batches(id), time text not null,
  host text not null, solver text not null, version text not null, algorithm text not null,
  engine text not null, device text not null, options text not null, instance text not null,
  checksum text not null, rows integer not null, columns integer not null,
  nonzeros integer not null, status text not null, verdict text not null,
  proved integer not null, objective real, iterations integer not null, seconds real not null,
  primal_residual real, dual_residual real, complementarity real, message text not null);
create index if not exists runs_by_instance on runs(instance, solver, algorithm, id);
pragma user_version = 1;
)";

constexpr char columnList[] =
    "id, batch, time, host, solver, version, algorithm, engine, device, options, instance, "
    "checksum, rows, columns, nonzeros, status, verdict, proved, objective, iterations, seconds, "
    "primal_residual, dual_residual, complementarity, message";

/// What stands in the columns behind id, batch and time.
auto fieldsOf(auto& run) {
  return std::tie(run.host, run.solver, run.version, run.algorithm, run.engine, run.device,
                  run.options, run.instance, run.checksum, run.rows, run.columns, run.nonzeros,
                  run.status, run.verdict, run.proved, run.objective, run.iterations, run.seconds,
                  run.primal, run.dual, run.complementarity, run.message);
}

RunRecord readRecord(SqliteStatement& row) {
  RunRecord run;
  row.read(run.id, run.batch, run.time);
  std::apply([&](auto&... fields) { row.read(fields...); }, fieldsOf(run));
  return run;
}

template <class... Values>
std::vector<RunRecord> readAll(SqliteStatement& rows, Values const&... values) {
  std::vector<RunRecord> runs;
  for (bool more = rows.run(values...); more; more = rows.step()) runs.push_back(readRecord(rows));
  return runs;
}

}  // namespace

RunDatabase::RunDatabase(std::string const& path, Mode mode)
    : database_(path, mode, schema, "runs") {}

std::int64_t RunDatabase::beginBatch(std::string const& command) {
  database_
      .prepare(
          "insert into batches(time, command) values(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?)")
      .run(command);
  return database_.lastRow();
}

std::int64_t RunDatabase::lastBatch(std::string const& command) {
  SqliteStatement select =
      database_.prepare("select coalesce(max(id), 0) from batches where command = ?");
  std::int64_t batch = 0;
  if (select.run(command)) select.read(batch);
  return batch;
}

bool RunDatabase::has(RunRecord const& run) {
  return database_
      .prepare(
          "select 1 from runs where batch = ? and instance = ? and checksum = ? and "
          "solver = ? and algorithm = ? and options = ?")
      .run(run.batch, run.instance, run.checksum, run.solver, run.algorithm, run.options);
}

void RunDatabase::add(std::string const& path) {
  { RunDatabase const readable(path, Mode::read); }  // says what is wrong with a file
  database_.prepare("attach database ? as other").run(path);
  std::int64_t before = 0;
  {
    SqliteStatement select = database_.prepare("select coalesce(max(id), 0) from main.batches");
    if (select.step()) select.read(before);
  }
  database_.prepare("begin").step();
  database_
      .prepare(
          "insert into main.batches(id, time, command) "
          "select id + ?, time, command from other.batches")
      .run(before);
  std::string const columns = std::string(columnList).substr(std::strlen("id, batch, "));
  database_
      .prepare("insert into main.runs(batch, " + columns + ") select batch + ?, " + columns +
               " from other.runs order by id")
      .run(before);
  database_.prepare("commit").step();
  database_.prepare("detach database other").step();
}

void RunDatabase::store(RunRecord const& run) {
  auto const fields = fieldsOf(run);
  std::string insert = concat("insert into runs(", columnList,
                              ") values(null, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')");
  for (std::size_t k = 0; k < std::tuple_size_v<decltype(fields)>; ++k) insert += ", ?";
  SqliteStatement statement = database_.prepare(insert + ")");
  std::apply([&](auto const&... values) { statement.run(run.batch, values...); }, fields);
}

std::optional<RunRecord> RunDatabase::previous(RunRecord const& run) {
  SqliteStatement select = database_.prepare(
      concat("select ", columnList,
             " from runs where instance = ? and checksum = ? and solver = ? and "
             "algorithm = ? and options = ? and batch < ? order by id desc limit 1"));
  if (!select.run(run.instance, run.checksum, run.solver, run.algorithm, run.options, run.batch))
    return std::nullopt;
  return readRecord(select);
}

std::vector<RunRecord> RunDatabase::latestRuns(std::int64_t batch) {
  SqliteStatement select =
      database_.prepare(concat("select ", columnList,
                               " from runs where id in (select max(id) from runs where ? = 0 or "
                               "batch <= ? group by instance, solver, algorithm) "
                               "order by instance, solver, algorithm"));
  return readAll(select, batch, batch);
}

std::vector<RunRecord> RunDatabase::allRuns() {
  SqliteStatement select =
      database_.prepare(concat("select ", columnList, " from runs order by id"));
  return readAll(select);
}

}  // namespace osi_cuda::cli
