// SPDX-License-Identifier: MIT
#include "study/bundle_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <span>

#include "archive/durable_file.hpp"
#include "core/output.hpp"
#include "core/text_file.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

/// The cell of a row of a README's table: "| licence | MIT, `LICENSES/...`; ... |".
std::string cell(const std::string& readme, const std::string& row) {
  const std::string begin = "| " + row + " | ";
  const auto place = readme.find(begin);
  if (place == std::string::npos) return "";
  const auto from = place + begin.size();
  return readme.substr(from, readme.find('\n', from) - from);
}

}  // namespace

BundleFolder::BundleFolder(const std::filesystem::path& target)
    : target_(target), path_(fmt::format("{}.{}.part", target.string(), getpid())) {
  make_folder_of(target);
  if (!std::filesystem::create_directory(path_)) {
    done_ = true;  // it is somebody else's
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

void write_bundled(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  write_durably(path, std::as_bytes(std::span(text)));
}

DataSource source_of_data(const std::filesystem::path& file) {
  const auto data = std::filesystem::weakly_canonical(data_dir());
  const auto place = std::filesystem::weakly_canonical(file).lexically_relative(data);
  if (place.empty() || *place.begin() == "..") return {};
  for (auto folder = place.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (!std::filesystem::exists(data / folder / "README.md")) continue;
    DataSource found{(folder / "README.md").string()};
    const std::string readme = read_text_file(data / found.readme);
    const std::string licence = cell(readme, "licence"), source = cell(readme, "source");
    if (!licence.empty()) found.licence = licence.substr(0, licence.find_first_of(",;|"));
    if (const auto url = source.find("https://"); url != std::string::npos) {
      found.url = source.substr(url, source.find_first_of(">, |", url) - url);
    }
    return found;
  }
  return {};
}

}  // namespace palstudy
