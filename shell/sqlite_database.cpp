// SPDX-License-Identifier: EPL-2.0
#include "shell/sqlite_database.hpp"

#include <sqlite3.h>

#include "shell/failure.hpp"

namespace osi_cuda::shell {
namespace {

constexpr int busyMilliseconds = 10'000;  // another process may be writing

}  // namespace

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
