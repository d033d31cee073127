// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace palstudy {

/// A folder while it is made, beside its place; gone again unless it is put there. Errors: std::filesystem's.
class BundleFolder {
 public:
  explicit BundleFolder(const std::filesystem::path& target);
  BundleFolder(const BundleFolder&) = delete;
  BundleFolder& operator=(const BundleFolder&) = delete;
  ~BundleFolder();
  void put();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path target_, path_;
  bool done_ = false;
};

/// A file with its folders. Errors (data): a full disk.
void write_bundled(const std::filesystem::path& path, const std::string& text);

/// What the README beside data of the program says of where a file is from.
struct DataSource {
  std::string readme;           ///< relative to the program's data; "" if there is none, or the file is no such data
  std::string licence = "MIT";  ///< SPDX
  std::string url = "";
};
[[nodiscard]] DataSource source_of_data(const std::filesystem::path& file);

}  // namespace palstudy
