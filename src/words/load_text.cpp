// SPDX-License-Identifier: MIT
#include "words/load_text.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

/// "3 of 20 runs", "all 20 runs", "the one run".
std::string some_runs_of(std::size_t some, std::size_t all) {
  if (some < all) return fmt::format("{} of {} runs", grouped(some), grouped(all));
  return all == 1 ? "the one run" : fmt::format("all {} runs", grouped(all));
}

std::string growth_text(const Value& growth) {
  if (!growth.known()) return "how fast the queue grows is not known";
  if (growth.most() <= 0) return "the queue does not grow yet";
  if (growth.least() <= 0) return fmt::format("the queue grows by up to {} jobs an hour", in_digits(growth.most()));
  return fmt::format("the queue grows by {} jobs an hour", range_text(growth));
}

std::string backlog_details(const Note& note) {
  return fmt::format(
      "the queue shrinks by {} jobs an hour while the measured jobs arrive, which wait for jobs that came before; the "
      "offered load does not count those",
      range_text(note["shrink"]));
}

/// Of a policy and its baseline, which the note names.
std::string where_of_pair(const Note& note) {
  const Value &policy = note["policies"].list().at(0), &baseline = note["policies"].list().at(1);
  const auto name = [&](const Value& one) { return policy_text(find(note.values, "key"), one["name"].name()); };
  const std::size_t ours = policy["runs"].count(), theirs = baseline["runs"].count();
  const std::size_t of_ours = policy["of"].count(), of_theirs = baseline["of"].count();
  if (ours == of_ours && theirs == of_theirs) return "";
  const std::string runs = some_runs_of(ours, of_ours), baselines = some_runs_of(theirs, of_theirs);
  if (runs == baselines) return fmt::format(" in {} of each", runs);
  if (ours == 0) return fmt::format(" in {} of {} alone", baselines, name(baseline));
  if (theirs == 0) return fmt::format(" in {} of {} alone", runs, name(policy));
  return fmt::format(" in {} of {}, {} of {}", baselines, name(baseline), runs, name(policy));
}

std::string overload_details(const Note& note) {
  const std::string load =
      note["load"].known() ? fmt::format("offered load {}, ", range_text(note["load"])) : std::string();
  return load + growth_text(note["growth"]);
}

}  // namespace

std::string overload_of_pair_text(const Note& note) {
  return fmt::format("{}{}: {}", note.id, where_of_pair(note),
                     note.id == "backlog" ? backlog_details(note) : overload_details(note));
}

}  // namespace palstudy
