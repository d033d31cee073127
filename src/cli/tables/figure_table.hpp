// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace palstudy {

/// A number in a table: rounded for people, whole for programs.
struct Figure {
  double value = 0;
  int digits = 4;        ///< behind the point
  bool percent = false;  ///< for people times 100, with the sign
};

/// A table of texts and figures.
struct FigureTable {
  std::vector<std::string> header;  ///< for people; the keys of JSON are the same in lower case, with underscores
  std::vector<std::vector<std::variant<std::string, Figure>>> rows;
};

/// Aligned; a NaN is "-".
[[nodiscard]] std::string figures_text(const FigureTable& table);
/// An array of objects; a NaN is null. Not dumped with a newline.
[[nodiscard]] std::string figures_json(const FigureTable& table);

}  // namespace palstudy
