// SPDX-License-Identifier: MIT
#include "core/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

std::string at(const std::string& name, std::size_t line, std::size_t column) {
  return fmt::format("{}:{}:{}", name, line, column);
}

/// A field as it is shown in a message: in quotes, and short.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}...\"", text.substr(0, most));
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

constexpr std::string_view separators = ",;\t|";  // the first that is in the header line, outside of quotes

char separator_of(std::string_view header) {
  std::size_t first = separators.size();
  bool quoted = false;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (!quoted) first = std::min(first, separators.find(c));
  }
  return first < separators.size() ? separators[first] : separators.front();
}

const char* separator_name(char separator) {
  return separator == ',' ? "comma" : separator == ';' ? "semicolon" : separator == '\t' ? "tab" : "bar";
}

/// How many bytes the UTF-8 character at `text[i]` has; 0 if it is none, or a control character that no text file has.
std::size_t character_size(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = byte(i);
  if (first == '\t' || first == '\n') return 1;
  if (first == '\r') return i + 1 == text.size() || text[i + 1] == '\n' ? 1 : 0;
  if (first < 0x20 || first == 0x7F) return 0;
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(i + k) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned second = byte(i + 1);  // overlong forms, surrogates and what lies over U+10FFFF
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return size;
}

void refuse_binary(std::string_view text, const std::string& name) {
  std::size_t line = 1, line_begin = 0, i = 0;
  while (i < text.size()) {
    const std::size_t size = character_size(text, i);
    if (size == 0) {
      throw data_error(fmt::format("byte 0x{:02X} is not text", static_cast<unsigned char>(text[i])),
                       at(name, line, i - line_begin + 1),
                       "write CSV: UTF-8 text, one row a line, lines ending in LF or CRLF");
    }
    if (text[i] == '\n') {
      ++line;
      line_begin = i + 1;
    }
    i += size;
  }
}

/// Takes one line apart. The text of a quoted field is moved together in place, over its quotes.
class LineParser {
 public:
  struct Found {
    std::size_t begin, size, column;
  };

  LineParser(std::string& text, const std::string& name, char separator, std::size_t line, std::size_t begin,
             std::size_t end)
      : text_(text), name_(name), separator_(separator), line_(line), begin_(begin), end_(end), i_(begin) {}

  /// The next field; there is at least one.
  Found next() {
    skip_space();
    const Found found = i_ < end_ && text_[i_] == '"' ? quoted() : plain();
    done_ = i_ == end_;
    if (!done_) ++i_;  // the separator
    return found;
  }
  [[nodiscard]] bool done() const { return done_; }

 private:
  [[nodiscard]] bool space(char c) const { return is_space(c) && c != separator_; }
  void skip_space() {
    while (i_ < end_ && space(text_[i_])) ++i_;
  }

  Found plain() {
    const std::size_t first = i_;
    while (i_ < end_ && text_[i_] != separator_) ++i_;
    std::size_t last = i_;
    while (last > first && space(text_[last - 1])) --last;
    return {first, last - first, first - begin_ + 1};
  }

  Found quoted() {
    const std::size_t quote = i_++;
    std::size_t written = i_;
    for (;; ++i_) {
      if (i_ >= end_) {
        throw data_error("this quote is not closed on its line", at(name_, line_, quote - begin_ + 1),
                         "close it; a quote inside a field is written twice");
      }
      if (text_[i_] == '"') {
        if (i_ + 1 >= end_ || text_[i_ + 1] != '"') break;
        ++i_;
      }
      text_[written++] = text_[i_];
    }
    ++i_;
    skip_space();
    if (i_ < end_ && text_[i_] != separator_) {
      throw data_error(
          "text after a closing quote", at(name_, line_, i_ - begin_ + 1),
          fmt::format("a {} has to follow; a quote inside a field is written twice", separator_name(separator_)));
    }
    return {quote + 1, written - quote - 1, quote - begin_ + 1};
  }

  std::string& text_;
  const std::string& name_;
  char separator_;
  std::size_t line_, begin_, end_, i_;
  bool done_ = false;
};

bool is_blank(std::string_view line) { return std::ranges::all_of(line, is_space); }

void refuse_doubled_columns(const std::vector<std::string>& header, const std::string& name, std::size_t line) {
  std::set<std::string_view> seen;
  for (const auto& column : header) {
    if (!seen.insert(column).second) {
      throw data_error(fmt::format("the column {} is there twice", shown(column)), fmt::format("{}:{}", name, line),
                       "give every column a name of its own");
    }
  }
}

}  // namespace

CsvTable CsvTable::read(const std::filesystem::path& path) { return parse(read_text_file(path), path.string()); }

CsvTable CsvTable::parse(std::string text, std::string name) { return parse(std::move(text), std::move(name), {}); }

