// SPDX-License-Identifier: MIT
#include "inputs/profile/profile_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "archive/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "core/text.hpp"
#include "study/data_dir.hpp"
#include "study/run_plan.hpp"
#include "study/study.hpp"
#include "variability/profile/profile.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "workload/model_table.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

fs::path bundled_dir() { return data_dir() / "kernels/measurements"; }

std::vector<Measurements> load_bundled(const std::string& name) {
  std::vector<Measurements> all;
  for (const auto& bundled : bundled_measurement_names()) {
    if (bundled == name || bundled.starts_with(name + "-")) all.push_back(read_measurements(bundled_dir(), bundled));
  }
  return all;
}

Measurements load_csv(const fs::path& path) {
  const fs::path runs = path.parent_path() / "runs" / path.filename();
  if (!fs::is_regular_file(path)) throw data_error("there is no such file", path.string());
  if (!fs::is_regular_file(runs)) {
    throw data_error("the runs of this measurement are missing", runs.string(),
                     "a CSV with a row for each run has to stand there: gpu_id,time_ms");
  }
  return read_measurements(path.parent_path(), path.stem().string());
}

LoadedProfile load_h5(const std::string& path) {
  const Profile profile = read_profile(path);
  LoadedProfile loaded{measurements_of(profile), profile_notes(profile, path)};
  if (loaded.measured.empty()) throw data_error("the profile has no times of GPUs", path, "measure, or import some");
  return loaded;
}

Error unknown(const std::string& file) {
  auto names = bundled_measurement_names();
  const auto machines = bundled_machines();
  names.insert(names.end(), machines.begin(), machines.end());
  const std::string all = join(std::vector<std::string>(machines.begin(), machines.end()));
  const std::string give = "give a machine (" + all + "), one of its measurements, a CSV, or a profile (.h5)";
  if (fs::is_directory(file)) return data_error("is a folder", file, give);
  return usage_error(fmt::format("no profile \"{}\"{}", file, suggestion(file, names)), "", give);
}

}  // namespace

LoadedProfile load_profile(const std::string& file) {
  if (fs::path(file).extension() == ".csv") return {{load_csv(file)}, {}};
  if (is_profile_path(file)) return load_h5(file);
  auto bundled = file.empty() ? std::vector<Measurements>{} : load_bundled(file);
  if (bundled.empty()) throw unknown(file);
  return {std::move(bundled), {}};
}

std::vector<std::string> bundled_measurement_names() {
  static const std::vector<std::string> names = [] {
    std::vector<fs::path> paths = copies_in(bundled_dir());
    if (paths.empty()) paths.assign(fs::directory_iterator(bundled_dir()), {});
    std::vector<std::string> all;
    for (const fs::path& path : paths) {
      if (path.extension() == ".csv") all.push_back(path.stem().string());
    }
    std::ranges::sort(all);
    return all;
  }();
  return names;
}

std::set<std::string> bundled_machines() {
  std::set<std::string> machines;
  for (const auto& name : bundled_measurement_names()) machines.insert(name.substr(0, name.find('-')));
  return machines;
}

void refuse_bundled(const std::string& file, const std::string& lacks) {
  if (fs::exists(file)) return;
  for (const auto& name : bundled_measurement_names()) {
    if (name != file && !name.starts_with(file + "-")) continue;
    throw usage_error("\"" + file + "\" is a bundled name: times of GPUs, and " + lacks, file,
                      "it is good for cluster.profile and for palstudy profile show, reliability and bins; here give a "
                      "profile (.h5) that palstudy measure or palstudy profile import has written");
  }
}

std::map<std::string, std::string> classes_of_measurements() {
  std::map<std::string, std::string> all;
  for (const auto& [table, classes] : read_model_table(data_dir() / "jobs/models.toml").classes) {
    std::map<std::string, std::vector<std::string>> of_table;
    for (const auto& [cls, name] : classes) of_table[name].push_back(cls);
    for (const auto& [name, letters] : of_table) {
      all[name] += (all[name].empty() ? "" : "; ") + table + ": " + join(letters, " ");
    }
  }
  return all;
}

}  // namespace palstudy
