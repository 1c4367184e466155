// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

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

  /// Binds these one after the other and takes the first step.
  template <class... Values>
  bool run(Values const&... values) {
    (bind(valueOf(values)), ...);
    return step();
  }

  /// True when there is a row to read.
  bool step();

  /// The next columns of the row into these variables, in order.
  template <class... Values>
  void read(Values&... values) {
    (get(values), ...);
  }

 private:
  using Value = std::variant<std::monostate, std::string, std::int64_t, double>;
  static Value valueOf(std::optional<double> const& number) {
    return number ? Value(*number) : Value();
  }
  static Value valueOf(bool truth) { return std::int64_t{truth}; }
  static Value valueOf(auto const& value) { return value; }
  void bind(Value const& value);
  void get(std::string& text);
  void get(std::int64_t& number);
  void get(double& number);
  void get(std::optional<double>& number);
  void get(bool& truth);
  void check(int result) const;

  sqlite3* handle_;
  std::string const& path_;
  sqlite3_stmt* statement_ = nullptr;
  int parameter_ = 0;
  int column_ = 0;
};

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
