// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// What `palstudy profile` is given as FILE: a bundled machine ("longhorn": all its measurements), one bundled
/// measurement ("longhorn-sgemm"), the CSV of a measurement (a row a GPU) beside which `runs/` has one of the same name
/// (a row a run), or a profile (.h5): a measurement a kernel (measurements_of).
struct LoadedProfile {
  std::vector<Measurements> measured;  ///< by name, never empty
  std::vector<Note> notes;             ///< profile_notes, of a profile
};
/// Errors: (usage) a name that is none of these, with the nearest; (data) a file that cannot be read.
[[nodiscard]] LoadedProfile load_profile(const std::string& file);

/// Of kernels/measurements/, sorted: "longhorn-sgemm".
[[nodiscard]] std::vector<std::string> bundled_measurement_names();
/// The machines that these are of: "longhorn".
[[nodiscard]] std::set<std::string> bundled_machines();

/// For commands that need more than times. Errors (usage): `file` is not there, and is the name of bundled data;
/// `lacks` says what of these is missing.
void refuse_bundled(const std::string& file, const std::string& lacks);

/// Which classes stand on each bundled measurement: "longhorn-sgemm" -> "reliable: A".
[[nodiscard]] std::map<std::string, std::string> classes_of_measurements();

}  // namespace palstudy
