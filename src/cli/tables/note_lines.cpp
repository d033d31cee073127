// SPDX-License-Identifier: MIT
#include "cli/tables/note_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/tables/text_table.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_notes = 5;

/// All, by severity; of equal severity in the order in which they were found.
std::vector<WordedNote> sorted_notes(const Comparison& comparison) {
  std::vector<WordedNote> all = worded(comparison.notes);
  all.insert(all.end(), comparison.input_notes.begin(), comparison.input_notes.end());
  std::ranges::stable_sort(all, {}, [](const WordedNote& one) { return one.note.severity; });
  return all;
}

/// Whether the answer says it: no pair of runs makes a claim.
bool is_answer(const Comparison& comparison, const Note& note) {
  const bool some = std::ranges::any_of(comparison.groups, [](const ComparisonGroup& group) {
    return std::ranges::any_of(group.gains, [](const PolicyGain& one) { return one.gain.has_value(); });
  });
  const auto& id = note.id;
  return !some && (id == "failed" || id == "unfinished" || id == "unstable" || id == "no-baseline");
}

/// Notes of one id count once.
std::vector<WordedNote> one_of_each(const std::vector<WordedNote>& notes) {
  std::vector<WordedNote> first;
  for (const WordedNote& one : notes) {
    const auto same = [&](const WordedNote& other) { return other.note.id == one.note.id; };
    if (std::ranges::none_of(first, same)) first.push_back(one);
  }
  return first;
}

/// In 16 columns, in the colour of its severity.
std::string padded_id(const Note& note) {
  constexpr std::size_t columns = 16;
  const std::string fill(note.id.size() < columns ? columns - note.id.size() : 0, ' ');
  if (note.severity == Severity::info) return note.id + fill;
  return tinted(note.id, note.severity == Severity::stop ? Tint::worse : Tint::care) + fill;
}

}  // namespace

std::string heaviest_notes(const Comparison& comparison, std::size_t columns) {
  auto all = sorted_notes(comparison);
  std::erase_if(all, [&](const WordedNote& one) { return is_answer(comparison, one.note); });
  auto first = one_of_each(all);
  if (first.size() > most_notes) first.resize(most_notes);
  std::string text = first.empty() ? "" : "notes\n";
  for (const auto& [note, sentence] : first) text += paragraph("  " + padded_id(note) + " ", sentence, columns);
  std::vector<std::string> more;
  if (all.size() > first.size()) more.push_back(fmt::format("{} more: --notes", all.size() - first.size()));
  more.emplace_back("assumed: --assumptions");
  if (!first.empty()) more.push_back("meaning: palstudy explain " + first.front().note.id);
  return text + paragraph("", join(more, "   "), columns);
}

std::string note_ids(const Comparison& comparison, std::size_t columns) {
  std::vector<std::string> ids;
  for (const WordedNote& one : one_of_each(sorted_notes(comparison))) ids.push_back(one.note.id);
  if (ids.size() > most_notes) {
    ids[most_notes] = fmt::format("{} more: --notes", ids.size() - most_notes);
    ids.resize(most_notes + 1);
  }
  return ids.empty() ? "" : paragraph("notes: ", join(ids), columns);
}

std::string all_notes(const Comparison& comparison, std::size_t columns) {
  std::string text;
  for (const auto& [note, sentence] : sorted_notes(comparison)) {
    text += paragraph(fmt::format("{:<4}  {} ", name_of(note.severity), padded_id(note)), sentence, columns);
  }
  return text;
}

}  // namespace palstudy
