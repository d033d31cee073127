// SPDX-License-Identifier: MIT
#include "bundle/anonymous_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "archive/profile/profile_file.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy {
namespace {

using hdf5::Element;
using hdf5::File;

/// The ids of measuring sessions; that of an import has the name of the imported file.
constexpr const char* session_ids = "/sessions/id";

/// "host" of /gpus/host, and of /names/gpus.host, which holds its texts.
std::string field_of(const std::string& path) {
  return path == session_ids ? "session" : path.substr(path.find_last_of("/.") + 1);
}

/// Texts that are numbered: Slurm jobs, messages (which may name files), users, sessions and measured GPUs.
bool is_numbered(const std::string& path) {
  static const std::set<std::string> of_gpus = {"host", "cabinet", "gpu", "uuid", "serial"};
  if (path == "/provenance/jobs/job" || path == "/names/provenance.runs.reason" || path == "/names/jobs.user" ||
      path == session_ids)
    return true;
  const bool gpus = path.starts_with("/profile/") || path.starts_with("/gpus/") || path.starts_with("/names/gpus.");
  return gpus && of_gpus.contains(field_of(path));
}

bool is_removed(const std::string& field) {
  return field == "binding" || field == "command_line" || field == "remarks" || field == "notes" ||
         field == "study.folder";
}

/// Left out, or written by this copy itself.
bool is_left_out(const std::string& path) {
  return path == renamed_from_path || path == renamed_to_path || path == notes_group ||
         path.starts_with(notes_group + "/");
}

class Copy {
 public:
  Copy(const File& from, File& to, NumberedNames& names, const Overrides& instead)
      : from_(from), to_(to), names_(names), instead_(instead) {}

  void all() {
    attributes("/");
    for (const std::string& group : from_.groups()) {
      if (is_left_out(group)) continue;
      to_.group(renamed(group));
      attributes(group);
    }
    for (const std::string& path : from_.datasets()) {
      if (!is_left_out(path) && !has_no_values(from_, path)) dataset(path);
    }
    write_renamed_ids(to_, instead_.renamed_ids);
    for (auto [scale, columns] : scales(from_)) {
      if (is_left_out(scale)) continue;
      for (std::string& column : columns) column = renamed(column);
      share_rows(to_, renamed(scale), columns);
    }
  }

 private:
  /// Recipes of clusters quote the paths of inputs; a kernel that two profiles measured bears one behind its name.
  [[nodiscard]] std::string renamed(std::string text) const {
    for (const auto& [written, file] : instead_.paths) {
      text = replaced(text, link_name(" of " + written), link_name(" of " + file));
      text = replaced(text, '"' + written + '"', '"' + file + '"');
    }
    return text;
  }

  void dataset(const std::string& path) {
    const hdf5::Label label{join(read_attribute(from_, path, "units")), join(read_attribute(from_, path, "long_name"))};
    const auto write = [&](const auto& values) { write_dataset(to_, renamed(path), std::span(values), label); };
    const Element element = element_of(from_, path);
    if (element == Element::integer) write(read_integers(from_, path));
    if (element == Element::code) write(read_codes(from_, path));
    if (element == Element::real) write(read_reals(from_, path));
    if (element == Element::single) write(read_singles(from_, path));
    if (element == Element::text) write(texts(path));
    attributes(path);
    // Made again, since names may have become numbers.
    const std::string names = join(read_attribute(from_, path, "names"));
    if (!read_attribute(from_, path, "flag_meanings").empty()) write_flags(to_, renamed(path), texts(names));
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& path) {
    const std::string field = field_of(path);
    if (path == "/study/resolved" && !instead_.study.empty()) return {instead_.study};
    std::vector<std::string> all = read_texts(from_, path);
    if (is_removed(field)) all.assign(all.size(), "");
    if (!is_numbered(path)) return all;
    for (std::string& text : all) text = names_(field, text);
    return all;
  }

  /// "SHA-256  path" with a number in place of the path.
  [[nodiscard]] std::string without_path(const std::string& line) {
    constexpr std::size_t digits = 64, begin = digits + 2;
    return line.size() <= begin ? "" : line.substr(0, begin) + names_("file", line.substr(begin));
  }

  [[nodiscard]] std::string new_text(const std::string& object, const std::string& name, const std::string& text) {
    if (object != "/") return renamed(text);
    if (name == "host") return names_("host", text);
    if (name == "input_sha256") return without_path(text);
    if (name == "mpi_version") return text.substr(0, text.find_first_of(",\n"));  // the builder of the library follows
    const bool folders = name == "compiler_flags" && text.find('/') != text.npos;
    return folders || is_removed(name) ? "" : text;
  }

