// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palstudy {

/// Where data of the program is from.
struct DataSource {
  std::string readme;           ///< beside it, relative to the program's data; "" if the file is no such data
  std::string licence = "MIT";  ///< SPDX expression
  std::string url = "";
};
[[nodiscard]] DataSource source_of_data(const std::filesystem::path& file);

inline constexpr const char* licence_table = "LICENSES.md";
/// The source of a path in the program's data by the text of that table; `readme` stays empty.
[[nodiscard]] DataSource source_in_table(const std::string& table, const std::string& path);
/// The licences of an SPDX expression; none of "NONE", which facts have.
[[nodiscard]] std::vector<std::string> licences_of(const std::string& expression);
inline constexpr const char* spdx_licences = "https://spdx.org/licenses/";

}  // namespace palstudy
