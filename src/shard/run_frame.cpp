// SPDX-License-Identifier: MIT
#include "shard/run_frame.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/byte_stream.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

/// A column takes more memory than the few bytes that may claim it, hence a limit; no study has so many axes or
/// classes.
constexpr std::uint32_t column_limit = 1 << 16;

using Writer = ByteWriter;
using Reader = ByteReader;

void put(Writer& out, const std::vector<std::int64_t>& integers) { out.array(integers); }
void put(Writer& out, const std::vector<double>& reals) { out.array(reals); }
void put(Writer& out, const TextColumn& column) {
  out.value(static_cast<std::uint32_t>(column.names.size()));
  for (const std::string& name : column.names) out.text(name);
  out.array(column.codes);
}

void put(Writer& out, const TableData& table) {
  out.value(static_cast<std::uint32_t>(table.columns.size()));
  out.value(std::uint64_t{table.rows()});
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (size(table.values.at(i)) != table.rows()) throw fault("columns of one table differ in length");
    out.text(table.columns[i].name);
    out.value(static_cast<char>(table.columns[i].type));
    std::visit([&out](const auto& values) { put(out, values); }, table.values[i]);
  }
}

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

/// The description of a column: that of the schema, or a general one of a column that depends on the study.
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

std::vector<std::byte> encode_payload(const RunRecord& record, const InputSums& inputs) {
  Writer out;
  out.value(record.run);
  out.value(static_cast<std::uint8_t>(record.status));
  out.text(record.digest);
  out.text(record.reason);
  put(out, inputs);
  for (const Table& table : all_tables()) put(out, record.*table.data);
  return out.take();
}

namespace {

InputSums read_head(Reader& in, RunRecord& record) {
  record.run = in.value<std::int64_t>();
  const auto status = in.value<std::uint8_t>();
  if (status > static_cast<std::uint8_t>(RunStatus::failed)) in.fail("its status is neither done nor failed");
  record.status = status == 0 ? RunStatus::done : RunStatus::failed;
  record.digest = in.text();
  record.reason = in.text();
  return take_inputs(in);
}

}  // namespace

std::string decode_head(std::span<const std::byte> bytes, bool with_row, RunHead& head) {
  Reader in(bytes);
  head.inputs = read_head(in, head.record);
  static_assert(TableId::runs == TableId(0));
  if (with_row) head.record.runs = read_table(in, TableId::runs);
  return in.problem();
}

std::string decode_payload(std::span<const std::byte> bytes, RunRecord& record) {
  Reader in(bytes);
  (void)read_head(in, record);
  for (const Table& table : all_tables()) record.*table.data = read_table(in, table.id);
  if (in.good() && in.left() > 0) in.fail("bytes follow its last column");
  return in.problem();
}

std::uint64_t schema_hash() {
  static const std::uint64_t hash = [] {
    std::string all = "palstudy-shard-2\n";
    for (const Column& column : schema_columns()) {
      all += std::to_string(static_cast<int>(column.table)) + ' ' + column.name + ' ' + static_cast<char>(column.type);
      all += '\n';
    }
    return XXH3_64bits(all.data(), all.size());
  }();
  return hash;
}

FrameKind run_frames() { return {{'P', 'A', 'L', 'S', 'H', 'R', 'D', '2'}, schema_hash()}; }

std::vector<std::byte> encode_frame(const RunRecord& record, const InputSums& inputs) {
  return pack_frame(run_frames(), record.id, encode_payload(record, inputs));
}

}  // namespace palstudy
