// SPDX-License-Identifier: EPL-2.0
#include "examples/response/experiments.hpp"

namespace osi_cuda::response {
namespace {

constexpr char schema[] = R"(
create table if not exists problem(
  id integer primary key, series text not null, name text not null, size real not null,
  unique(series, name));
create table if not exists form(
  id integer primary key, series text not null, name text not null, executor text not null,
  unique(series, name, executor));
create table if not exists measurement(
  id integer primary key, problem integer not null references problem(id),
  form integer not null references form(id), seconds real not null, bytes real not null,
  iterations real not null, error real not null, ok integer not null, note text not null,
  time text not null);
pragma user_version = 1;
)";

constexpr char selectLatest[] = R"(
select p.series, p.name, p.size, f.name, f.executor, m.seconds, m.bytes, m.iterations, m.error,
  m.ok, m.note
from measurement m join problem p on m.problem = p.id join form f on m.form = f.id
where m.id in (select max(id) from measurement group by problem, form)
order by p.series, p.size, p.name, f.id
)";

}  // namespace

MeasurementDatabase::MeasurementDatabase(std::string const& path, Mode mode)
    : database_(path, mode, schema, "measurement") {}

void MeasurementDatabase::store(Measurement const& m) {
  database_.prepare("insert or ignore into problem values(null, ?, ?, ?)")
      .run(m.series, m.problem, m.size);
  database_.prepare("insert or ignore into form values(null, ?, ?, ?)")
      .run(m.series, m.form, m.executor);
  database_
      .prepare(
          "insert into measurement select null, p.id, f.id, ?, ?, ?, ?, ?, ?, "
          "strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from problem p, form f where p.series = ? and "
          "p.name = ? and f.series = ? and f.name = ? and f.executor = ?")
      .run(m.seconds, m.bytes, m.iterations, m.error, m.ok, m.note, m.series, m.problem, m.series,
           m.form, m.executor);
}

std::vector<Measurement> MeasurementDatabase::latest() const {
  shell::SqliteStatement rows = database_.prepare(selectLatest);
  std::vector<Measurement> all;
  while (rows.step()) {
    Measurement& m = all.emplace_back();
    rows.read(m.series, m.problem, m.size, m.form, m.executor, m.seconds, m.bytes, m.iterations,
              m.error, m.ok, m.note);
  }
  return all;
}

}  // namespace osi_cuda::response
