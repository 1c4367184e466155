// SPDX-License-Identifier: EPL-2.0
#include "cli/run_database.hpp"

#include <sqlite3.h>

#include "shell/failure.hpp"
#include "shell/sqlite_statement.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

constexpr int schemaVersion = 1;
constexpr int busyMilliseconds = 10'000;  // another process may be writing

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
)";

constexpr char columnList[] =
    "id, batch, time, host, solver, version, algorithm, engine, device, options, instance, "
    "checksum, rows, columns, nonzeros, status, verdict, proved, objective, iterations, seconds, "
    "primal_residual, dual_residual, complementarity, message";

RunRecord readRecord(SqliteStatement& row) {
  RunRecord run;
  run.id = row.integer();
  run.batch = row.integer();
  for (auto* field : {&run.time, &run.host, &run.solver, &run.version, &run.algorithm, &run.engine,
                      &run.device, &run.options, &run.instance, &run.checksum})
    *field = row.text();
  run.rows = row.integer();
  run.columns = row.integer();
  run.nonzeros = row.integer();
  run.status = row.text();
  run.verdict = row.text();
  run.proved = row.integer() != 0;
  run.objective = row.optionalReal();
  run.iterations = row.integer();
  run.seconds = row.real();
  run.primal = row.optionalReal();
  run.dual = row.optionalReal();
  run.complementarity = row.optionalReal();
  run.message = row.text();
  return run;
}

std::vector<RunRecord> readAll(SqliteStatement& rows) {
  std::vector<RunRecord> runs;
  while (rows.step()) runs.push_back(readRecord(rows));
  return runs;
}

}  // namespace

RunDatabase::RunDatabase(std::string const& path, Mode mode) : path_(path) {
  int const flags =
      mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  auto const fail = [&] {
    std::string const sentence = "database '" + path + "': " + sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw Failure(mode == Mode::read ? ExitStatus::noInput : ExitStatus::cannotWrite, sentence);
  };
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) fail();
  sqlite3_busy_timeout(handle_, busyMilliseconds);
  if (mode == Mode::write) {
    std::string const text =
        schema + ("pragma user_version = " + std::to_string(schemaVersion)) + ";";
    if (sqlite3_exec(handle_, text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  } else if (sqlite3_exec(handle_, "select count(*) from runs", nullptr, nullptr, nullptr) !=
             SQLITE_OK) {
    fail();
  }
}

RunDatabase::~RunDatabase() {
  sqlite3_close(handle_);
}

std::int64_t RunDatabase::beginBatch(std::string const& command) {
  SqliteStatement insert(handle_, path_,
                         "insert into batches(time, command) "
                         "values(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?)");
  insert.bind(command).step();
  return sqlite3_last_insert_rowid(handle_);
}

void RunDatabase::store(RunRecord const& run) {
  SqliteStatement insert(handle_, path_,
                         std::string("insert into runs(") + columnList +
                             ") values(null, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), "
                             "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(run.batch).bind(run.host).bind(run.solver).bind(run.version).bind(run.algorithm);
  insert.bind(run.engine).bind(run.device).bind(run.options).bind(run.instance);
  insert.bind(run.checksum).bind(run.rows).bind(run.columns).bind(run.nonzeros);
  insert.bind(run.status).bind(run.verdict).bind(std::int64_t{run.proved}).bind(run.objective);
  insert.bind(run.iterations).bind(run.seconds).bind(run.primal).bind(run.dual);
  insert.bind(run.complementarity).bind(run.message).step();
}

std::optional<RunRecord> RunDatabase::previous(RunRecord const& run) {
  SqliteStatement select(
      handle_, path_,
      std::string("select ") + columnList +
          " from runs where instance = ? and checksum = ? and solver = ? and "
          "algorithm = ? and options = ? and batch < ? order by id desc limit 1");
  select.bind(run.instance).bind(run.checksum).bind(run.solver).bind(run.algorithm);
  select.bind(run.options).bind(run.batch);
  if (!select.step()) return std::nullopt;
  return readRecord(select);
}

std::vector<RunRecord> RunDatabase::latestRuns(std::int64_t batch) {
  SqliteStatement select(handle_, path_,
                         std::string("select ") + columnList +
                             " from runs where id in (select max(id) from runs where ? = 0 or "
                             "batch <= ? group by instance, solver, algorithm) "
                             "order by instance, solver, algorithm");
  select.bind(batch).bind(batch);
  return readAll(select);
}

std::vector<RunRecord> RunDatabase::allRuns() {
  SqliteStatement select(handle_, path_,
                         std::string("select ") + columnList + " from runs order by id");
  return readAll(select);
}

}  // namespace osi_cuda::cli
