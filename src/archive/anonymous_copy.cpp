// SPDX-License-Identifier: MIT
#include "archive/anonymous_copy.hpp"

#include <algorithm>

#include "archive/archive.hpp"
#include "archive/hdf5.hpp"
#include "archive/profile_file.hpp"
#include "archive/write_provenance.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

using hdf5::Element;
using hdf5::File;

/// "host" of /gpus/host, and of /names/gpus.host, which holds its texts.
std::string field_of(const std::string& path) { return path.substr(path.find_last_of("/.") + 1); }

/// What the texts of a dataset are numbered as; "" if they stay.
std::string kind_of(const std::string& path) {
  if (path == "/provenance/jobs/job") return "job";
  if (path == "/names/provenance.runs.reason") return "reason";  // a message may name files
  for (const char* group : {"/profile/", "/gpus/", "/names/gpus."}) {
    if (path.starts_with(group)) return NumberedNames::kind_of(field_of(path));
  }
  return "";
}

bool is_removed(const std::string& field) {
  return field == "command_line" || field == "remarks" || field == "notes" || field == "study.folder";
}

/// Written again with the study.
bool is_renamed_ids(const std::string& path) { return path == renamed_from_path || path == renamed_to_path; }

class Copy {
 public:
  Copy(const File& from, File& to, NumberedNames& names, const InsteadOf& instead)
      : from_(from), to_(to), names_(names), instead_(instead) {}

  void all() {
    attributes("/");
    for (const std::string& group : from_.groups()) {
      to_.group(renamed(group));
      attributes(group);
    }
    for (const std::string& path : from_.datasets()) {
      if (!is_renamed_ids(path) && !from_.has_no_values(path)) dataset(path);
    }
    write_renamed_ids(to_, instead_.renamed_ids);
    for (auto [scale, columns] : from_.scales()) {
      if (is_renamed_ids(scale)) continue;
      for (std::string& column : columns) column = renamed(column);
      to_.share_rows(renamed(scale), columns);
    }
  }

 private:
  /// Recipes of clusters quote the paths of inputs; a kernel that two profiles measured bears one behind its name.
  [[nodiscard]] std::string renamed(std::string text) const {
    for (const auto& [written, file] : instead_.paths) {
      const std::string of = hdf5::link_name(" of " + written);
      if (const auto at = text.find(of); at != text.npos) text.replace(at, of.size(), hdf5::link_name(" of " + file));
      const std::string quoted = '"' + written + '"';
      if (const auto at = text.find(quoted); at != text.npos) text.replace(at, quoted.size(), '"' + file + '"');
    }
    return text;
  }

  void dataset(const std::string& path) {
    const hdf5::Label label{join(from_.attribute(path, "units")), join(from_.attribute(path, "long_name"))};
    const auto write = [&](const auto& values) { to_.write(renamed(path), std::span(values), label); };
    const Element element = from_.element(path);
    if (element == Element::integer) write(from_.integers(path));
    if (element == Element::code) write(from_.codes(path));
    if (element == Element::real) write(from_.reals(path));
    if (element == Element::single) write(from_.singles(path));
    if (element == Element::text) write(texts(path));
    for (const std::string& name : from_.attribute_names(path)) {
      if (name != "units" && name != "long_name") attribute(path, name);
    }
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& path) {
    if (path == "/study/resolved" && !instead_.resolved_study.empty()) return {instead_.resolved_study};
    std::vector<std::string> all = from_.texts(path);
    const std::string kind = kind_of(path);
    for (std::string& text : all) text = is_removed(field_of(path)) ? "" : kind.empty() ? text : names_(kind, text);
    return all;
  }

  void attributes(const std::string& object) {
    for (const std::string& name : from_.attribute_names(object)) {
      if (object != "/" || !name.starts_with("checksum")) attribute(object, name);
    }
  }

  [[nodiscard]] std::string new_text(const std::string& object, const std::string& name, const std::string& text) {
    if (object != "/") return renamed(text);
    if (name == "host") return names_("host", text);
    if (name == "mpi_version") return text.substr(0, text.find_first_of(",\n"));  // who built it stands behind
    const bool folders = name == "compiler_flags" && text.find('/') != text.npos;
    return folders || is_removed(name) ? "" : text;
  }

  void attribute(const std::string& object, const std::string& name) {
    const std::string to = renamed(object);
    const auto given = instead_.attributes.find(name);
    if (object == "/" && given != instead_.attributes.end()) {
      return std::visit([&](const auto& value) { to_.attribute(to, name, value); }, given->second);
    }
    auto value = from_.attribute_value(object, name);
    if (auto* text = std::get_if<std::string>(&value)) *text = new_text(object, name, *text);
    if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
      if (object == "/" && is_removed(name)) return;
      for (std::string& text : *list) text = new_text(object, name, text);
    }
    std::visit([&](const auto& made) { to_.attribute(to, name, made); }, value);
  }

  const File& from_;
  File& to_;
  NumberedNames& names_;
  const InsteadOf& instead_;
};

void write_copy(const std::filesystem::path& from, const std::filesystem::path& to, NumberedNames& names,
                const InsteadOf& instead) {
  const File source = File::open(from);
  hdf5::make_file(to, [&](File& copy) {
    Copy(source, copy, names, instead).all();
    copy.write_checksum();
  });
}

}  // namespace

void note_names(const std::filesystem::path& file, NumberedNames& names) {
  const File from = File::open(file);
  names("host", join(from.attribute("/", "host")));
  for (const std::string& path : from.datasets()) {
    const std::string kind = kind_of(path);
    if (kind.empty() || from.has_no_values(path) || from.element(path) != Element::text) continue;
    for (const std::string& name : from.texts(path)) names(kind, name);
  }
}

void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, NumberedNames& names,
                      const InsteadOf& instead) {
  write_copy(from, to, names, instead);
  if (!is_profile_file(to)) return;
  InsteadOf with_digest = instead;
  with_digest.attributes["digest"] = profile_digest(read_profile(to));
  write_copy(from, to, names, with_digest);
}

}  // namespace palstudy
