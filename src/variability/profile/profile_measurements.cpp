// SPDX-License-Identifier: MIT
#include "variability/profile/profile_measurements.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "stats/descriptive.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
namespace {

double median_of_launch(const ProfileRepeat& repeat) {
  return median({repeat.batch_ms.begin(), repeat.batch_ms.end()}) / static_cast<double>(repeat.launches);
}

std::string name_of(const Profile& profile, const ProfileKernel& kernel) {
  const auto same_name = [&](const ProfileKernel& other) { return other.name == kernel.name; };
  const bool one_size = std::count_if(profile.kernels.begin(), profile.kernels.end(), same_name) == 1;
  return one_size ? kernel.name : kernel.name + " (" + kernel.params + ")";
}

/// What is taken of the repeats of one kernel on one GPU.
struct Runs {
  std::vector<std::tuple<std::int32_t, std::int32_t, double>> times;  // by session, repeat
  std::vector<double> temps_c;                                        // of all samples
};

/// Imported measurements have no sessions.
bool is_import(const Profile& profile, std::int32_t session) {
  return profile.sessions.at(static_cast<std::size_t>(session)).backend == "import";
}

Measurements::Gpu make_gpu(const Profile& profile, std::int32_t place, Runs runs) {
  const ProfileGpu& gpu = profile.gpus.at(static_cast<std::size_t>(place));
  const bool imported = std::any_of(runs.times.begin(), runs.times.end(),
                                    [&](const auto& run) { return is_import(profile, std::get<0>(run)); });
  std::sort(runs.times.begin(), runs.times.end());
  Measurements::Gpu to;
  to.id = gpu.uuid;
  to.host = gpu.host;
  to.local = gpu.local;
  for (const auto& [session, repeat, time] : runs.times) {
    to.times_ms.push_back(time);
    if (!imported) to.session_of_run.push_back(session);
  }
  to.median = median(to.times_ms);
  if (!runs.temps_c.empty()) to.temp_c = median(std::move(runs.temps_c));
  return to;
}

}  // namespace

std::vector<Measurements> measurements_of(const Profile& profile) {
  std::vector<std::map<std::int32_t, Runs>> by_kernel(profile.kernels.size());
  for (const ProfileRepeat& repeat : profile.repeats) {
    if ((repeat.flags & wrong_result) != 0) continue;
    Runs& runs = by_kernel.at(static_cast<std::size_t>(repeat.kernel))[repeat.gpu];
    runs.times.emplace_back(repeat.session, repeat.repeat, median_of_launch(repeat));
    std::copy_if(repeat.telemetry.temp_c.begin(), repeat.telemetry.temp_c.end(), std::back_inserter(runs.temps_c),
                 [](double temp_c) { return std::isfinite(temp_c); });
  }
  std::vector<Measurements> all;
  for (std::size_t k = 0; k < by_kernel.size(); ++k) {
    if (by_kernel[k].empty()) continue;
    Measurements measured;
    measured.name = name_of(profile, profile.kernels[k]);
    for (auto& [gpu, runs] : by_kernel[k]) {
      measured.gpus.push_back(make_gpu(profile, gpu, std::move(runs)));
    }
    all.push_back(std::move(measured));
  }
  std::sort(all.begin(), all.end(), [](const Measurements& a, const Measurements& b) { return a.name < b.name; });
  return all;
}

}  // namespace palstudy
