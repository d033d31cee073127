// SPDX-License-Identifier: MIT
#include "archive/reader.hpp"

#include <algorithm>
#include <type_traits>

#include "archive/file_checks.hpp"
#include "archive/provenance.hpp"
#include "archive/value_json.hpp"
#include "core/error.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

using hdf5::Element;
using hdf5::File;

constexpr const char* damaged = "restore the archive from a copy or run the study again";

ColumnType type_of(const File& file, const std::string& path) {
  switch (element_of(file, path)) {
    case Element::integer:
      return ColumnType::integer;
    case Element::real:
      return ColumnType::real;
    case Element::code:
    case Element::text:
      return ColumnType::text;
    case Element::single:
      break;
  }
  throw data_error("the column is of a type that no archive of ours has", file.name() + ":" + path, damaged);
}

/// The description of a column: that of the schema, or of a column that depends on the study its own attributes.
Column describe(const File& file, TableId id, const std::string& name, const std::string& path) {
  const Column* fixed = find_column(id, name);
  if (fixed == nullptr) {
    return {id,
            name,
            join(read_attribute(file, path, "units")),
            join(read_attribute(file, path, "long_name")),
            type_of(file, path),
            id == TableId::runs};
  }
  if (fixed->type != type_of(file, path)) {
    throw data_error("the column is of another type than schema " + std::string(archive_schema_version) + " has",
                     file.name() + ":" + path, damaged);
  }
  return *fixed;
}

ColumnValues read_values(const File& file, ColumnType type, const std::string& path) {
  switch (type) {
    case ColumnType::integer:
      return read_integers(file, path);
    case ColumnType::real:
      return read_reals(file, path);
    case ColumnType::text:
      return read_text_column(file, path, damaged);
  }
  throw fault("a column of no type");
}

/// Before a value is read: a few bytes of a forged file may stand for very many.
void require_rows(const File& file, const std::string& path, std::size_t others) {
  const std::size_t rows = rows_of(file, path);
  if (rows == others) return;
  throw data_error("the column has " + std::to_string(rows) + " rows where others have " + std::to_string(others),
                   file.name() + ":" + path, damaged);
}

/// A value with its texts as a terminal may be given them.
Value shown_value(const Value& value) {
  return value.visit([](const auto& any) -> Value {
    using Any = std::decay_t<decltype(any)>;
    if constexpr (std::is_same_v<Any, std::string>) {
      return shown(any);
    } else if constexpr (std::is_same_v<Any, ValueList>) {
      ValueList list;
      for (const Value& one : any) list.push_back(shown_value(one));
      return list;
    } else if constexpr (std::is_same_v<Any, ValueRecord>) {
      ValueRecord record;
      for (const auto& [name, one] : any) record.emplace_back(name, shown_value(one));
      return record;
    } else if constexpr (std::is_same_v<Any, std::monostate>) {
      return {};
    } else {
      return any;
    }
  });
}

}  // namespace

TextColumn read_text_column(const File& file, const std::string& path, const char* advice) {
  TextColumn text;
  if (element_of(file, path) == Element::text) {
    text.names = read_texts(file, path);
    for (std::size_t i = 0; i < text.names.size(); ++i) text.codes.push_back(static_cast<std::int32_t>(i));
    return text;
  }
  const std::string names = join(read_attribute(file, path, "names"));
  if (names.empty() || names.front() != '/' || !file.exists(names)) {
    throw data_error("the names of the codes are missing", file.name() + ":" + path, advice);
  }
  const std::size_t rows = rows_of(file, path), named = rows_of(file, names);
  if (named > rows + 1) {  // each occurs, but for the empty one
    throw data_error(std::to_string(named) + " names for " + std::to_string(rows) + " rows", file.name() + ":" + names,
                     advice);
  }
  text.codes = read_codes(file, path);
  text.names = read_texts(file, names);
  for (const std::int32_t code : text.codes) {
    if (code < 0 || static_cast<std::size_t>(code) >= text.names.size()) {
      throw data_error("the code " + std::to_string(code) + " has no name in " + names, file.name() + ":" + path,
                       advice);
    }
  }
  return text;
}

struct ArchiveReader::State {
  File file;
  ArchiveTexts texts;

  [[nodiscard]] ColumnValues values(ColumnType type, const std::string& path) const {
    ColumnValues values = read_values(file, type, path);
    auto* column = std::get_if<TextColumn>(&values);
    if (column == nullptr || texts == ArchiveTexts::raw) return values;
    for (std::string& name : column->names) name = shown(name);
    return values;
  }
};

ArchiveReader::ArchiveReader(const std::filesystem::path& path, ArchiveTexts texts)
    : state_(std::make_unique<State>(State{File::open(path), texts})) {
  require_schema(state_->file, archive_schema_name, archive_schema_version, "archive", "palstudy run");
}
ArchiveReader::~ArchiveReader() = default;

