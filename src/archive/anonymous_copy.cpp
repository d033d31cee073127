// SPDX-License-Identifier: MIT
#include "archive/anonymous_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "archive/archive.hpp"
#include "archive/durable_file.hpp"
#include "archive/hdf5.hpp"
#include "archive/profile_file.hpp"
#include "archive/write_provenance.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

using hdf5::Element;
using hdf5::File;

enum class Holds { names, digested, text };

/// "host" of /gpus/host, and of /names/gpus.host, which holds its texts.
std::string field_of(const std::string& path) {
  const std::string last = path.substr(path.rfind('/') + 1);
  return path.starts_with("/names/") ? last.substr(last.rfind('.') + 1) : last;
}

Holds kind_of(const std::string& path) {
  static const std::set<std::string> names = {"host", "uuid", "serial", "cabinet"};
  const std::string field = field_of(path);
  const bool measured = path.starts_with("/profile/");
  if (names.contains(field) || (measured && field == "gpu") || path == "/provenance/jobs/job") return Holds::names;
  for (const char* digested :
       {"/runs/", "/names/runs.", "/names/jobs.", "/names/events.", "/names/rounds.", "/names/failures."}) {
    if (path.starts_with(digested)) return Holds::digested;
  }
  return Holds::text;
}

std::string replaced(const std::string& text, Holds holds, bool command, Pseudonyms& names) {
  switch (holds) {
    case Holds::names:
      return names.of(text);
    case Holds::digested:
      return text;
    case Holds::text:
      break;
  }
  return command ? names.scrub_command(text) : names.scrub(text);
}

/// The measurements of two profiles that share a kernel bear the path of one in their name.
std::string new_path(const std::string& path, Pseudonyms& names) {
  const std::string prefix = "/profile/";
  if (!path.starts_with(prefix)) return path;
  const std::size_t slash = std::min(path.find('/', prefix.size()), path.size());
  const std::string name = hdf5::unlink_name(path.substr(prefix.size(), slash - prefix.size()));
  return prefix + hdf5::link_name(names.scrub(name)) + path.substr(slash);
}

/// Written anew with the study.
bool is_renamed_ids(const std::string& path) { return path == renamed_from_path || path == renamed_to_path; }

class Copy {
 public:
  Copy(const File& from, File& to, Pseudonyms& names, const InsteadOf& instead)
      : from_(from), to_(to), names_(names), instead_(instead) {}

  void all() {
    attributes("/");
    for (const std::string& group : from_.groups()) {
      to_.group(new_path(group, names_));
      attributes(group);
    }
    for (const std::string& path : from_.datasets()) {
      if (!is_renamed_ids(path)) dataset(path);
    }
    write_renamed_ids(to_, instead_.renamed_ids);
    for (const auto& [scale, users] : from_.scales()) {
      if (is_renamed_ids(scale)) continue;
      std::vector<std::string> columns;
      for (const std::string& user : users) columns.push_back(new_path(user, names_));
      to_.share_rows(new_path(scale, names_), columns);
    }
  }

 private:
  void dataset(const std::string& path) {
    if (from_.has_no_values(path)) return;  // made anew with those whose rows it names
    const std::string to = new_path(path, names_);
    const hdf5::Label label{join(from_.attribute(path, "units")), join(from_.attribute(path, "long_name"))};
    switch (from_.element(path)) {
      case Element::integer:
        to_.write(to, std::span<const std::int64_t>(from_.integers(path)), label);
        break;
      case Element::code:
        to_.write(to, std::span<const std::int32_t>(from_.codes(path)), label);
        break;
      case Element::real:
        to_.write(to, std::span<const double>(from_.reals(path)), label);
        break;
      case Element::single:
        to_.write(to, std::span<const float>(from_.singles(path)), label);
        break;
      case Element::text:
        to_.write(to, std::span<const std::string>(texts(path)), label);
        break;
    }
    for (const std::string& name : from_.attribute_names(path)) {
      if (name != "units" && name != "long_name") attribute(path, name);
    }
  }

