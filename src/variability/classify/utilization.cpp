// SPDX-License-Identifier: MIT
#include "variability/classify/utilization.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/numbers.hpp"
#include "stats/descriptive.hpp"
#include "variability/profile/profile.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {
namespace {

const NoteKind ceilings_note("ceilings", Severity::care);

/// Seconds of a launch for each (kernel, GPU, session) that has repeats with a right result, in that order: the median
/// over repeats of the median batch.
struct LaunchTime {
  std::size_t kernel, gpu, session;
  double seconds;
};

constexpr double tolerated_over = 1.005;  // noise between two kernels that reach the same ceiling

using Place = std::pair<std::size_t, std::size_t>;  // GPU, session

bool is_bandwidth_ceiling(const ProfileKernel& kernel) { return kernel.name == "triad"; }
bool is_pipe_ceiling(const ProfileKernel& kernel) { return kernel.name.starts_with("fma-peak"); }
bool is_no_application(const ProfileKernel& kernel) {
  return is_bandwidth_ceiling(kernel) || is_pipe_ceiling(kernel) || kernel.name == "link" || kernel.name == "allreduce";
}

/// What a GPU can do, as it showed in one session. NaN where nothing showed it.
struct Ceilings {
  double bandwidth = nan;              ///< bytes/s
  std::map<std::string, double> pipe;  ///< operations/s of a ceiling kernel
  std::map<std::string, double> best;  ///< of any kernel
};

void raise(double& to, double value) { to = std::isnan(to) ? value : std::fmax(to, value); }
void raise(std::map<std::string, double>& to, const std::string& key, double value) {
  if (!std::isnan(value)) raise(to.emplace(key, value).first->second, value);
}

std::map<Place, Ceilings> ceilings_of(const Profile& profile, const std::vector<LaunchTime>& times) {
  std::map<Place, Ceilings> all;
  for (const LaunchTime& time : times) {
    const ProfileKernel& kernel = profile.kernels[time.kernel];
    Ceilings& here = all[{time.gpu, time.session}];
    if (is_bandwidth_ceiling(kernel)) raise(here.bandwidth, kernel.bytes_least / time.seconds);
    if (kernel.pipe.empty()) continue;
    if (is_pipe_ceiling(kernel)) raise(here.pipe, kernel.pipe, kernel.flops / time.seconds);
    raise(here.best, kernel.pipe, kernel.flops / time.seconds);
  }
  return all;
}

double at_or_nan(const std::map<std::string, double>& of, const std::string& key) {
  const auto found = of.find(key);
  return found == of.end() ? nan : found->second;
}

/// Figures of one GPU in each of its sessions, and of each GPU.
class Medians {
 public:
  void add(std::size_t gpu, double value) {
    if (!std::isnan(value)) by_gpu_[gpu].push_back(value);
  }
  [[nodiscard]] std::vector<double> of_gpus() const {
    std::vector<double> all;
    for (const auto& [gpu, values] : by_gpu_) all.push_back(median(values));
    return all;
  }
  [[nodiscard]] double of_all() const { return by_gpu_.empty() ? nan : median(of_gpus()); }

