// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bundle/redact.hpp"
#include "hdf5/hdf5.hpp"

namespace palstudy {

/// What the copy of an archive has otherwise.
struct Overrides {
  std::map<std::string, hdf5::AttributeValue> attributes = {};  ///< of the root
  std::string study = {};                                       ///< the resolved one
  std::map<std::string, std::string> renamed_ids = {};          ///< Provenance::renamed_ids of the copy
  std::map<std::string, std::string> paths = {};                ///< of inputs: as written -> what stands for it
};

/// Writes an archive or a profile again, its hosts, cabinets, GPUs and jobs of Slurm by `names` (so that a first copy
/// takes them and a second has their numbers), and without command lines, notes and remarks. What the digest of an
/// archive covers stays; that of a profile is computed again. Errors (data): cannot be read or written.
void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, NumberedNames& names,
                      Overrides instead = {});

}  // namespace palstudy
