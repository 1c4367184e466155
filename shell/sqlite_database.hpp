// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "shell/sqlite_statement.hpp"

namespace osi_cuda::shell {

/// An open SQLite file. Members throw Failure with SQLite's words: noInput where a file to read
/// can't be read, cannotWrite otherwise.
class SqliteDatabase {
 public:
  enum class Mode { read, write };

  /// With Mode::write: makes the file if it is missing and runs `schema`, statements that do no
  /// harm the second time. With Mode::read the table `mustHave` has to be there.
  SqliteDatabase(std::string const& path, Mode mode, std::string const& schema,
                 std::string const& mustHave);
  ~SqliteDatabase();
  SqliteDatabase(SqliteDatabase const&) = delete;
  SqliteDatabase& operator=(SqliteDatabase const&) = delete;

  SqliteStatement prepare(std::string const& sql) const { return {handle_, path_, sql}; }
  /// The number of the row that was inserted last.
  std::int64_t lastRow() const;

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

}  // namespace osi_cuda::shell
