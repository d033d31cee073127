// SPDX-License-Identifier: MIT
#include "archive/export.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "archive/note_json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto invalid_replaced = Json::error_handler_t::replace;

/// A column as it is printed: events have one, `gpus`, that no dataset has.
struct Shown {
  std::string name;
  std::function<std::string(std::size_t row)> text;
  std::function<Json(std::size_t row)> json;
};

/// A spreadsheet takes a text that begins so for a formula and computes it, but not behind an apostrophe.
std::string csv_text(const std::string& text) {
  constexpr std::string_view begins_formula = "=+-@";
  const bool formula = !text.empty() && begins_formula.find(text.front()) != std::string_view::npos;
  const bool number = formula && parse_double(text.substr(text.front() == '+' ? 1 : 0));
  return csv_field(formula && !number ? "'" + text : text);
}

Shown show(const std::string& name, const ColumnValues& values) {
  if (const auto* text = std::get_if<TextColumn>(&values)) {
    return {name, [text](std::size_t row) { return csv_text(text->at(row)); },
            [text](std::size_t row) -> Json { return text->at(row); }};
  }
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) {
    return {name, [reals](std::size_t row) { return shortest((*reals)[row]); },
            // nlohmann writes NaN and infinity as null, which is all that JSON has for them.
            [reals](std::size_t row) -> Json { return (*reals)[row]; }};
  }
  const auto* integers = &std::get<std::vector<std::int64_t>>(values);
  return {name, [integers](std::size_t row) { return std::to_string((*integers)[row]); },
          [integers](std::size_t row) -> Json { return (*integers)[row]; }};
}

/// The GPUs of an event, ascending: for a launch alone, since a finish or a stop leaves none.
Shown show_gpus(const TableData& events, const TableData& gpus) {
  const auto* begin = &integers_of(events, "gpu_begin");
  const auto* count = &integers_of(events, "gpu_count");
  const auto* all = &integers_of(gpus, "gpu");
  const auto* kind = &texts_of(events, "kind");
  const auto of_row = [=](std::size_t row) -> std::vector<std::int64_t> {
    if (kind->at(row) != "launch") return {};
    const auto first = static_cast<std::uint64_t>((*begin)[row]), n = static_cast<std::uint64_t>((*count)[row]);
    if (n > all->size() || first > all->size() - n) {
      throw data_error("row " + std::to_string(row) + " points outside /events/gpu", "/events/gpu_begin",
                       "palstudy verify lists all damage");
    }
    return {all->begin() + static_cast<std::ptrdiff_t>(first), all->begin() + static_cast<std::ptrdiff_t>(first + n)};
  };
  return {"gpus",
          [of_row](std::size_t row) {
            std::string text;
            for (const std::int64_t gpu : of_row(row)) {
              if (!text.empty()) text += ' ';
              text += std::to_string(gpu);
            }
            return text;
          },
          [of_row](std::size_t row) -> Json { return of_row(row); }};
}

std::string to_csv(const std::vector<Shown>& columns, std::size_t begin, std::size_t end) {
  std::string out;
  for (const Shown& column : columns) {
    if (!out.empty()) out += ',';
    out += csv_field(column.name);
  }
  out += '\n';
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) out += ',';
      out += columns[c].text(row);
    }
    out += '\n';
  }
  return out;
}

/// An array of objects, one a line.
std::string to_json(const std::vector<Shown>& columns, std::size_t begin, std::size_t end) {
  std::string out = "[";
  for (std::size_t row = begin; row < end; ++row) {
    Json object = Json::object();
    for (const Shown& column : columns) object[column.name] = column.json(row);
    out += (row == begin ? "\n" : ",\n") + object.dump(-1, ' ', false, invalid_replaced);
  }
  return out + "\n]\n";
}

/// The rows of one run, or all.
std::pair<std::size_t, std::size_t> rows_of(const ArchiveReader& archive, const TableData& table, std::int64_t run) {
  if (run < 0) return {0, table.rows()};
  require_run(archive, run, "--run");
  const auto& runs = integers_of(table, "run");
  const auto [begin, end] = std::equal_range(runs.begin(), runs.end(), run);
  return {static_cast<std::size_t>(begin - runs.begin()), static_cast<std::size_t>(end - runs.begin())};
}

}  // namespace

void require_run(const ArchiveReader& archive, std::int64_t run, const std::string& option) {
  const TableData runs = archive.table(TableId::runs);
  const auto& known = integers_of(runs, "run");
  if (std::ranges::binary_search(known, run)) return;
  throw usage_error("the archive has no run " + std::to_string(run), option,
                    known.empty() ? "it has no runs"
                                  : "its runs are " + std::to_string(known.front()) + " to " +
                                        std::to_string(known.back()) + "; palstudy export --table runs lists them");
}

std::vector<std::string> exported_tables() {
  std::vector<std::string> names;
  for (const Table& table : all_tables()) {
    if (const std::string name = table.name + 1; name.find('/') == std::string::npos) names.push_back(name);
  }
  names.emplace_back("notes");
  return names;
}

std::string export_table(const ArchiveReader& archive, TableId id, std::int64_t run, bool json) {
  const TableData table = archive.table(id);
  TableData gpus;
  std::vector<Shown> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c].name;
    if (id != TableId::events || !name.starts_with("gpu_")) columns.push_back(show(name, table.values[c]));
  }
  if (id == TableId::events) {
    gpus = archive.table(TableId::event_gpus);
    columns.push_back(show_gpus(table, gpus));
  }
  const auto [begin, end] = rows_of(archive, table, run);
  return json ? to_json(columns, begin, end) : to_csv(columns, begin, end);
}

std::string export_notes(const ArchiveReader& archive, bool json) {
  const std::vector<WordedNote> notes = archive.notes();
  const auto text = [&](const char* name, auto of) -> Shown {
    return {name, [&notes, of](std::size_t row) { return csv_text(of(notes[row])); },
            [&notes, of](std::size_t row) -> Json { return of(notes[row]); }};
  };
  const auto values = [&](std::size_t row) -> Json { return Value(notes[row].note.values); };
  const std::vector<Shown> columns = {
      text("id", [](const WordedNote& one) { return one.note.id; }),
      text("severity", [](const WordedNote& one) { return std::string(name_of(one.note.severity)); }),
      text("subject", [](const WordedNote& one) { return one.note.subject; }),
      {"values", [&](std::size_t row) { return csv_field(values(row).dump(-1, ' ', false, invalid_replaced)); },
       values},
      text("text", [](const WordedNote& one) { return one.text; })};
  return json ? to_json(columns, 0, notes.size()) : to_csv(columns, 0, notes.size());
}

}  // namespace palstudy
