// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace palstudy {

/// A table lacks a column. It may be a table of another kind; a caller that knows which kinds there are adds that.
struct MissingColumn : Error {
  using Error::Error;
};

/// A CSV file with a header line, read whole: fields may be quoted (but not run over several lines), spaces around a
/// field do not count, lines end in LF or CRLF, blank lines are skipped, a UTF-8 byte order mark too.
/// Between the fields are commas; or, where the header line has none, what it has of semicolons, tabs and bars.
/// Ours and not a library's because every refusal has to name file, line and column, and doubles have to be rounded
/// correctly.
class CsvTable {
 public:
  /// Reads `path`, also where gzip has packed it. Errors (data, file:line:column): cannot be read, empty, binary
  /// (control bytes, not UTF-8), a quote that is not closed, a doubled column, a row whose number of fields is not the
  /// header's. No rows are no error here.
  static CsvTable read(const std::filesystem::path& path);
  /// Parses text in memory; `name` replaces the file name in messages.
  static CsvTable parse(std::string text, std::string name);
  /// Parses a text without a header line; `header` names its columns.
  static CsvTable parse(std::string text, std::string name, std::vector<std::string> header);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }

  /// Position of a column that must be there; the error lists those that are.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  [[nodiscard]] bool has_column(std::string_view name) const;

  [[nodiscard]] std::string_view text(std::size_t row, std::size_t column) const;
  /// A finite number; a NaN, an infinity or text is a data error at its place.
  [[nodiscard]] double number(std::size_t row, std::size_t column) const;
  /// A whole number: 3, and also 3.0 or 3e2 up to 2^53; all else is a data error at its place.
  [[nodiscard]] long long integer(std::size_t row, std::size_t column) const;
  /// An integer within [least, most], else a data error at its place.
  [[nodiscard]] long long integer(std::size_t row, std::size_t column, long long least, long long most) const;

  /// A number within [least, most], else a data error at its place.
  [[nodiscard]] double number(std::size_t row, std::size_t column, double least, double most) const;

  /// "file:line:column" of a field, for messages.
  [[nodiscard]] std::string where(std::size_t row, std::size_t column) const;
  /// The line of a row and where in it a field begins, from 1.
  [[nodiscard]] std::size_t line(std::size_t row) const { return rows_[row].line; }
  [[nodiscard]] std::size_t place_in_line(std::size_t row, std::size_t column) const {
    return fields_[rows_[row].first_field + column].column;
  }

 private:
  void add_line(std::size_t line, std::size_t begin, std::size_t end);

  struct Field {
    std::size_t begin, size;  // in text_
    std::size_t column;       // 1-based place in its line
  };
  struct Row {
    std::size_t line;         // 1-based
    std::size_t first_field;  // in fields_
  };
  std::string name_;
  std::string text_;  // quotes already taken out in place
  char separator_ = ',';
  std::vector<std::string> header_;
  std::size_t header_line_ = 0;  // 1-based; 0 where the text has none
  std::vector<Field> fields_;
  std::vector<Row> rows_;
};

}  // namespace palstudy
