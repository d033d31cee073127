// SPDX-License-Identifier: MIT
#include "inputs/shared_inputs.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "core/file_bytes.hpp"
#include "core/host.hpp"
#include "inputs/inputs.hpp"
#include "parallel/agree.hpp"
#include "study/bundle_manifest.hpp"
#include "study/data_dir.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, std::set<fs::path>& paths) {
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    const auto extension = entry->path().extension();
    if (extension == ".toml" || extension == ".csv") paths.insert(entry->path());
  }
}

}  // namespace

std::vector<fs::path> study_files(const fs::path& study) {
  const fs::path file = study_file_of_bundle(study);
  return {file, file.parent_path() / bundle_manifest_name};
}

std::vector<fs::path> input_paths(const Study& study) {
  std::set<fs::path> paths;
  const auto& keys = path_keys();
  for (const auto& [given, where] : study.places) {
    if (std::ranges::find(keys, given.first) != keys.end()) paths.insert(study.resolve(given.second));
  }
  for (const char* folder : {"jobs", "jobs/failures", "jobs/generators"}) add_folder(data_dir() / folder, paths);
  const auto drawn = [](const RunPlan& run) { return source_of(run.cluster).uses("profile"); };
  if (std::ranges::any_of(study.runs, drawn)) {
    for (const char* folder : {"kernels/measurements", "kernels/measurements/runs"})
      add_folder(data_dir() / folder, paths);
  }
  return {paths.begin(), paths.end()};
}

void share_files(Mpi& mpi, const std::function<std::vector<fs::path>()>& files) {
  if (mpi.ranks() == 1) return;
  std::vector<fs::path> paths;
  if (mpi.rank() == 0) (void)failure_of([&] { paths = files(); });  // the reader fails in the same way
  std::size_t count = paths.size();
  mpi.broadcast(std::span(&count, 1));
  for (std::size_t i = 0; i < count; ++i) {
    std::string path, content;
    if (mpi.rank() == 0) {
      std::error_code none;
      path = paths[i].string();
      const auto size = fs::is_regular_file(path, none) ? fs::file_size(path, none) : 0;
      std::ifstream file;
      if (!none && size < std::numeric_limits<int>::max()) file.open(path, std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(file), {});
      if (!file.is_open() || content.size() != size) path.clear();  // the reader says why
    }
    path = mpi.broadcast(path);
    if (!path.empty()) add_file_copy(path, mpi.broadcast(content));
  }
}

InputPrefetch::InputPrefetch(const Study& study, Inputs& inputs, std::size_t first, std::size_t step)
    : study_(study),
      inputs_(inputs),
      next_(first),
      step_(step),
      least_free_mib_(available_memory_mib().value_or(0) / 2) {}

void InputPrefetch::load_some() {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(20);
  do load_next();
  while (next_ < study_.runs.size() && Clock::now() < until);
}

void InputPrefetch::load_next() {
  if (next_ >= study_.runs.size()) return;
  const RunPlan& run = study_.runs[next_];
  next_ += step_;
  try {
    (void)inputs_.load(run);
    if (available_memory_mib().value_or(least_free_mib_) < least_free_mib_) next_ = study_.runs.size();
  } catch (const std::exception&) {
    next_ = study_.runs.size();
  }
}

}  // namespace palstudy
