// SPDX-License-Identifier: MIT
#include "archive/frame.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

#include "core/error.hpp"

namespace palstudy {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

/// A column takes more memory than the few bytes that may claim it, hence a limit; no study has so many axes or
/// classes.
constexpr std::uint32_t column_limit = 1 << 16;

/// The tables of a record, in the order in which a frame holds them.
struct TablePlace {
  TableId id;
  TableData RunRecord::*data;
};
constexpr std::array<TablePlace, 7> places = {{{TableId::runs, &RunRecord::runs},
                                               {TableId::jobs, &RunRecord::jobs},
                                               {TableId::events, &RunRecord::events},
                                               {TableId::event_gpus, &RunRecord::event_gpus},
                                               {TableId::rounds, &RunRecord::rounds},
                                               {TableId::nodes, &RunRecord::nodes},
                                               {TableId::provenance_runs, &RunRecord::provenance}}};

class Writer {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), begin, begin + size);
  }
  template <class T>
  void value(T number) {
    bytes(&number, sizeof number);
  }
  void text(const std::string& text) {
    value(static_cast<std::uint32_t>(text.size()));
    bytes(text.data(), text.size());
  }
  void values(const std::vector<std::int64_t>& integers) { bytes(integers.data(), integers.size() * 8); }
  void values(const std::vector<double>& reals) { bytes(reals.data(), reals.size() * 8); }
  void values(const TextColumn& column) {
    value(static_cast<std::uint32_t>(column.names.size()));
    for (const std::string& name : column.names) text(name);
    bytes(column.codes.data(), column.codes.size() * 4);
  }
  void table(const TableData& table) {
    value(static_cast<std::uint32_t>(table.columns.size()));
    value(std::uint64_t{table.rows()});
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (size(table.values.at(i)) != table.rows()) throw fault("columns of one table differ in length");
      text(table.columns[i].name);
      value(static_cast<char>(table.columns[i].type));
      std::visit([this](const auto& v) { values(v); }, table.values[i]);
    }
  }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  std::vector<std::byte> out_;
};

/// Every count is held against the bytes that are left before anything is allocated. After the first thing that does
/// not fit, `problem` says what, and all reads give zeros.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
  [[nodiscard]] bool good() const { return problem_.empty(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::size_t left() const { return left_.size(); }
  void fail(const char* why) {
    if (problem_.empty()) problem_ = why;
    left_ = {};
  }
  /// Whether `count` things of at least `size` bytes can be there.
  bool fits(std::uint64_t count, std::size_t size) {
    if (good() && count <= left_.size() / size) return true;
    fail("it ends before its last column");
    return false;
  }
  template <class T>
  T value() {
    T number{};
    if (fits(1, sizeof number)) take(&number, sizeof number);
    return number;
  }
  template <class T>
  std::vector<T> array(std::uint64_t count) {
    if (!fits(count, sizeof(T))) return {};
    std::vector<T> all(static_cast<std::size_t>(count));
    take(all.data(), all.size() * sizeof(T));
    return all;
  }
  std::string text() {
    const auto size = value<std::uint32_t>();
    if (!fits(size, 1)) return {};
    std::string all(size, '\0');
    take(all.data(), size);
    return all;
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }
  std::span<const std::byte> left_;
  std::string problem_;
};

TextColumn read_text_column(Reader& in, std::uint64_t rows) {
  TextColumn column;
  const auto names = in.value<std::uint32_t>();
  if (!in.fits(names, 4)) return {};  // each name has at least its length
  for (std::uint32_t i = 0; i < names && in.good(); ++i) column.names.push_back(in.text());
  column.codes = in.array<std::int32_t>(rows);
  for (const std::int32_t code : column.codes) {
    if (code < 0 || static_cast<std::uint32_t>(code) >= names) {
      in.fail("a text column holds a code without a name");
      return {};
    }
  }
  return column;
}

/// What the schema says of a column, or, of those that depend on the study, what can be said of any.
bool describe(TableId table, const std::string& name, char type, Column& column) {
  if (type != 'i' && type != 'f' && type != 's') return false;
  const auto kind = static_cast<ColumnType>(type);
  constexpr std::string_view slowdown = "slowdown_";
  if (const Column* fixed = find_column(table, name)) {
    column = *fixed;
  } else if (table == TableId::runs) {
    column = axis_column(name, kind);
  } else if (table == TableId::nodes && name.starts_with(slowdown)) {
    column = slowdown_column(name.substr(slowdown.size()));
  } else {
    return false;
  }
  return column.type == kind;
}

TableData read_table(Reader& in, TableId id) {
  TableData table;
  const auto columns = in.value<std::uint32_t>();
  const auto rows = in.value<std::uint64_t>();
  if (columns > column_limit) in.fail("it has more columns than a table can have");
  for (std::uint32_t i = 0; i < columns && in.good(); ++i) {
    Column column;
    const std::string name = in.text();
    const char type = in.value<char>();
    if (!in.good()) break;
    if (!describe(id, name, type, column)) {
      in.fail("it has a column that the schema does not");
      break;
    }
    table.columns.push_back(std::move(column));
    if (type == 'i') table.values.emplace_back(in.array<std::int64_t>(rows));
    if (type == 'f') table.values.emplace_back(in.array<double>(rows));
    if (type == 's') table.values.emplace_back(read_text_column(in, rows));
  }
  if (columns == 0 && rows > 0) in.fail("it has rows without columns");
  return table;
}

}  // namespace

std::vector<std::byte> encode_payload(const RunRecord& record) {
  Writer out;
  out.value(record.run);
  out.value(static_cast<std::uint8_t>(record.status));
  out.text(record.digest);
  out.text(record.reason);
  for (const TablePlace& place : places) out.table(record.*place.data);
  return out.take();
}

std::string decode_payload(std::span<const std::byte> bytes, RunRecord& record) {
  Reader in(bytes);
  record.run = in.value<std::int64_t>();
  const auto status = in.value<std::uint8_t>();
  if (status > static_cast<std::uint8_t>(RunStatus::failed)) in.fail("its status is neither done nor failed");
  record.status = status == 0 ? RunStatus::done : RunStatus::failed;
  record.digest = in.text();
  record.reason = in.text();
  for (const TablePlace& place : places) record.*place.data = read_table(in, place.id);
  if (in.good() && in.left() > 0) in.fail("it goes on after its last column");
  return in.problem();
}

std::uint64_t schema_hash() {
  static const std::uint64_t hash = [] {
    std::string all = "palstudy-shard-1\n";
    for (const Column& column : schema_columns()) {
      all += std::to_string(static_cast<int>(column.table)) + ' ' + column.name + ' ' + static_cast<char>(column.type);
      all += '\n';
    }
    return XXH3_64bits(all.data(), all.size());
  }();
  return hash;
}

}  // namespace palstudy
