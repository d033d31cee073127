// SPDX-License-Identifier: MIT
#include "variability/profile/profile_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/text.hpp"

namespace palstudy {
namespace {

using Indices = std::set<std::int32_t>;

const ProfileGpu& gpu_of(const Profile& profile, const ProfileRepeat& repeat) {
  return profile.gpus.at(static_cast<std::size_t>(repeat.gpu));
}
const ProfileKernel& kernel_of(const Profile& profile, const ProfileRepeat& repeat) {
  return profile.kernels.at(static_cast<std::size_t>(repeat.kernel));
}

/// The sessions of each GPU, by GPU; those of an import, which stand for none, left out if `real`.
std::vector<Indices> sessions_of_gpus(const Profile& profile, bool real) {
  std::vector<Indices> sessions(profile.gpus.size());
  for (const ProfileRepeat& repeat : profile.repeats) {
    if (real && profile.sessions.at(static_cast<std::size_t>(repeat.session)).backend == "import") continue;
    sessions.at(static_cast<std::size_t>(repeat.gpu)).insert(repeat.session);
  }
  return sessions;
}

}  // namespace

ProfileCoverage coverage(const Profile& profile) {
  ProfileCoverage all;
  std::map<std::string, NodeCoverage> nodes;
  const auto sessions = sessions_of_gpus(profile, false), that_count = sessions_of_gpus(profile, true);
  for (std::size_t g = 0; g < sessions.size(); ++g) {
    NodeCoverage& node = nodes[profile.gpus[g].host];
    node.host = profile.gpus[g].host;
    node.gpus_in_session.resize(profile.sessions.size());
    ++node.gpus;
    for (const std::int32_t session : sessions[g]) ++node.gpus_in_session.at(static_cast<std::size_t>(session));
    all.most_sessions = std::max(all.most_sessions, that_count[g].size());
  }
  for (auto& [host, node] : nodes) all.nodes.push_back(std::move(node));
  for (std::size_t g = 0; g < sessions.size(); ++g) {
    const ProfileGpu& gpu = profile.gpus[g];
    if (that_count[g].size() < all.most_sessions) {
      all.shortfalls.push_back({gpu.uuid, gpu.host, gpu.local, that_count[g].size()});
    }
  }
  return all;
}

std::string too_little(const Profile& profile, const Measurements& measured) {
  if (profile.origin == "imported") return "";
  Indices sessions;
  for (const auto& gpu : measured.gpus) sessions.insert(gpu.session_of_run.begin(), gpu.session_of_run.end());
  const std::size_t gpus = measured.gpus.size();
  if (gpus >= least_profile_gpus && sessions.size() >= least_profile_sessions) return "";
  const bool few = gpus < least_profile_gpus;
  return fmt::format("{} was measured on {} in {}, and telling {} takes at least {} GPUs and {} sessions",
                     measured.name, counted(gpus, "GPU"), counted(sessions.size(), "session"),
                     few ? "how far GPUs differ" : "whether a slow GPU is slow again", least_profile_gpus,
                     least_profile_sessions);
}

std::vector<std::string> profile_warnings(const Profile& profile) {
  std::vector<std::string> warnings;
  const auto any = [&](const auto& property) { return std::ranges::any_of(profile.sessions, property); };
  if (any([](const ProfileSession& s) { return s.backend == "host"; })) {
    warnings.emplace_back("its times are of CPU cores (--backend host), not of GPUs");
  }
  if (any([](const ProfileSession& s) { return s.injected_slowdown; })) {
    warnings.emplace_back(
        "some of its GPUs were slowed on purpose, or its hosts are made up (--inject-slowdown, --hosts-of): it "
        "describes no "
        "machine");
  }
  Indices gpus;
  std::map<std::string, std::size_t> wrong;
  for (const ProfileRepeat& repeat : profile.repeats) {
    gpus.insert(repeat.gpu);
    if ((repeat.flags & wrong_result) == 0) continue;
    ++wrong[fmt::format("{} on {}", kernel_of(profile, repeat).name, gpu_of(profile, repeat).uuid)];
  }
  if (gpus.size() == 1) warnings.emplace_back("it is of one GPU, and says nothing of how far GPUs differ");
  for (const auto& [what, count] : wrong) {
    warnings.push_back(fmt::format("{} of {} left out, the result was wrong", counted(count, "repeat"), what));
  }
  return warnings;
}

}  // namespace palstudy
