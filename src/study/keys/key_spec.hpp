// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/keys/keys.hpp"

/// Specifications of keys, by the kind of value. An empty default is none; `derived` says where it then comes from.
namespace palstudy::key_spec {

inline constexpr double max_integer = 9223372036854775807.0;
inline constexpr double max_seconds = 1e9;  ///< of a round or a migration; beyond it a run could stand still
inline constexpr double max_penalty = 1e6;  ///< as of a slowdown

[[nodiscard]] KeySpec integer(std::string key, std::string unit, std::string value, std::string summary, double least,
                              double most);
/// Derived from `seed`.
[[nodiscard]] KeySpec seed(std::string key, std::string summary);
/// Not below 0.
[[nodiscard]] KeySpec number(std::string key, std::string unit, std::string value, std::string summary);
[[nodiscard]] KeySpec above_zero(KeySpec spec, bool infinite = false);
[[nodiscard]] KeySpec factor(std::string key, std::string derived, std::string summary);
[[nodiscard]] KeySpec text(KeyType type, std::string key, std::string value, std::string derived, std::string summary);
/// `later`: what is known but not built yet.
[[nodiscard]] KeySpec choice(std::string key, std::string value, std::string summary, std::vector<std::string> choices,
                             std::vector<std::string> later = {});
[[nodiscard]] KeySpec boolean(std::string key, std::string value, std::string summary);
/// Of the study as a whole, so on no axis.
[[nodiscard]] KeySpec of_study(KeySpec spec);

}  // namespace palstudy::key_spec
