// SPDX-License-Identifier: MIT
#include "bundle/bundle_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <sstream>

#include "core/durable_file.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "study/data_dir.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  for (std::size_t begin = 2, end = 0; (end = row.find(" |", begin)) != row.npos; begin = end + 3) {
    cells.push_back(row.substr(begin, end - begin));
  }
  return cells;
}

}  // namespace

BundleFolder::BundleFolder(const std::filesystem::path& target)
    : target_(target), path_(fmt::format("{}.{}.part", target.string(), getpid())) {
  make_folder_of(target);
  if (!std::filesystem::create_directory(path_)) {
    done_ = true;  // the folder belongs to another process
    throw usage_error("exists already", path_.string(), "remove it, or give another -o");
  }
}

BundleFolder::~BundleFolder() {
  std::error_code ignored;
  if (!done_) std::filesystem::remove_all(path_, ignored);
}

void BundleFolder::put() {
  std::filesystem::rename(path_, target_);
  done_ = true;
}

void write_file_in_bundle(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  write_durably(path, std::as_bytes(std::span(text)));
}

DataSource source_in_table(const std::string& table, const std::string& path) {
  DataSource found;
  std::size_t longest = 0;
  if (path.ends_with("README.md")) return found;  // written for this program
  for (const std::string& line : split(table)) {
    const auto cells = line.starts_with("| `") ? cells_of(line) : std::vector<std::string>();
    if (cells.size() < 3) continue;
    const std::string data = cells[0].substr(1, cells[0].find('`', 1) - 1);
    if (!path.starts_with(data) || data.size() < longest) continue;
    longest = data.size();
    found.licence = cells[1];
    const auto url = cells[2].find("https://");
    found.url = url == std::string::npos ? "" : cells[2].substr(url, cells[2].find('>', url) - url);
  }
  return found;
}

std::string read_licence_table(const std::filesystem::path& data) { return read_text_file(data / licence_table); }

DataSource source_of_data(const std::filesystem::path& file) {
  const auto data = std::filesystem::weakly_canonical(data_dir());
  const auto place = std::filesystem::weakly_canonical(file).lexically_relative(data);
  if (place.empty() || *place.begin() == "..") return {};
  for (auto folder = place.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (!std::filesystem::exists(data / folder / "README.md")) continue;
    DataSource found = source_in_table(read_licence_table(data), place.string());
    found.readme = (folder / "README.md").string();
    return found;
  }
  return {};
}

std::vector<std::string> licences_of(const std::string& expression) {
  std::vector<std::string> licences;
  std::istringstream words(expression);
  for (std::string word; words >> word;) {
    if (word != "AND" && word != "NONE") licences.push_back(word);
  }
  return licences;
}

}  // namespace palstudy
