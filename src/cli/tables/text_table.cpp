// SPDX-License-Identifier: MIT
#include "cli/tables/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "core/wrapped_text.hpp"

namespace palstudy {
namespace {

using Row = std::vector<std::string>;

bool is_number(const std::string& cell) {
  std::string bare = cell;
  if (bare.ends_with(" %")) bare.resize(bare.size() - 2);
  return bare.empty() || bare == "-" || parse_double(bare).has_value();
}

/// A cell takes one line, whatever is in it.
TextTable with_shown_cells(TextTable table) {
  for (std::string& cell : table.header) cell = shown(cell);
  for (Row& row : table.rows) {
    for (std::string& cell : row) cell = shown(cell);
  }
  return table;
}

std::string line_of(const Row& row, const std::vector<std::size_t>& widths, const std::vector<bool>& right) {
  std::string line;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string fill(widths[c] - width_of(row[c]), ' ');
    line += (c == 0 ? "" : "  ") + (right[c] ? fill + row[c] : row[c] + fill);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::size_t longest_word(const std::string& cell) {
  std::size_t longest = 0;
  for (const auto& word : palstudy::split(cell, ' ')) longest = std::max(longest, width_of(word));
  return longest;
}

/// The widths of columns that want `widths`, in a line of `most`: the first, which names the row, has all that it wants
/// up to a half; then each has its longest word, as far as that goes, and what is left goes to who wants least.
std::vector<std::size_t> fitted(const TextTable& table, const std::vector<std::size_t>& widths, std::size_t most) {
  const std::size_t gaps = 2 * (widths.size() - 1);
  std::size_t left = most > gaps ? most - gaps : widths.size();
  std::vector<std::size_t> words(widths.size()), order(widths.size());
  for (std::size_t c = 0; c < widths.size(); ++c) {
    words[c] = longest_word(table.header[c]);
    for (const Row& row : table.rows) words[c] = std::max(words[c], longest_word(row[c]));
  }
  const auto share = [&](std::vector<std::size_t> wanted, std::vector<std::size_t> given) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t c) { return wanted[c] - given[c]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t c = order[i], more = std::min(wanted[c] - given[c], left / (order.size() - i));
      given[c] += more, left -= more;
    }
    return given;
  };
  std::vector<std::size_t> given(widths.size(), 0);
  given.front() = std::min(widths.front(), left / 2);
  words.front() = given.front(), left -= given.front();
  return share(widths, share(words, given));
}

}  // namespace

std::string paragraph(const std::string& head, const std::string& text, std::size_t most) {
  const std::size_t indent = width_of(head), columns = most > indent ? most - indent : 1;
  std::string all, before = head;
  for (const std::string& line : wrapped(shown(text), columns)) {
    all += before + line + "\n";
    before.assign(indent, ' ');
  }
  return all;
}

std::string to_text(const TextTable& given, std::size_t most) {
  const TextTable table = with_shown_cells(given);
  std::vector<std::size_t> widths(table.header.size());
  std::vector<bool> right(table.header.size(), !table.rows.empty());
  std::size_t whole = 2 * (widths.size() - 1);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    widths[c] = width_of(table.header[c]);
    for (const Row& row : table.rows) {
      widths[c] = std::max(widths[c], width_of(row[c]));
      right[c] = table.texts ? c >= *table.texts : right[c] && is_number(row[c]);
    }
    whole += widths[c];
  }
  if (whole > most) widths = fitted(table, widths, most);
  std::string text;
  const auto add = [&](const Row& row) {
    std::vector<Row> cells;
    std::size_t lines = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(width_of(row[c]) <= widths[c] ? Row{row[c]}
                                                    : wrapped(row[c], std::max<std::size_t>(widths[c], 1)));
      lines = std::max(lines, cells.back().size());
    }
    for (std::size_t line = 0; line < lines; ++line) {
      Row parts;
      for (const Row& cell : cells) parts.push_back(line < cell.size() ? cell[line] : "");
      text += line_of(parts, widths, right);
    }
  };
  add(table.header);
  for (const Row& row : table.rows) add(row);
  return text;
}

std::string to_markdown(const TextTable& table) {
  const auto line = [](const Row& row) {
    std::string text = "|";
    for (std::string cell : row) {
      for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) cell.insert(at, 1, '\\');
      text += " " + cell + " |";
    }
    return text + "\n";
  };
  std::string text = line(table.header) + "|";
  for (std::size_t c = 0; c < table.header.size(); ++c) text += " --- |";
  text += "\n";
  for (const Row& row : table.rows) text += line(row);
  return text;
}

std::string to_json(const TextTable& table) {
  auto rows = nlohmann::ordered_json::array();
  for (const Row& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[table.header[c]] = row[c];
    rows.push_back(std::move(object));
  }
  return rows.dump(2) + "\n";
}

std::string axis_text(const AxisValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return shortest(*real);
  return std::get<std::string>(value);
}

namespace {

std::string for_people(const Figure& figure) {
  if (std::isnan(figure.value)) return "-";
  const std::string text = fmt::format("{:.{}f}", figure.percent ? 100 * figure.value : figure.value, figure.digits);
  return figure.percent ? text + " %" : text;
}

std::string key_of(std::string header) {
  for (char& c : header) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return header;
}

}  // namespace

std::string figures_text(const FigureTable& table) {
  TextTable texts{table.header, {}};
  for (const auto& row : table.rows) {
    texts.rows.emplace_back();
    for (const auto& cell : row) {
      const auto* text = std::get_if<std::string>(&cell);
      texts.rows.back().push_back(text != nullptr ? *text : for_people(std::get<Figure>(cell)));
    }
  }
  return to_text(texts);
}

std::string figures_json(const FigureTable& table) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string key = key_of(table.header[c]);
      const auto* figure = std::get_if<Figure>(&row[c]);
      if (figure == nullptr) {
        object[key] = std::get<std::string>(row[c]);
      } else if (figure->digits == 0 && !std::isnan(figure->value)) {
        object[key] = static_cast<std::int64_t>(figure->value);
      } else {
        object[key] = figure->value;  // a NaN becomes null
      }
    }
    rows.push_back(std::move(object));
  }
  return rows.dump(2);
}

}  // namespace palstudy
