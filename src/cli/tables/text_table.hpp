// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace palstudy {

/// A table for people: a header and rows of as many cells.
struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// Columns aligned with two spaces between them; cells that are numbers to the right. Ends in a newline.
[[nodiscard]] std::string to_text(const TextTable& table);
/// A table of GitHub's Markdown.
[[nodiscard]] std::string to_markdown(const TextTable& table);
/// An array of objects, keys from the header.
[[nodiscard]] std::string to_json(const TextTable& table);

}  // namespace palstudy
