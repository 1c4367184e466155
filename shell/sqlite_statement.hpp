// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace osi_cuda::shell {

/// One prepared statement; parameters and columns are visited in order. Members throw the Failure
/// `cannotWrite` with SQLite's words. `path`, for the message, must outlive it.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* handle, std::string const& path, std::string const& sql);
  ~SqliteStatement();
  SqliteStatement(SqliteStatement const&) = delete;
  SqliteStatement& operator=(SqliteStatement const&) = delete;

  SqliteStatement& bind(std::string const& text);
  SqliteStatement& bind(std::int64_t number);
  SqliteStatement& bind(double number);
  SqliteStatement& bind(std::optional<double> number);

  /// True when there is a row to read.
  bool step();

  std::string text();
  std::int64_t integer();
  double real();
  std::optional<double> optionalReal();

 private:
  void check(int result) const;

  sqlite3* handle_;
  std::string const& path_;
  sqlite3_stmt* statement_ = nullptr;
  int parameter_ = 0;
  int column_ = 0;
};

}  // namespace osi_cuda::shell
