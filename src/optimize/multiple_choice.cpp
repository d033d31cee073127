// SPDX-License-Identifier: MIT
#include "optimize/multiple_choice.hpp"

#include "core/error.hpp"
#include "optimize/choice_search.hpp"

namespace palstudy {

void MultipleChoice::begin(std::span<const std::uint32_t> capacities) {
  open_.capacities.assign(capacities.begin(), capacities.end());
  open_.choices.clear();
  open_.starts.assign(1, 0);
  number_.clear();
  row_.clear();
  fixed_ = 0;
  solution_.choices.clear();
}

/// Whether no first optimum has the choice: none costs less, or another choice that needs nothing more costs less, or
/// as much and comes before it.
bool MultipleChoice::is_useless(std::span<const Choice> choices, std::size_t i, std::int64_t cost_of_none) {
  const Choice& choice = choices[i];
  if (choice.cost > cost_of_none) return true;
  for (std::size_t j = 0; j < choices.size(); ++j) {
    const Choice& other = choices[j];
    if (other.cost > choice.cost || (other.cost == choice.cost && j >= i)) continue;
    if (other.amount <= choice.amount && other.first >= choice.first && other.last <= choice.last) return true;
  }
  return false;
}

void MultipleChoice::add_row(std::span<const Choice> choices, std::int64_t cost_of_none,
                             std::optional<std::uint32_t> pinned) {
  for (const Choice& choice : choices) {
    if (choice.first >= choice.last || choice.last > open_.capacities.size()) throw fault("a choice of no resources");
  }
  solution_.choices.push_back(pinned.value_or(no_choice));
  if (pinned && *pinned != no_choice) {
    const Choice& choice = choices[*pinned];
    if (!has_room(choice, open_.capacities)) throw fault("a pinned choice takes more than there is");
    take(choice, open_.capacities);
    fixed_ += choice.cost;
    return;
  }
  fixed_ += cost_of_none;
  if (pinned) return;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (!has_room(choices[i], open_.capacities) || is_useless(choices, i, cost_of_none)) continue;
    const Choice& choice = choices[i];
    open_.choices.push_back({choice.cost - cost_of_none, choice.amount, choice.first, choice.last});
    number_.push_back(static_cast<std::uint32_t>(i));
  }
  if (open_.choices.size() == open_.starts.back()) return;
  open_.starts.push_back(open_.choices.size());
  row_.push_back(solution_.choices.size() - 1);
}

const MultipleChoiceSolution& MultipleChoice::solve(const MultipleChoiceLimits& limits) {
  const bool small = table_.fits(open_, limits.table_entries);
  std::int64_t bound = 0, objective = 0;
  if (small) {
    table_.solve(open_, chosen_);
  } else {
    bound = search_choices(open_, {limits.relative_gap, limits.nodes, limits.first_choices}, chosen_);
  }
  for (std::size_t j = 0; j < open_.size(); ++j) {
    if (chosen_[j] == no_choice) {
      solution_.choices[row_[j]] = no_choice;  // of an earlier solution
      continue;
    }
    objective += open_.row(j)[chosen_[j]].cost;
    solution_.choices[row_[j]] = number_[open_.starts[j] + chosen_[j]];
  }
  solution_.objective = fixed_ + objective;
  solution_.bound = fixed_ + (small ? objective : bound);
  return solution_;
}

}  // namespace palstudy