CsvTable CsvTable::parse(std::string text, std::string name, std::vector<std::string> header) {
  if (text.size() > text_size_limit) throw data_error("is larger than 2 GiB", name, "split it");
  CsvTable table;
  table.name_ = std::move(name);
  table.header_ = std::move(header);
  table.text_ = std::move(text);
  if (table.text_.starts_with(byte_order_mark)) table.text_.erase(0, byte_order_mark.size());
  refuse_binary(table.text_, table.name_);
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < table.text_.size(); ++line) {
    const std::size_t newline = std::min(table.text_.find('\n', begin), table.text_.size());
    const std::size_t end = newline > begin && table.text_[newline - 1] == '\r' ? newline - 1 : newline;
    if (!is_blank(std::string_view(table.text_).substr(begin, end - begin))) table.add_line(line, begin, end);
    begin = newline + 1;
  }
  if (table.header_.empty()) {
    throw data_error("is empty", table.name_, "a CSV file begins with a line that names its columns");
  }
  return table;
}

void CsvTable::add_line(std::size_t line, std::size_t begin, std::size_t end) {
  const bool is_header = header_.empty();
  if (is_header) separator_ = separator_of(std::string_view(text_).substr(begin, end - begin));
  LineParser parser(text_, name_, separator_, line, begin, end);
  const std::size_t first = fields_.size();
  while (!parser.done()) {
    const auto field = parser.next();
    if (is_header) {
      header_.emplace_back(text_, field.begin, field.size);
    } else {
      fields_.push_back({field.begin, field.size, field.column});
    }
  }
  if (is_header) {
    header_line_ = line;
    if (header_.front().starts_with('#')) {
      throw data_error("begins with a comment", fmt::format("{}:{}", name_, line),
                       "a CSV file begins with a line that names its columns; take the comment out");
    }
    return refuse_doubled_columns(header_, name_, line);
  }
  const std::size_t count = fields_.size() - first;
  if (count != header_.size()) {
    const std::size_t place = count > header_.size() ? fields_[first + header_.size()].column : end - begin + 1;
    const bool named = header_line_ > 0;
    throw data_error(fmt::format("{} fields where {} {} columns", count,
                                 named ? fmt::format("the header in line {} names", header_line_) : "the format has",
                                 header_.size()),
                     at(name_, line, place),
                     fmt::format("give each row one field a column ({}), with quotes around a field that has a {}",
                                 join(header_), separator_name(separator_)));
  }
  rows_.push_back({line, first});
}

bool CsvTable::has_column(std::string_view name) const { return std::ranges::find(header_, name) != header_.end(); }

std::size_t CsvTable::column(std::string_view name) const {
  const auto place = std::ranges::find(header_, name);
  if (place == header_.end()) {
    throw MissingColumn(ErrorCode::data, fmt::format("the header names no column \"{}\"", name),
                        fmt::format("{}:{}", name_, header_line_), "its columns: " + join(header_));
  }
  return static_cast<std::size_t>(place - header_.begin());
}

std::string_view CsvTable::text(std::size_t row, std::size_t column) const {
  const Field& field = fields_[rows_[row].first_field + column];
  return std::string_view(text_).substr(field.begin, field.size);
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  const auto value = parse_double(text(row, column));
  if (!value || !std::isfinite(*value)) {
    throw data_error(fmt::format("{} is not a finite number", shown(text(row, column))), where(row, column),
                     fmt::format("the column {} holds numbers", shown(header_[column])));
  }
  return *value;
}

long long CsvTable::integer(std::size_t row, std::size_t column) const {
  if (const auto value = parse_integer(text(row, column))) return *value;
  const auto value = parse_double(text(row, column));
  const bool finite = value && std::isfinite(*value);
  if (beyond_64_bits(text(row, column)) ||
      (finite && std::trunc(*value) == *value && std::abs(*value) > largest_exact_integer)) {
    throw data_error(fmt::format("{} is too large for a whole number", shown(text(row, column))), where(row, column),
                     "written in digits they go from -9223372036854775808 to 9223372036854775807, with a point or an "
                     "exponent to 9007199254740992");
  }
  if (!finite || std::trunc(*value) != *value) {
    throw data_error(fmt::format("{} is not a whole number", shown(text(row, column))), where(row, column),
                     fmt::format("the column {} holds whole numbers", shown(header_[column])));
  }
  return static_cast<long long>(*value);
}

long long CsvTable::integer(std::size_t row, std::size_t column, long long least, long long most) const {
  const long long value = integer(row, column);
  if (value < least || value > most) {
    throw data_error(fmt::format("{} is not within {} and {}", value, least, most), where(row, column),
                     fmt::format("correct the column {}", shown(header_[column])));
  }
  return value;
}

double CsvTable::number(std::size_t row, std::size_t column, double least, double most) const {
  const double value = number(row, column);
  if (value >= least && value <= most) return value;
  throw data_error(fmt::format("{} in column {}", shortest(value), header_[column]), where(row, column),
                   fmt::format("give a number from {} to {}", shortest(least), shortest(most)));
}

std::string CsvTable::where(std::size_t row, std::size_t column) const {
  const Row& place = rows_[row];
  return at(name_, place.line, fields_[place.first_field + column].column);
}

}  // namespace palstudy
