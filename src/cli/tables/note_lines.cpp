// SPDX-License-Identifier: MIT
#include "cli/tables/note_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "words/note_text.hpp"

namespace palstudy {
namespace {

bool is_on_load(const Note& note) {
  constexpr std::array ids = {"overloaded", "over-one", "backlog", "waiting"};
  const bool queues = note.id == "no-job-rows" && note.subject == "overloaded";
  return queues || std::ranges::find(ids, note.id) != ids.end();
}

/// Notes that stand above the tables, or beside the intervals.
bool stands_elsewhere(const Note& note) {
  constexpr std::array ids = {"failed", "unfinished", "unstable", "up-to-end", "donors"};
  return is_on_load(note) || std::ranges::find(ids, note.id) != ids.end();
}

template <class Which>
std::string lines(const Comparison& comparison, const char* before, Which which) {
  std::string text;
  for (const Note& note : comparison.notes) {
    if (which(note)) text += before + text_of(note) + "\n";
  }
  return text;
}

}  // namespace

std::string lines_of(const Comparison& comparison, std::initializer_list<std::string_view> ids) {
  return lines(comparison, "", [&](const Note& note) { return std::ranges::find(ids, note.id) != ids.end(); });
}

std::string load_lines(const Comparison& comparison) { return lines(comparison, "", is_on_load); }

std::string warning_lines(const Comparison& comparison) {
  constexpr std::size_t most = 12;  // of the run; more are counted
  std::string text;
  text += lines(comparison, "Warning: ", [](const Note& note) { return !stands_elsewhere(note); });
  const auto& of_run = comparison.input_notes;
  for (std::size_t i = 0; i < std::min(of_run.size(), most); ++i) text += "Warning: " + of_run[i].text + "\n";
  if (of_run.size() > most) text += fmt::format("and {} more warnings of the run (--json)\n", of_run.size() - most);
  return text;
}

}  // namespace palstudy
