// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The given values of one run with every other key filled in. A function of the values alone, and the same again of
/// what it returns. Errors (usage): keys that contradict each other, something missing.
[[nodiscard]] Point complete(const Point& given, const std::string& file);

/// What stands in for these where they are not given is `seed`.
inline constexpr std::array<const char*, 3> keys_like_seed = {"cluster.seed", "workload.seed", "policy.seed"};

/// The keys that enter an id, sorted, values in their shortest form, paths as written: what a run's id is the hash of.
[[nodiscard]] std::string canonical_text(const Point& point);
/// Whether the value of a key is part of it: not if it stands for what programs did before they had the key.
[[nodiscard]] bool enters_id(const std::string& key, const TomlValue& value);
/// One line of it.
[[nodiscard]] std::string canonical_line(const std::string& key, const TomlValue& value);
/// The id that follows from the text: 16 hex digits, XXH3-64.
[[nodiscard]] std::string id_of(const std::string& canonical);

/// The plan of a completed point; number and axis values are the caller's.
[[nodiscard]] RunPlan make_plan(const Point& point);

/// The study as TOML with all keys and axes written out. It reads back to the same runs, ids and digest.
[[nodiscard]] std::string resolved_text(const Draft& draft, const Study& study);

}  // namespace palstudy
