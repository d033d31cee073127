// SPDX-License-Identifier: MIT
#include "archive/archived_notes.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "archive/note_json.hpp"
#include "archive/value_json.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

/// The values of a note by their JSON.
ValueRecord values_of(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw data_error("the values of a note are no JSON object", where, restore_or_remake);
  return record_of(json);
}

}  // namespace

Severity severity_named(const std::string& name, const std::string& where) {
  for (const Severity one : {Severity::stop, Severity::care, Severity::info}) {
    if (name == name_of(one)) return one;
  }
  throw data_error("\"" + name + "\" is no severity of a note", where, restore_or_remake);
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
        {{ids[i], severity_named(severities[i], where), subjects[i], values_of(values[i], where + "/values")},
         texts[i]});
  }
  return notes;
}

}  // namespace palstudy