bool ArchiveReader::has(TableId id) const { return !columns(id).empty(); }

std::vector<std::string> ArchiveReader::columns(TableId id) const {
  const Table& table = table_of(id);
  if (!state_->file.exists(table.group)) return {};
  return read_attribute(state_->file, table.group, table.column_list);
}

bool ArchiveReader::has_column(TableId id, const std::string& name) const {
  const auto there = columns(id);
  return std::ranges::find(there, name) != there.end();
}

ColumnValues ArchiveReader::column(TableId id, const std::string& name) const {
  const File& file = state_->file;
  const std::string path = column_path(id, name);
  if (!file.exists(path)) throw data_error("the column is missing", file.name() + ":" + path, damaged);
  // Whoever reads single columns takes them to be of one length.
  const std::string first = column_path(id, columns(id).at(0));
  if (file.exists(first)) require_rows(file, path, rows_of(file, first));
  return state_->values(describe(file, id, name, path).type, path);
}

TableData ArchiveReader::table(TableId id) const {
  const File& file = state_->file;
  const std::vector<std::string> names = columns(id);
  if (names.empty()) {
    throw data_error(std::string("the archive has no table ") + table_of(id).name, file.name(),
                     table_of(id).how_to_get);
  }
  TableData table;
  for (const std::string& name : names) {
    const std::string path = column_path(id, name);
    if (!file.exists(path)) throw data_error("the column is missing", file.name() + ":" + path, damaged);
    table.columns.push_back(describe(file, id, name, path));
    require_rows(file, path, rows_of(file, column_path(id, names.front())));
  }
  for (const Column& column : table.columns) {
    table.values.push_back(state_->values(column.type, column_path(id, column.name)));
  }
  return table;
}

std::string ArchiveReader::digest() const { return attribute("digest"); }

std::string ArchiveReader::attribute(const std::string& name) const {
  std::string text = join(read_attribute(state_->file, "/", name), "\n");
  return state_->texts == ArchiveTexts::raw ? text : shown_lines(text);
}

Value ArchiveReader::value(const std::string& name) const {
  const std::string text = join(read_attribute(state_->file, "/", name));
  if (text.empty()) return {};
  const auto value = value_of_json(text);
  if (!value) throw data_error("the attribute " + name + " is no JSON", state_->file.name() + ":/", damaged);
  return state_->texts == ArchiveTexts::raw ? *value : shown_value(*value);
}

std::vector<WordedNote> ArchiveReader::notes() const {
  std::vector<WordedNote> notes = read_notes(state_->file);
  if (state_->texts == ArchiveTexts::raw) return notes;
  for (WordedNote& one : notes) one.text = shown(one.text);
  return notes;
}

std::vector<std::string> ArchiveReader::axis_keys() const {
  std::vector<std::string> keys;
  for (const std::string& name : columns(TableId::runs)) {
    if (find_column(TableId::runs, name) == nullptr) keys.push_back(name);
  }
  return keys;
}

std::vector<ClusterRecord> ArchiveReader::clusters() const {
  const File& file = state_->file;
  const std::string prefix = "slowdown_";
  std::vector<ClusterRecord> clusters;
  for (const std::string& key : file.children("/cluster")) {
    const std::string group = "/cluster/" + key;
    std::map<std::string, std::string> paths;  // by class
    for (const std::string& link : file.children(group)) {
      if (link.starts_with(prefix)) {
        paths.emplace(unlink_name(link.substr(prefix.size())), group + "/" + link);
      }
    }
    std::vector<std::string> names;
    std::vector<double> values;
    for (const auto& [name, path] : paths) {
      if (rows_of(file, path) != rows_of(file, paths.begin()->second)) {
        throw data_error("classes of different numbers of GPUs", file.name() + ":" + group, damaged);
      }
      names.push_back(name);
      const std::vector<double> slowdowns = read_reals(file, path);
      values.insert(values.end(), slowdowns.begin(), slowdowns.end());
    }
    const std::size_t gpus = names.empty() ? 0 : values.size() / names.size();
    clusters.push_back({unlink_name(key), Slowdowns(std::move(names), gpus, std::move(values)),
                        read_attribute(file, group, "recipe")});
  }
  return clusters;
}

std::string ArchiveReader::resolved_study() const { return join(read_texts(state_->file, "/study/resolved"), "\n"); }

std::map<std::string, std::string> ArchiveReader::renamed_ids() const {
  const File& file = state_->file;
  std::map<std::string, std::string> ids;
  if (!file.exists(renamed_from_path) || !file.exists(renamed_to_path)) return ids;
  require_rows(file, renamed_to_path, rows_of(file, renamed_from_path));
  const auto from = read_texts(file, renamed_from_path), to = read_texts(file, renamed_to_path);
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) ids.emplace(from[i], to[i]);
  return ids;
}

const hdf5::File& ArchiveReader::file() const { return state_->file; }

}  // namespace palstudy
