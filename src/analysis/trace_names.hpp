// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

namespace palstudy {

/// What traces are called for people: the name of the file without folder and endings ("sia1"), where no other of them
/// has that name; by the path as the study writes it.
[[nodiscard]] std::map<std::string, std::string> trace_names(const std::vector<std::string>& paths);

/// A text that has "workload.trace = PATH" in it, with the names in place of the paths.
[[nodiscard]] std::string with_trace_names(std::string text, const std::map<std::string, std::string>& names);

}  // namespace palstudy
