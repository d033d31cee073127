// SPDX-License-Identifier: MIT
#include "inputs/profile/profile_tools.hpp"

#include "archive/profile/profile_file.hpp"
#include "core/host.hpp"
#include "core/sha256.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

}  // namespace

Provenance profile_provenance(const std::string& command_line, const std::vector<fs::path>& inputs,
                              const std::vector<WordedNote>& notes) {
  Provenance from;
  from.command_line = command_line;
  from.host = host_name();
  from.start_utc = from.end_utc = utc_now();
  from.notes = notes;
  for (const fs::path& input : inputs) from.input_sha256.emplace(input.string(), sha256_file(input));
  return from;
}

MergedProfile merge_profile_files(const std::vector<fs::path>& files) {
  std::vector<NamedProfile> profiles;
  for (const fs::path& file : files) profiles.push_back({file.string(), read_profile(file)});
  return merge_profiles(profiles);
}

}  // namespace palstudy
