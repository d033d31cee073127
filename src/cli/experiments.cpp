// SPDX-License-Identifier: MIT
#include "cli/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "study/data_dir.hpp"
#include "study/toml_value.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

fs::path experiments_dir() { return data_dir() / "experiments"; }

/// A line of a study with each text that names a file beside `folder` replaced by the file's absolute path.
std::string with_absolute_paths(const std::string& line, const fs::path& folder) {
  std::string out;
  std::size_t at = 0;
  while (at < line.size() && line[at] != '#') {
    const auto close = line[at] == '"' ? line.find('"', at + 1) : std::string::npos;
    if (close == std::string::npos) {
      out += line[at++];
      continue;
    }
    const fs::path file = folder / line.substr(at + 1, close - at - 1);
    std::error_code missing;
    out += fs::is_regular_file(file, missing) ? to_toml(TomlValue::of(fs::weakly_canonical(file).string()))
                                              : line.substr(at, close - at + 1);
    at = close + 1;
  }
  return out + line.substr(at);
}

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  std::error_code failed;
  const fs::path folder = experiments_dir();
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
    const fs::path inside = entry.path().lexically_relative(folder);
    if (entry.path().extension() == ".toml" && *inside.begin() != "data") {  // experiments/data: what studies read
      names.push_back(fs::path(inside).replace_extension().generic_string());
    }
  }
  std::ranges::sort(names);
  return names;
}

std::string study_to_begin_from(const std::string& name, const std::string& file) {
  const auto names = experiment_names();
  if (std::ranges::find(names, name) == names.end()) {
    throw usage_error(fmt::format("there is no study \"{}\"{}", name, suggestion(name, names)), "init",
                      "known: " + join(names));
  }
  const fs::path source = experiments_dir() / (name + ".toml");
  std::string text =
      fmt::format("#:schema file://{}\n", fs::weakly_canonical(experiments_dir() / "study.schema.json").string());
  for (const std::string& line : split(read_text_file(source))) {
    if (line.starts_with("# SPDX-License-Identifier")) continue;  // the new study is its author's
    text += with_absolute_paths(replaced(line, "experiments/" + name + ".toml", file), source.parent_path()) + "\n";
  }
  return text;
}

}  // namespace palstudy
