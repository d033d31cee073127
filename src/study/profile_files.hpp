// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "variability/sources.hpp"

namespace palstudy {

/// What `palstudy profile` is given as FILE: a bundled machine ("longhorn": all its measurements), one bundled
/// measurement
/// ("longhorn-sgemm"), or the CSV of a measurement (a row a GPU) beside which `runs/` has one of the same name (a row a
/// run). A further kind of file is one more branch here. By name, never empty.
/// Errors: (usage) a name that is none of these, with the nearest; (data) a file that cannot be read.
[[nodiscard]] std::vector<Measurements> load_profile(const std::string& file);

/// Which classes stand on each bundled measurement: "longhorn-sgemm" -> "reliable: A".
[[nodiscard]] std::map<std::string, std::string> classes_of_measurements();

}  // namespace palstudy
