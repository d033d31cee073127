// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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
void write_file_in_bundle(const std::filesystem::path& path, const std::string& text);

/// Where data of the program is from.
struct DataSource {
  std::string readme;           ///< beside it, relative to the program's data; "" if the file is no such data
  std::string licence = "MIT";  ///< SPDX expression
  std::string url = "";
};
[[nodiscard]] DataSource source_of_data(const std::filesystem::path& file);
/// The source of a path in the program's data by the table in LICENSES.md; `readme` stays empty.
[[nodiscard]] DataSource source_in_table(const std::string& table, const std::string& path);
/// The licences of an SPDX expression; none of "NONE", which facts have.
[[nodiscard]] std::vector<std::string> licences_of(const std::string& expression);

inline constexpr const char* licence_table = "LICENSES.md";
/// That table below a folder of data. Errors (data): none.
[[nodiscard]] std::string read_licence_table(const std::filesystem::path& data);
inline constexpr const char* spdx_licences = "https://spdx.org/licenses/";

}  // namespace palstudy