  std::vector<std::string> texts(const std::string& path) {
    if (path == "/study/resolved" && !instead_.resolved_study.empty()) return {instead_.resolved_study};
    std::vector<std::string> all = from_.texts(path);
    const bool command = field_of(path) == "command_line";
    for (std::string& text : all) text = replaced(text, kind_of(path), command, names_);
    return all;
  }

  void attributes(const std::string& object) {
    for (const std::string& name : from_.attribute_names(object)) {
      if (object != "/" || !name.starts_with("checksum")) attribute(object, name);
    }
  }

  /// Those of the root, and how a cluster was drawn, are from outside; all others the program's own words.
  static bool from_outside(const std::string& object, const std::string& name) {
    static const std::set<std::string> own_words = {
        "schema",          "schema_version", "digest",         "program",          "program_commit", "hdf5_version",
        "program_version", "profile.origin", "compare.metric", "compare.baseline", "resample"};
    return name == "recipe" || (object == "/" && !own_words.contains(name));
  }

  void attribute(const std::string& object, const std::string& name) {
    const std::string to = new_path(object, names_);
    const bool outside = from_outside(object, name);
    if (const auto given = instead_.attributes.find(name); object == "/" && given != instead_.attributes.end()) {
      return to_.attribute(to, name, given->second);
    }
    if (const auto given = instead_.lists.find(name); object == "/" && given != instead_.lists.end()) {
      return to_.attribute(to, name, given->second);
    }
    auto value = from_.attribute_value(object, name);
    const bool command = name == "command_line";
    const Holds holds = name == "host" ? Holds::names : Holds::text;
    if (auto* text = std::get_if<std::string>(&value)) {
      to_.attribute(to, name, outside ? replaced(*text, holds, command, names_) : *text);
    } else if (auto* list = std::get_if<std::vector<std::string>>(&value)) {
      for (std::string& one : *list) one = outside ? replaced(one, holds, command, names_) : one;
      to_.attribute(to, name, *list);
    } else {
      to_.attribute(to, name, std::get<std::int64_t>(value));
    }
  }

  const File& from_;
  File& to_;
  Pseudonyms& names_;
  const InsteadOf& instead_;
};

void write_copy(const std::filesystem::path& from, const std::filesystem::path& to, Pseudonyms& names,
                const InsteadOf& instead) {
  const File source = File::open(from);
  File copy = File::create(to.filename().string());
  Copy(source, copy, names, instead).all();
  copy.write_checksum();
  write_durably(to, copy.finish());
}

}  // namespace

void note_names(const std::filesystem::path& file, Pseudonyms& names) {
  const File from = File::open(file);
  for (const std::string& host : from.attribute("/", "host")) names.add_secret(host);
  for (const std::string& path : from.datasets()) {
    if (kind_of(path) != Holds::names || from.has_no_values(path) || from.element(path) != Element::text) continue;
    for (const std::string& name : from.texts(path)) names.add(name);
  }
}

std::vector<std::string> names_in_digest(const std::filesystem::path& archive,
                                         const std::vector<std::string>& path_axes, Pseudonyms& names) {
  const File from = File::open(archive);
  std::vector<std::string> columns = {"/names/jobs.tenant"}, found;
  for (const std::string& axis : path_axes) columns.push_back("/names/runs." + hdf5::link_name(axis));
  for (const std::string& path : columns) {
    if (!from.exists(path)) continue;
    for (const std::string& text : from.texts(path)) {
      if (names.tells(text)) found.push_back(fmt::format("{} has \"{}\"", path, text));
    }
  }
  return found;
}

void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, Pseudonyms& names,
                      const InsteadOf& instead) {
  write_copy(from, to, names, instead);
  if (!is_profile_file(to)) return;
  InsteadOf with_digest = instead;
  with_digest.attributes["digest"] = profile_digest(read_profile(to));
  write_copy(from, to, names, with_digest);
}

}  // namespace palstudy
