// SPDX-License-Identifier: MIT
#include "bundle/data_source.hpp"

#include "core/files.hpp"
#include "core/text.hpp"
#include "study/data_dir.hpp"

namespace palstudy {

DataSource source_of_data(const std::filesystem::path& file) {
  const auto data = std::filesystem::weakly_canonical(data_dir());
  const auto place = std::filesystem::weakly_canonical(file).lexically_relative(data);
  if (place.empty() || *place.begin() == "..") return {};
  for (auto folder = place.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (!std::filesystem::exists(data / folder / "README.md")) continue;
    DataSource found = source_in_table(read_text_file(data / licence_table), place.string());
    found.readme = (folder / "README.md").string();
    return found;
  }
  return {};
}

DataSource source_in_table(const std::string& table, const std::string& path) {
  DataSource found;
  std::size_t longest = 0;
  if (path.ends_with("README.md")) return found;  // written for this program
  for (const std::string& line : split(table)) {
    const auto cells = split(line, '|');  // | `data` | licence | source <URL> |
    if (!line.starts_with("| `") || cells.size() < 4 || cells[2].size() < 2) continue;
    const std::string data = cells[1].substr(2, cells[1].find('`', 2) - 2);
    if (!path.starts_with(data) || data.size() < longest) continue;
    longest = data.size();
    found.licence = cells[2].substr(1, cells[2].size() - 2);
    const auto url = cells[3].find("https://");
    found.url = url == std::string::npos ? "" : cells[3].substr(url, cells[3].find('>', url) - url);
  }
  return found;
}

std::vector<std::string> licences_of(const std::string& expression) {
  std::vector<std::string> licences = split(expression, ' ');
  std::erase_if(licences, [](const auto& word) { return word.empty() || word == "AND" || word == "NONE"; });
  return licences;
}

}  // namespace palstudy