 private:
  std::map<std::size_t, std::vector<double>> by_gpu_;
};

std::string label_of(const Profile& profile, const ProfileKernel& kernel) {
  const auto sizes =
      std::ranges::count_if(profile.kernels, [&](const ProfileKernel& other) { return other.name == kernel.name; });
  return sizes > 1 ? kernel.name + " (" + kernel.params + ")" : kernel.name;
}

void use_counted(const ProfileUtilization& counted, KernelUse& use) {
  use.imported = true;
  use.u_dram = use.u_dram_most = counted.u_dram;
  use.u_fu = counted.u_fu;
  if (std::isnan(use.u_dram)) use.missing.emplace_back("u_dram");
  if (std::isnan(use.u_fu)) use.missing.emplace_back("u_fu");
}

void note_over_one(double share, const char* of, KernelUse& use) {
  if (share > tolerated_over) use.notes.push_back(ceilings_note({{"what", of}, {"share", share}}, use.label));
}

/// Shares by counted operations and bytes.
void use_by_formula(const Profile& profile, const std::vector<LaunchTime>& times,
                    const std::map<Place, Ceilings>& ceilings, KernelUse& use) {
  const ProfileKernel& kernel = profile.kernels[use.kernel];
  Medians dram, dram_most, fu;
  bool stand_in = false;
  for (const LaunchTime& time : times) {
    if (time.kernel != use.kernel) continue;
    const Ceilings& here = ceilings.at({time.gpu, time.session});
    dram.add(time.gpu, kernel.bytes_least / (time.seconds * here.bandwidth));
    dram_most.add(time.gpu, kernel.bytes_most / (time.seconds * here.bandwidth));
    double peak = at_or_nan(here.pipe, kernel.pipe);
    if (std::isnan(peak) && !kernel.pipe.empty()) {
      peak = at_or_nan(here.best, kernel.pipe);
      stand_in = stand_in || !std::isnan(peak);
    }
    fu.add(time.gpu, kernel.flops == 0 ? 0.0 : kernel.flops / (time.seconds * peak));
  }
  use.u_dram = dram.of_all();
  use.u_dram_most = dram_most.of_all();
  use.u_fu = fu.of_all();
  if (stand_in) use.notes.push_back(ceilings_note({{"what", "stand-in"}, {"pipe", kernel.pipe}}, use.label));
  const bool any_triad = std::ranges::any_of(ceilings, [](const auto& at) { return !std::isnan(at.second.bandwidth); });
  if (std::isnan(use.u_dram)) {
    use.missing.emplace_back(std::isnan(kernel.bytes_least) ? "bytes" : any_triad ? "triad-in-session" : "triad");
  }
  if (std::isnan(use.u_fu)) {
    use.missing.emplace_back(std::isnan(kernel.flops) || kernel.pipe.empty() ? "operations" : "fma-peak");
  }
  note_over_one(use.u_dram, "u_dram", use);
  note_over_one(use.u_fu, "u_fu", use);
}

void add_times(const Profile& profile, const std::vector<Measurements>& measured, KernelUse& use) {
  const auto own = std::ranges::find_if(measured, [&](const auto& one) { return one.name == use.label; });
  if (own == measured.end()) return;
  std::vector<double> times_ms;
  for (const auto& gpu : own->gpus) times_ms.push_back(gpu.median);
  use.gpus = own->gpus.size();
  use.time_s = 1e-3 * median(times_ms);
  use.spread = gpu_spread(*own);
  use.too_little = too_little(profile, *own);
}

std::vector<LaunchTime> launch_times(const Profile& profile) {
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::vector<double>> repeats;
  for (const ProfileRepeat& repeat : profile.repeats) {
    if (repeat.batch_ms.empty() || (repeat.flags & wrong_result) != 0) continue;
    const std::vector<double> batches(repeat.batch_ms.begin(), repeat.batch_ms.end());
    const std::tuple place(static_cast<std::size_t>(repeat.kernel), static_cast<std::size_t>(repeat.gpu),
                           static_cast<std::size_t>(repeat.session));
    repeats[place].push_back(1e-3 * median(batches) / static_cast<double>(repeat.launches));
  }
  std::vector<LaunchTime> times;
  for (const auto& [place, seconds] : repeats) {
    times.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place), median(seconds)});
  }
  return times;
}

}  // namespace

std::vector<KernelUse> kernel_uses(const Profile& profile) {
  const auto times = launch_times(profile);
  const auto measured = measurements_of(profile);
  const auto ceilings = ceilings_of(profile, times);
  std::vector<KernelUse> uses;
  for (std::size_t k = 0; k < profile.kernels.size(); ++k) {
    const ProfileKernel& kernel = profile.kernels[k];
    KernelUse use;
    use.kernel = k;
    use.label = label_of(profile, kernel);
    use.no_application = is_no_application(kernel);
    add_times(profile, measured, use);
    const auto counted =
        std::ranges::find_if(profile.utilization, [&](const auto& row) { return row.application == kernel.name; });
    if (counted != profile.utilization.end()) {
      use_counted(*counted, use);
    } else {
      use_by_formula(profile, times, ceilings, use);
    }
    uses.push_back(std::move(use));
  }
  std::ranges::sort(uses, [](const auto& a, const auto& b) { return a.label < b.label; });
  return uses;
}

}  // namespace palstudy
