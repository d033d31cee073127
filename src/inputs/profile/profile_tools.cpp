// SPDX-License-Identifier: MIT
#include "inputs/profile/profile_tools.hpp"

#include "archive/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/host.hpp"
#include "core/sha256.hpp"
#include "variability/profile/profile_import.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// Refuses other kinds of files first, so that the error is not about missing runs.
void require_gpu_csv(const std::string& text, const fs::path& file) {
  if (text.substr(0, text.find('\n')).find("gpu_id") != std::string::npos) return;
  if (text.starts_with("\x89HDF\r\n")) {
    throw data_error("is no CSV but HDF5", file.string(), "palstudy profile merge joins profiles");
  }
  throw data_error("is neither a CSV of GPUs, whose first line has gpu_id, nor what ncu --csv prints", file.string(),
                   "ncu prints its table on standard output: ncu --csv --metrics ... ./app > app.csv");
}

/// Of the content, so that importing the same files again gives the same session.
std::string session_id(const fs::path& path, const fs::path& runs) {
  constexpr std::size_t digits = 12;
  return "import-" + path.stem().string() + "-" + sha256_hex(sha256_file(path) + sha256_file(runs)).substr(0, digits);
}

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

Imported import_files(const std::vector<fs::path>& files) {
  Imported result;
  std::vector<NamedProfile> profiles;
  for (const fs::path& file : files) {
    const std::string text = read_text_file(file);
    result.read.push_back(file);
    if (is_ncu_csv(text)) {
      profiles.push_back({file.string(), import_ncu(text, file.string())});
      continue;
    }
    require_gpu_csv(text, file);
    const fs::path runs = file.parent_path() / "runs" / file.filename();
    if (!fs::is_regular_file(runs)) {
      throw data_error("the runs of this measurement are missing", runs.string(),
                       "a CSV with a row for each run has to stand there: gpu_id,time_ms");
    }
    result.read.push_back(runs);
    profiles.push_back({file.string(), import_measurements(file, session_id(file, runs))});
  }
  result.merged = merge_profiles(profiles);
  return result;
}

}  // namespace palstudy
