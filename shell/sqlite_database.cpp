// SPDX-License-Identifier: EPL-2.0
#include "shell/sqlite_database.hpp"

#include <sqlite3.h>

#include "shell/failure.hpp"

namespace osi_cuda::shell {

SqliteStatement::SqliteStatement(sqlite3* handle, std::string const& path, std::string const& sql)
    : handle_(handle), path_(path) {
  check(sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement_, nullptr));
}

SqliteStatement::~SqliteStatement() {
  sqlite3_finalize(statement_);
}

void SqliteStatement::bind(Value const& value) {
  ++parameter_;
  if (auto const* const text = std::get_if<std::string>(&value))
    check(sqlite3_bind_text(statement_, parameter_, text->data(), static_cast<int>(text->size()),
                            SQLITE_TRANSIENT));
  else if (auto const* const whole = std::get_if<std::int64_t>(&value))
    check(sqlite3_bind_int64(statement_, parameter_, *whole));
  else if (auto const* const number = std::get_if<double>(&value))
    check(sqlite3_bind_double(statement_, parameter_, *number));
  else
    check(sqlite3_bind_null(statement_, parameter_));
}

bool SqliteStatement::step() {
  column_ = 0;
  int const result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) check(result);
  return false;
}

void SqliteStatement::get(std::string& text) {
  auto const* bytes = sqlite3_column_text(statement_, column_);
  auto const length = at(sqlite3_column_bytes(statement_, column_++));
  text = bytes ? std::string(reinterpret_cast<char const*>(bytes), length) : "";
}

void SqliteStatement::get(std::int64_t& number) {
  number = sqlite3_column_int64(statement_, column_++);
}

void SqliteStatement::get(double& number) {
  number = sqlite3_column_double(statement_, column_++);
}

void SqliteStatement::get(std::optional<double>& number) {
  bool const isThere = sqlite3_column_type(statement_, column_) != SQLITE_NULL;
  get(number.emplace());
  if (!isThere) number.reset();
}

void SqliteStatement::get(bool& truth) {
  truth = sqlite3_column_int64(statement_, column_++) != 0;
}

void SqliteStatement::check(int result) const {
  if (result == SQLITE_OK) return;
  throw Failure(ExitStatus::cannotWrite, "database '" + path_ + "': " + sqlite3_errmsg(handle_));
}

SqliteDatabase::SqliteDatabase(std::string const& path, Mode mode, std::string const& schema,
                               std::string const& mustHave)
    : path_(path) {
  bool const reading = mode == Mode::read;
  auto const mustWork = [&](int result) {
    if (result == SQLITE_OK) return;
    std::string const sentence = "database '" + path + "': " + sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw Failure(reading ? ExitStatus::noInput : ExitStatus::cannotWrite, sentence);
  };
  int const flags = reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  mustWork(sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr));
  constexpr int busyMilliseconds = 10'000;  // another process may be writing
  sqlite3_busy_timeout(handle_, busyMilliseconds);
  std::string const first = reading ? "select count(*) from " + mustHave : schema;
  mustWork(sqlite3_exec(handle_, first.c_str(), nullptr, nullptr, nullptr));
}

SqliteDatabase::~SqliteDatabase() {
  sqlite3_close(handle_);
}

std::int64_t SqliteDatabase::lastRow() const {
  return sqlite3_last_insert_rowid(handle_);
}

}  // namespace osi_cuda::shell
