// SPDX-License-Identifier: MIT
#include "cli/tables/figure_table.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/tables/text_table.hpp"

namespace palstudy {
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
