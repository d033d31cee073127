// SPDX-License-Identifier: MIT
#include "archive/archived_notes.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* restore_or_remake = "restore the file from a copy or make it again";

Json json_of(const Value& value);

struct JsonOfValue {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool yes) const { return yes; }
  Json operator()(std::int64_t whole) const { return whole; }
  Json operator()(double number) const { return number; }
  Json operator()(const std::string& name) const { return name; }
  Json operator()(const ValueList& list) const {
    Json json = Json::array();
    for (const Value& one : list) json.push_back(json_of(one));
    return json;
  }
  Json operator()(const ValueRecord& record) const {
    Json json = Json::object();
    for (const auto& [name, one] : record) json[name] = json_of(one);
    return json;
  }
};

Json json_of(const Value& value) { return value.visit(JsonOfValue()); }

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Value value_of(const Json& json);

ValueRecord record_of(const Json& json) {
  ValueRecord record;
  for (const auto& [name, one] : json.items()) record.emplace_back(name, value_of(one));
  return record;
}

Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_object()) return record_of(json);
  if (!json.is_array()) return {};
  ValueList list;
  for (const Json& one : json) list.push_back(value_of(one));
  return list;
}

Severity severity_of(const std::string& name, const std::string& where) {
  for (const Severity one : {Severity::stop, Severity::care, Severity::info}) {
    if (name == name_of(one)) return one;
  }
  throw data_error("\"" + name + "\" is no severity of a note", where, restore_or_remake);
}

/// The values of a note by their JSON.
ValueRecord values_of(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw data_error("the values of a note are no JSON object", where, restore_or_remake);
  return record_of(json);
}

}  // namespace

std::string json_text(const Value& value) { return dumped(json_of(value)); }

std::string json_text(const WordedNote& worded) {
  const auto& [note, text] = worded;
  return dumped({{"id", note.id},
                 {"severity", name_of(note.severity)},
                 {"subject", note.subject},
                 {"values", json_of(note.values)},
                 {"text", text}});
}

WordedNote note_of_json(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  try {
    return {{json.at("id"), severity_of(json.at("severity"), where), json.at("subject"), record_of(json.at("values"))},
            json.at("text")};
  } catch (const Json::exception&) {
    throw data_error("a note is not what this palstudy writes", where, restore_or_remake);
  }
}

void write_notes(hdf5::File& file, const std::vector<WordedNote>& notes) {
  if (notes.empty()) return;
  std::array<std::vector<std::string>, 5> columns;
  for (const auto& [note, text] : notes) {
    const std::array row = {note.id, std::string(name_of(note.severity)), note.subject, json_text(note.values), text};
    for (std::size_t i = 0; i < row.size(); ++i) columns[i].push_back(row[i]);
  }
  constexpr std::array<std::pair<const char*, const char*>, 5> described = {
      {{"id", "What is noted; palstudy list notes lists all."},
       {"severity", "stop: no claim may be made; care: it changes what may be concluded; info."},
       {"subject", "What it is of, where there may be several of one id."},
       {"values", "Its numbers and names, as a JSON object."},
       {"text", "The sentence that was made of it."}}};
  std::vector<std::string> names, paths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names.emplace_back(described[i].first);
    paths.push_back(notes_group + "/" + names.back());
    write_dataset(file, paths.back(), columns[i], {"1", described[i].second});
  }
  write_attribute(file, notes_group, "columns", names);
  share_rows(file, notes_group + "/row", paths);
}

std::vector<WordedNote> read_notes(const hdf5::File& file) {
  std::vector<WordedNote> notes;
  if (!file.exists(notes_group)) {  // archives before 1.8, clusters and profiles before 1.3
    for (std::string& text : read_attribute(file, "/", "notes")) notes.push_back({{}, std::move(text)});
    return notes;
  }
  const auto column = [&](const char* name) { return read_texts(file, notes_group + "/" + name); };
  const auto ids = column("id"), severities = column("severity"), subjects = column("subject"),
             values = column("values"), texts = column("text");
  const std::string where = file.name() + ":" + notes_group;
  for (const auto* other : {&severities, &subjects, &values, &texts}) {
    if (other->size() != ids.size()) throw data_error("columns of several lengths", where, restore_or_remake);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    notes.push_back(
        {{ids[i], severity_of(severities[i], where), subjects[i], values_of(values[i], where + "/values")}, texts[i]});
  }
  return notes;
}

}  // namespace palstudy
