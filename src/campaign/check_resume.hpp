// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "study/study.hpp"

namespace palstudy {

/// The first key, in sorted order, in which two resolved studies differ so that their runs do, as a sentence with both
/// values: "engine.round_s was 360 and is 300". "" if there is none. Names, what is compared, when to stop,
/// how often a run is saved, and more or fewer values at the end of an axis make none.
[[nodiscard]] std::string first_difference(const std::string& before, const std::string& now);

/// The first input whose SHA-256 was another one, with both; "" if there is none. An input that only one names makes
/// none.
[[nodiscard]] std::string changed_input(const std::map<std::string, std::string>& before,
                                        const std::map<std::string, std::string>& now);

/// Refuses to go on with the shards of a campaign whose study or inputs (`inputs`: their SHA-256 now) were others.
/// Errors (usage): the first difference, with the value before and now.
void check_same_campaign(const Study& study, const std::map<std::string, std::string>& inputs,
                         const std::filesystem::path& parts);

}  // namespace palstudy
