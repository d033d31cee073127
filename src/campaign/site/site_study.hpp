// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace palstudy {

/// The files of a site, from which a study of it is made.
struct SiteFiles {
  std::filesystem::path trace, profile;  ///< the profile as .h5, or as a file that `profile import` knows
  std::vector<NodeGroup> nodes;
  std::filesystem::path study;  ///< to write
  bool force = false;           ///< files that are there may be replaced
};

/// "60x4,10x8": 60 nodes of 4 GPUs, then 10 of 8. Errors (usage, at --nodes): anything else.
[[nodiscard]] std::vector<NodeGroup> nodes_named(const std::string& text);

/// Writes a study of the site beside `study`, and returns what was written: STUDY.toml, STUDY.classes.toml,
/// STUDY.class-of.csv and, if the profile is not a profile file, STUDY.profile.h5. The scheduler is Slurm's backfill;
/// every job is of the class of the kernel that most GPUs were measured with. Files are written as a whole or not at
/// all, the study last. `command`: for the first line and the profile's provenance. Errors: (usage) one of the files is
/// there; (data) a trace of no known format, a profile that cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> write_site_study(const SiteFiles& files, const std::string& command);

}  // namespace palstudy
