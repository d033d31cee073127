// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace palstudy {

/// The studies that come with the program, by their paths under experiments/ without the ending, sorted; none where the
/// bundled data is not found.
[[nodiscard]] std::vector<std::string> experiment_names();

/// The text of one of them as the beginning of a study called `file`: inputs are named by absolute paths, so that it
/// can lie anywhere, and the first line names the JSON Schema of studies. Errors (usage): an unknown name.
[[nodiscard]] std::string study_to_begin_from(const std::string& name, const std::string& file);

}  // namespace palstudy
