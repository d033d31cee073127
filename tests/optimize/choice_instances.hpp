// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "optimize/multiple_choice.hpp"

namespace palstudy {

/// A program of choices, to be given to `MultipleChoice` or to a slower twin.
struct ChoiceInstance {
  struct Row {
    std::vector<Choice> choices;
    std::int64_t cost_of_none = 0;
    std::optional<std::uint32_t> pinned;
  };
  std::vector<std::uint32_t> capacities;
  std::vector<Row> rows;

  void give_to(MultipleChoice& program) const {
    program.begin(capacities);
    for (const Row& row : rows) program.add_row(row.choices, row.cost_of_none, row.pinned);
  }
};

/// What a scheduler such as Sia (SOSP'23) asks in a round: jobs of different scaling that may have 1, 2, 4, 8 GPUs of
/// one type, or whole nodes of 8, up to twice as many as they have. Costs are hundredths of (goodput / least)^-0.5,
/// less 1.1. Nested: the types are thresholds, a higher one is slower and may also use the GPUs of those before it.
inline ChoiceInstance scheduling_round(const std::vector<std::uint32_t>& gpus, std::size_t jobs, std::uint64_t seed,
                                       bool nested = false) {
  const auto types = static_cast<std::uint32_t>(gpus.size());
  ChoiceInstance instance{gpus, {}};
  for (std::size_t k = 1; nested && k < types; ++k) instance.capacities[k] += instance.capacities[k - 1];
  for (std::size_t job = 0; job < jobs; ++job) {
    RandomStream stream(seed, Purpose::job_shape, job);
    const double serial = 0.005 * std::pow(40, stream.uniform());
    const std::uint32_t current = 1U << stream.below(7), current_type = stream.below(types);
    const double restart = 0.3 + 0.7 * stream.uniform();
    std::vector<std::pair<Choice, double>> configurations;
    double least = INFINITY;
    for (std::uint32_t k = 0; k < types; ++k) {
      const double speed = (0.7 + 0.6 * stream.uniform()) * (nested ? 1 / (1 + 0.05 * k) : 1 + 0.6 * k);
      for (std::uint32_t n = 1; n <= std::min({2 * current, 64U, gpus[k]}); n += n < 8 ? n : 8) {
        const double goodput = speed * n / (1 + serial * (n - 1 + (n > 8 ? 3 : 0)));
        least = std::min(least, goodput);
        configurations.push_back({{0, n, k, nested ? types : k + 1}, goodput});
      }
    }
    ChoiceInstance::Row row;
    for (auto& [choice, goodput] : configurations) {
      const bool stays = choice.amount == current && choice.first == current_type;
      choice.cost = std::llround(100 / std::sqrt(goodput / least * (stays ? 1 : restart))) - 110;
      row.choices.push_back(choice);
    }
    instance.rows.push_back(std::move(row));
  }
  return instance;
}

}  // namespace palstudy
