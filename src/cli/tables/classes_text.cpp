// SPDX-License-Identifier: MIT
#include "cli/tables/classes_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "archive/note_json.hpp"
#include "cli/tables/text_table.hpp"
#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* written_by = "# Written by `palstudy classify";

constexpr double most_share = 10;  // over 1 can be; over this it is a percentage

Figure to_3_places(double value) { return {value, 3}; }
Figure percent(double value) { return {value, 2, true}; }

FigureTable kernel_table(const Classification& of) {
  FigureTable table{{"kernel", "class", "GPUs", "launch ms", "DRAM use", "at most", "FU use", "spread", "counted by"},
                    {}};
  for (std::size_t i = 0; i < of.uses.size(); ++i) {
    const KernelUse& use = of.uses[i];
    table.rows.push_back({use.label, of.class_of[i].empty() ? "-" : of.class_of[i],
                          Figure{static_cast<double>(use.gpus), 0}, Figure{1e3 * use.time_s}, to_3_places(use.u_dram),
                          to_3_places(use.u_dram_most), to_3_places(use.u_fu), percent(use.spread),
                          use.imported ? "profiler" : "formula"});
  }
  return table;
}

FigureTable tried_table(const Classification& of) {
  FigureTable table{{"K", "silhouette"}, {}};
  for (const TriedK& one : of.tried) {
    table.rows.push_back({Figure{static_cast<double>(one.k), 0}, to_3_places(one.silhouette)});
  }
  return table;
}

std::string member_labels(const Classification& of, const KernelClass& cls) {
  std::vector<std::string> labels;
  for (const std::size_t i : cls.members) labels.push_back(of.uses[i].label);
  return join(labels);
}

FigureTable class_table(const Classification& of) {
  FigureTable table{{"class", "stands for it", "DRAM use", "FU use", "spread", "kernels"}, {}};
  for (const KernelClass& cls : of.classes) {
    table.rows.push_back({cls.name, of.uses[cls.representative].label, to_3_places(cls.centroid.x),
                          to_3_places(cls.centroid.y), percent(cls.spread), member_labels(of, cls)});
  }
  return table;
}

FigureTable other_table(const Classification& of, const std::vector<KnownUse>& others) {
  FigureTable table{{"application", "class", "DRAM use", "FU use", "distance", "next", "next distance"}, {}};
  for (const KnownUse& other : others) {
    const Assigned found = assign(of, other.application, other.use);
    table.rows.push_back({other.application, found.cls.empty() ? "-" : found.cls, to_3_places(other.use.x),
                          to_3_places(other.use.y), Figure{found.distance, 2}, found.next.empty() ? "-" : found.next,
                          Figure{found.next.empty() ? std::nan("") : found.next_distance, 2}});
  }
  return table;
}

std::string by_spread(const Classification& of) {
  auto classes = of.classes;
  std::ranges::stable_sort(classes, [](const auto& a, const auto& b) { return a.spread > b.spread; });
  std::vector<std::string> names;
  for (const KernelClass& cls : classes) names.push_back(cls.name);
  return join(names);
}

std::string spread_sentence(const Classification& of) {
  const SpreadOrder& order = of.order;
  if (order.pairs == 0) return "One class: there is no order to compare with that of the spreads.";
  const bool all = order.agreeing == order.pairs;
  return fmt::format(
      "{}: the class that computes more varies more in {} of {} pairs; by spread the order is {}. Of the kernels, "
      "Kendall's tau of FU use less DRAM use and spread is {:.2f}.",
      all ? "The order agrees with the measured spreads" : "The order does not agree with the measured spreads",
      order.agreeing, order.pairs, by_spread(of), order.tau);
}

std::vector<WordedNote> notes_of(const Classification& of, const std::vector<KnownUse>& others) {
  std::vector<Note> all = of.notes;
  for (const KnownUse& other : others) {
    if (auto unsure = assign(of, other.application, other.use).unsure) all.push_back(std::move(*unsure));
  }
  return worded(all);
}

}  // namespace

std::vector<KnownUse> read_known_uses(const std::string& path) {
  const CsvTable table = CsvTable::read(path);
  const std::size_t name = table.column("application"), dram = table.column("u_dram"), fu = table.column("u_fu");
  const auto share_of = [&](std::size_t row, std::size_t column) {
    const double value = table.number(row, column);
    if (value >= 0 && value <= most_share) return value;
    throw data_error(fmt::format("{} is not a share of the peak", shortest(value)), table.where(row, column),
                     "write 0 to 1, not per cent");
  };
  std::vector<KnownUse> uses;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    uses.push_back({std::string(table.text(row, name)), {share_of(row, dram), share_of(row, fu)}});
  }
  return uses;
}

std::string classes_text(const Classification& of, const std::vector<KnownUse>& others) {
  std::string text = figures_text(kernel_table(of)) + "\n";
  if (!of.tried.empty()) text += figures_text(tried_table(of)) + "\n";
  text += figures_text(class_table(of)) + "\n" + spread_sentence(of) + "\n";
  if (!others.empty()) text += "\n" + figures_text(other_table(of, others));
  const auto notes = notes_of(of, others);
  if (!notes.empty()) text += "\n";
  for (const WordedNote& note : notes) text += note.text + "\n";
  return text;
}

std::string classes_json(const Classification& of, const std::vector<KnownUse>& others) {
  Json all;
  all["kernels"] = Json::parse(figures_json(kernel_table(of)));
  all["silhouettes"] = Json::parse(figures_json(tried_table(of)));
  all["classes"] = Json::parse(figures_json(class_table(of)));
  all["spread_order"] = {{"agreeing_pairs", of.order.agreeing}, {"pairs", of.order.pairs}, {"tau", of.order.tau}};
  all["others"] = Json::parse(figures_json(other_table(of, others)));
  all["notes"] = notes_of(of, others);
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_classes_toml(const std::filesystem::path& file) {
  std::ifstream text(file);
  std::string first, second;
  std::getline(text, first);
  std::getline(text, second);
  return second.starts_with(written_by);
}

std::string classes_toml(const Classification& of, const std::string& name, const std::string& profile) {
  std::string text = fmt::format(
      "# What stands for each class of kernels, from those that compute to those that wait for memory.\n"
      "{} {}`.\n\n[classes.{}]\n",
      written_by, shell_word(profile), name);
  for (const KernelClass& cls : of.classes) {
    text += fmt::format("{} = \"{}\"  # {}\n", cls.name, of.uses[cls.representative].label, member_labels(of, cls));
  }
  return text;
}

}  // namespace palstudy
