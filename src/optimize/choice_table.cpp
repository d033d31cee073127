// SPDX-License-Identifier: MIT
#include "optimize/choice_table.hpp"

#include <algorithm>
#include <limits>

namespace palstudy {

namespace {

/// By how much the place of a state in a table moves if the choice is taken.
std::size_t shift_of(const Choice& choice, const std::vector<std::size_t>& strides) {
  std::size_t shift = 0;
  for (std::uint32_t k = choice.first; k < choice.last; ++k) shift += choice.amount * strides[k];
  return shift;
}

/// Of resource k by all rows together, at most its capacity: more need not be told apart.
std::uint32_t most_wanted(const ChoiceRows& rows, std::uint32_t k) {
  std::uint64_t wanted = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    std::uint32_t most = 0;
    for (const Choice& choice : rows.row(j)) {
      if (choice.first <= k && k < choice.last) most = std::max(most, choice.amount);
    }
    wanted += most;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(rows.capacities[k], wanted));
}

}  // namespace

bool ChoiceTable::fits(const ChoiceRows& rows, std::size_t entries) {
  std::int64_t least = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    std::int64_t lowest = 0;
    for (const Choice& choice : rows.row(j)) lowest = std::min(lowest, choice.cost);
    least += lowest;
    if (least < std::numeric_limits<std::int32_t>::min()) return false;
  }
  most_.resize(rows.capacities.size());
  strides_.resize(most_.size());
  states_ = 1;
  for (std::size_t k = most_.size(); k-- > 0;) {
    most_[k] = most_wanted(rows, static_cast<std::uint32_t>(k));
    strides_[k] = states_;
    if (most_[k] >= entries / states_) return false;
    states_ *= most_[k] + std::size_t{1};
  }
  return rows.size() + 1 <= entries / states_;
}

/// Improves the table at all states from which the choice can be taken: those from `state` on in which what is left of
/// the resources before `dimension` is given. The states are in one piece from the last resource on that it needs.
void ChoiceTable::add_choice(const Choice& choice, std::size_t shift, std::uint32_t dimension, std::size_t state) {
  const std::size_t stride = strides_[dimension];
  if (dimension + 1 == choice.last) {
    const auto cost = static_cast<std::int32_t>(choice.cost);
    const std::size_t end = state + (most_[dimension] + std::size_t{1}) * stride;
    const std::int32_t* later = later_;
    std::int32_t* table = table_;
    for (std::size_t s = state + choice.amount * stride; s < end; ++s) {
      table[s] = std::min(table[s], later[s - shift] + cost);
    }
    return;
  }
  for (std::uint32_t left = dimension < choice.first ? 0 : choice.amount; left <= most_[dimension]; ++left) {
    add_choice(choice, shift, dimension + 1, state + left * stride);
  }
}

void ChoiceTable::solve(const ChoiceRows& rows, std::vector<std::uint32_t>& chosen) {
  const std::size_t count = rows.size();
  entries_.resize(std::max(entries_.size(), (count + 1) * states_));
  const auto table_of = [&](std::size_t row) { return entries_.data() + (count - row) * states_; };
  std::fill_n(table_of(count), states_, 0);
  for (std::size_t j = count; j-- > 0;) {
    later_ = table_of(j + 1);
    table_ = table_of(j);
    std::copy_n(later_, states_, table_);
    for (const Choice& choice : rows.row(j)) add_choice(choice, shift_of(choice, strides_), 0, 0);
  }
  chosen.assign(count, no_choice);
  std::vector<std::uint32_t> left = most_;
  std::size_t state = states_ - 1;
  for (std::size_t j = 0; j < count; ++j) {
    const auto choices = rows.row(j);
    for (std::uint32_t i = 0; i < choices.size() && chosen[j] == no_choice; ++i) {
      const std::size_t shift = shift_of(choices[i], strides_);
      if (!has_room(choices[i], left) || table_of(j)[state] != table_of(j + 1)[state - shift] + choices[i].cost)
        continue;
      take(choices[i], left);
      chosen[j] = i;
      state -= shift;
    }
  }
}

}  // namespace palstudy
