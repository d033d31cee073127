// SPDX-License-Identifier: MIT
#include "bundle/anonymous_copy.hpp"

#include <set>

#include "archive/archive.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/write_provenance.hpp"
#include "core/text.hpp"
#include "hdf5/code_names.hpp"
#include "hdf5/hdf5.hpp"

namespace palstudy {
namespace {

using hdf5::Element;
using hdf5::File;

/// "host" of /gpus/host, and of /names/gpus.host, which holds its texts.
std::string field_of(const std::string& path) { return path.substr(path.find_last_of("/.") + 1); }

/// Of jobs of Slurm, messages (which may name files), users and measured GPUs.
bool is_numbered(const std::string& path) {
  static const std::set<std::string> of_gpus = {"host", "cabinet", "gpu", "uuid", "serial"};
  if (path == "/provenance/jobs/job" || path == "/names/provenance.runs.reason" || path == "/names/jobs.user")
    return true;
  const bool gpus = path.starts_with("/profile/") || path.starts_with("/gpus/") || path.starts_with("/names/gpus.");
  return gpus && of_gpus.contains(field_of(path));
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
      const std::string of = link_name(" of " + written), quoted = '"' + written + '"';
      if (const auto at = text.find(of); at != text.npos) text.replace(at, of.size(), link_name(" of " + file));
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
    attributes(path);
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& path) {
    const std::string field = field_of(path);
    if (path == "/study/resolved" && !instead_.study.empty()) return {instead_.study};
    std::vector<std::string> all = from_.texts(path);
    if (is_removed(field)) all.assign(all.size(), "");
    if (!is_numbered(path)) return all;
    for (std::string& text : all) text = names_(field, text);
    return all;
  }

  [[nodiscard]] std::string new_text(const std::string& object, const std::string& name, const std::string& text) {
    if (object != "/") return renamed(text);
    if (name == "host") return names_("host", text);
    if (name == "mpi_version") return text.substr(0, text.find_first_of(",\n"));  // who built it stands behind
    const bool folders = name == "compiler_flags" && text.find('/') != text.npos;
    return folders || is_removed(name) ? "" : text;
  }

  /// Those of a dataset's label are there already, the checksum comes last, and flags follow from the names.
  void attributes(const std::string& object) {
    for (const std::string& name : from_.attribute_names(object)) {
      if (name == "units" || name == "long_name" || (object == "/" && name.starts_with("checksum"))) continue;
      if (name == "flag_values" || name == "flag_meanings") continue;
      if (object == "/" && (name == "creator" || name == "license")) continue;
      const auto given = instead_.attributes.find(name);
      const bool is_given = object == "/" && given != instead_.attributes.end();
      auto value = is_given ? given->second : from_.attribute_value(object, name);
      if (auto* text = std::get_if<std::string>(&value)) *text = new_text(object, name, *text);
      if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
        for (std::string& text : *list) text = new_text(object, name, text);
        if (object == "/" && is_removed(name)) list->clear();
      }
      std::visit([&](const auto& made) { to_.attribute(renamed(object), name, made); }, value);
    }
    if (!from_.attribute(object, "flag_values").empty()) {  // by the texts of the copy
      hdf5::name_flags(to_, renamed(object), texts(join(from_.attribute(object, "names"))));
    }
  }

  const File& from_;
  File& to_;
  NumberedNames& names_;
  const InsteadOf& instead_;
};

}  // namespace

void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, NumberedNames& names,
                      InsteadOf instead) {
  const File source = File::open(from);
  const auto write = [&] {
    hdf5::make_file(to, [&](File& copy) {
      Copy(source, copy, names, instead).all();
      copy.write_checksum();
    });
  };
  write();
  if (!is_profile_file(to)) return;
  instead.attributes["digest"] = profile_digest(read_profile(to));  // which covers the names
  write();
}

}  // namespace palstudy
