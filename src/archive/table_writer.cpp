// SPDX-License-Identifier: MIT
#include "archive/table_writer.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "hdf5/attribute.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

hdf5::Element element_of(TableId id, const Column& column) {
  switch (column.type) {
    case ColumnType::integer:
      return hdf5::Element::integer;
    case ColumnType::real:
      return hdf5::Element::real;
    case ColumnType::text:
      return stored_as_text(id, column.name) ? hdf5::Element::text : hdf5::Element::code;
  }
  throw fault("a column without a type", column_path(id, column.name));
}

}  // namespace

void TableWriter::see(ColumnState& state, const TextColumn& text) const {
  const bool whole = stored_as_text(id_, state.column.name);  // hardly repeats: only its width is kept
  std::vector<bool> seen(text.names.size());
  for (const std::int32_t code : text.codes) seen.at(static_cast<std::size_t>(code)) = true;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i]) continue;
    state.width = std::max(state.width, text.names[i].size());
    if (!whole) state.texts.insert(text.names[i]);
  }
}

void TableWriter::see(const TableData& table) {
  std::size_t next = 0;  // where a column that is new would stand
  for (const Column& column : table.columns) {
    const auto place =
        std::ranges::find_if(columns_, [&](const ColumnState& state) { return state.column.name == column.name; });
    if (place == columns_.end()) {
      ColumnState fresh{column, {}};
      if (column.type == ColumnType::text && rows_ > 0) fresh.texts.insert("");  // of the runs before
      columns_.insert(columns_.begin() + static_cast<std::ptrdiff_t>(next++), std::move(fresh));
      continue;
    }
    if (place->column.type != column.type) throw fault("runs of different types in " + column_path(id_, column.name));
    next = static_cast<std::size_t>(place - columns_.begin()) + 1;
  }
  for (ColumnState& state : columns_) {
    if (state.column.type != ColumnType::text || table.rows() == 0) continue;
    if (const ColumnValues* values = table.find(state.column.name)) {
      see(state, std::get<TextColumn>(*values));
    } else {
      state.texts.insert("");
    }
  }
  rows_ += table.rows();
}

void TableWriter::begin(ColumnState& state, hdf5::File& file) const {
  const Column& column = state.column;
  const std::string path = column_path(id_, column.name);
  const hdf5::Element element = element_of(id_, column);
  state.out = std::make_unique<hdf5::Stream>(
      hdf5::Stream(file, path, element, rows_, {column.units, column.long_name}, state.width));
  if (element != hdf5::Element::code) return;
  write_attribute(file, path, "names", names_path(id_, column.name));
  for (const std::string& text : state.texts) {
    state.codes.emplace(text, static_cast<std::int32_t>(state.codes.size()));
  }
  write_flags(file, path, std::vector<std::string>(state.texts.begin(), state.texts.end()));
}

void TableWriter::begin(hdf5::File& file) {
  for (ColumnState& state : columns_) begin(state, file);
}

void TableWriter::add(const ColumnState& state, const ColumnValues& values) const {
  if (const auto* text = std::get_if<TextColumn>(&values)) {
    if (stored_as_text(id_, state.column.name)) {
      std::vector<std::string> texts;
      for (std::size_t row = 0; row < text->codes.size(); ++row) texts.push_back(text->at(row));
      return state.out->append(texts);
    }
    std::vector<std::int32_t> recoded, codes;  // by old code; names that no row has get none
    for (const std::string& old : text->names) recoded.push_back(state.codes.contains(old) ? state.codes.at(old) : -1);
    for (const std::int32_t code : text->codes) codes.push_back(recoded.at(static_cast<std::size_t>(code)));
    return state.out->append(codes);
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) return state.out->append(*integers);
  state.out->append(std::get<std::vector<double>>(values));
}

void TableWriter::add_absent(const ColumnState& state, std::size_t rows) const {
  switch (element_of(id_, state.column)) {
    case hdf5::Element::integer:
      return state.out->append(std::vector<std::int64_t>(rows, 0));
    case hdf5::Element::code:
      return state.out->append(std::vector<std::int32_t>(rows, state.codes.at("")));
    case hdf5::Element::text:
      return state.out->append(std::vector<std::string>(rows));
    default:
      return state.out->append(std::vector<double>(rows, nan));
  }
}

void TableWriter::add(const TableData& table, const std::map<std::string, ColumnValues>& instead) {
  if (table.rows() == 0) return;
  for (const ColumnState& state : columns_) {
    const auto other = instead.find(state.column.name);
    const ColumnValues* values = other == instead.end() ? table.find(state.column.name) : &other->second;
    if (values == nullptr) {
      add_absent(state, table.rows());
    } else if (size(*values) != table.rows()) {
      throw fault(std::string("columns of different lengths in ") + table_of(id_).name);
    } else {
      add(state, *values);
    }
  }
}

void TableWriter::end(hdf5::File& file) {
  if (columns_.empty()) return;
  std::vector<std::string> names, paths;
  for (ColumnState& state : columns_) {
    names.push_back(state.column.name);
    paths.push_back(column_path(id_, state.column.name));
    state.out->close();
    if (element_of(id_, state.column) != hdf5::Element::code) continue;
    const std::vector<std::string> texts(state.texts.begin(), state.texts.end());
    write_dataset(file, names_path(id_, state.column.name), texts,
                  {"1", "The texts that the codes in " + paths.back() + " stand for."});
    share_rows(file, names_path(id_, state.column.name), {names_path(id_, state.column.name)});
  }
  const Table& table = table_of(id_);
  write_attribute(file, table.group, table.column_list, names);
  share_rows(file, std::string(table.group) + "/" + table.scale, paths);
}

}  // namespace palstudy
