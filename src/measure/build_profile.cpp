// SPDX-License-Identifier: MIT
#include "measure/build_profile.hpp"

#include <map>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
namespace {

static_assert(wrong_result == RepeatFlag::wrong, "a profile has the flags of the measurement");

/// What only shows beside the other repeats of the same GPU and kernel.
void flag_beside_others(Profile& profile, const Protocol& protocol) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<ProfileRepeat*>> groups;
  for (ProfileRepeat& repeat : profile.repeats) groups[{repeat.gpu, repeat.kernel}].push_back(&repeat);
  for (auto& [key, repeats] : groups) {
    std::vector<double> medians,
        scatter;  // of one launch, since the number of launches in a batch differs between repeats
    for (const ProfileRepeat* repeat : repeats) {
      const BatchSummary batch = summarize(repeat->batch_ms);
      medians.push_back(batch.median / static_cast<double>(repeat->launches));
      scatter.push_back(batch.mad / static_cast<double>(repeat->launches));
    }
    const auto off = unstable_repeats(medians, scatter, protocol), shared = shared_repeats(medians);
    for (std::size_t i = 0; i < repeats.size(); ++i) {
      if (off[i]) repeats[i]->flags |= RepeatFlag::unstable;
      if (shared[i]) repeats[i]->flags |= RepeatFlag::contended;
    }
  }
}

}  // namespace

Profile build_profile(const Measured& measured, const ProfileSession& session, const Protocol& protocol) {
  Profile profile;
  profile.sessions.push_back(session);
  std::map<std::string, std::int32_t> gpus;
  std::map<std::pair<std::string, std::string>, std::int32_t> kernels;
  std::set<std::string> remarks;  // lines
  for (const MeasuredRepeat& each : measured.repeats) {
    const auto [gpu, new_gpu] = gpus.try_emplace(each.gpu.uuid, static_cast<std::int32_t>(profile.gpus.size()));
    if (new_gpu) profile.gpus.push_back(each.gpu);
    const auto [kernel, new_kernel] =
        kernels.try_emplace({each.kernel.name, each.kernel.params}, static_cast<std::int32_t>(profile.kernels.size()));
    if (new_kernel) profile.kernels.push_back(each.kernel);
    ProfileRepeat repeat = each.repeat;
    repeat.gpu = gpu->second;
    repeat.kernel = kernel->second;
    repeat.session = 0;
    profile.repeats.push_back(std::move(repeat));
    for (const std::string& line : split(each.remarks)) remarks.insert(line + "\n");
  }
  profile.transfers = measured.transfers;
  for (ProfileTransfer& transfer : profile.transfers) transfer.session = 0;
  for (const std::string& remark : remarks) profile.sessions[0].remarks += remark;
  flag_beside_others(profile, protocol);
  return profile;
}

}  // namespace palstudy