  /// Those of a dataset's label are there already, and the checksum comes last.
  void attributes(const std::string& object) {
    for (const std::string& name : attribute_names(from_, object)) {
      if (name == "units" || name == "long_name" || hdf5::is_flag(name)) continue;
      if (object == "/" && (name == "creator" || name.starts_with("checksum"))) continue;
      auto value = attribute_value(from_, object, name);
      if (const auto given = instead_.attributes.find(name); object == "/" && given != instead_.attributes.end()) {
        value = given->second;
      } else if (auto* text = std::get_if<std::string>(&value)) {
        *text = new_text(object, name, *text);
      } else if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
        for (std::string& one : *list) one = new_text(object, name, one);
        if (object == "/" && is_removed(name)) list->clear();
      }
      std::visit([&](const auto& made) { write_attribute(to_, renamed(object), name, made); }, value);
    }
  }

  const File& from_;
  File& to_;
  NumberedNames& names_;
  const Overrides& instead_;
};

}  // namespace

void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, NumberedNames& names,
                      Overrides instead) {
  const File source = File::open(from);
  const auto write = [&] {
    hdf5::make_file(to, [&](File& copy) {
      Copy(source, copy, names, instead).all();
      write_checksum(copy);
    });
  };
  write();
  if (!is_profile_file(to)) return;
  instead.attributes["digest"] = profile_digest(read_profile(to));  // which covers the names
  write();
}

std::string NumberedNames::operator()(const std::string& field, const std::string& name) {
  if (name.empty()) return "";
  if (numbered_) return fields_.at(field).at(name);
  fields_[field].emplace(name, "");
  return name;
}

void NumberedNames::number() {
  for (auto& [field, names] : fields_) {
    const std::size_t digits = std::to_string(names.size()).size();
    std::size_t last = 0;
    for (auto& [name, made] : names) made = fmt::format("{}-{:0{}}", field, ++last, digits);
  }
  numbered_ = true;
}

namespace {

/// Whether a reader of traces, clusters or logs takes the texts of a field.
bool is_read(const std::string& field) {
  static const std::set<std::string> fields = {
      "job_id", "submit_time", "model",    "class",   "score",       "tenant",   "run",      "vc",
      "gpus",   "start_time",  "end_time", "state",   "status",      "kernel",   "reason",   "submitted_time",
      "of",     "duration",    "submit_s", "dataset", "application", "category", "validated"};
  return fields.contains(field);
}

bool is_user(const std::string& field) {
  return field == "user" || field == "username" || field == "owner" || field == "account";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Numbers stay, but for those of users.
std::string new_value(const std::string& field, const std::string& text, NumberedNames& names) {
  return is_read(field) || (!is_user(field) && parse_double(text)) ? text : names(field, text);
}

std::string anonymous_table(const std::string& text, NumberedNames& names) {
  const CsvTable table = CsvTable::parse(text, "a table");
  std::vector<std::string> fields, line;
  for (const auto& heading : table.header()) fields.push_back(lower(heading));
  const auto known = [](const auto& field) { return is_read(field) || is_user(field); };
  if (fields.size() < 2 || std::ranges::none_of(fields, known)) return "";
  for (const auto& heading : table.header()) line.push_back(csv_field(heading));
  std::string made = join(line, ",") + "\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      line[i] = csv_field(new_value(fields[i], std::string(table.text(row, i)), names));
    }
    made += join(line, ",") + "\n";
  }
  return made;
}

void replace_in(nlohmann::ordered_json& value, const std::string& field, NumberedNames& names) {
  if (value.is_string()) value = new_value(field, value.get<std::string>(), names);
  if (!value.is_structured()) return;
  for (auto& [key, item] : value.items()) replace_in(item, value.is_object() ? lower(key) : field, names);
}

}  // namespace

std::string anonymous_records(const std::string& text, NumberedNames& names) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_structured()) {
    replace_in(json, "", names);
    return json.dump(0, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  try {
    return anonymous_table(text, names);
  } catch (const Error&) {  // no table
    return "";
  }
}

std::string without_comments(const std::string& text) {
  std::string made;
  for (const std::string& line : split(text)) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == line.npos || (line[begin] != '#' && line[begin] != ';')) made += line + "\n";
  }
  return made;
}

}  // namespace palstudy
