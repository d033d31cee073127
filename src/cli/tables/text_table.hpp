// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "record/record.hpp"

namespace palstudy {

/// A table for people: a header and rows of as many cells.
struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  /// How many columns from the left are texts, and those after them stand to the right; by default those do that hold
  /// numbers alone.
  std::optional<std::size_t> texts = {};
};

/// Columns aligned with two spaces between them; cells that are numbers to the right. Where a line would have over
/// `most` columns, cells are wrapped between words. Ends in a newline.
[[nodiscard]] std::string to_text(const TextTable& table, std::size_t most = SIZE_MAX);
/// `text` after `head`, in lines of at most `most` columns; those after the first begin below the text. Ends in a
/// newline.
[[nodiscard]] std::string paragraph(const std::string& head, const std::string& text, std::size_t most);
/// A table of GitHub's Markdown.
[[nodiscard]] std::string to_markdown(const TextTable& table);
/// An array of objects, keys from the header.
[[nodiscard]] std::string to_json(const TextTable& table);

/// An axis value as it is written in the study.
[[nodiscard]] std::string axis_text(const AxisValue& value);

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
