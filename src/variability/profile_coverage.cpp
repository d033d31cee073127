// SPDX-License-Identifier: MIT
#include "variability/profile_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace palstudy {
namespace {

using Indices = std::set<std::int32_t>;

const ProfileGpu& gpu_of(const Profile& profile, const ProfileRepeat& repeat) {
  return profile.gpus.at(static_cast<std::size_t>(repeat.gpu));
}
const ProfileKernel& kernel_of(const Profile& profile, const ProfileRepeat& repeat) {
  return profile.kernels.at(static_cast<std::size_t>(repeat.kernel));
}

/// The sessions of each GPU, by GPU.
std::vector<Indices> sessions_of_gpus(const Profile& profile) {
  std::vector<Indices> sessions(profile.gpus.size());
  for (const ProfileRepeat& repeat : profile.repeats) {
    sessions.at(static_cast<std::size_t>(repeat.gpu)).insert(repeat.session);
  }
  return sessions;
}

std::string too_little_of(const Profile& profile, const std::string& kernel) {
  Indices gpus, sessions;
  for (const ProfileRepeat& repeat : profile.repeats) {
    if (kernel_of(profile, repeat).name != kernel || (repeat.flags & wrong_result) != 0) continue;
    gpus.insert(repeat.gpu);
    sessions.insert(repeat.session);
  }
  if (gpus.size() >= least_profile_gpus && sessions.size() >= least_profile_sessions) return "";
  const bool few = gpus.size() < least_profile_gpus;
  return fmt::format("{} was measured on {} GPU{} in {} session{}, and {} needs at least {} GPUs and {} sessions",
                     kernel, gpus.size(), gpus.size() == 1 ? "" : "s", sessions.size(), sessions.size() == 1 ? "" : "s",
                     few ? "telling how far GPUs differ" : "telling whether a slow GPU is slow again",
                     least_profile_gpus, least_profile_sessions);
}

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

ProfileCoverage coverage(const Profile& profile) {
  ProfileCoverage all;
  std::map<std::string, NodeCoverage> nodes;
  const auto sessions = sessions_of_gpus(profile);
  for (std::size_t g = 0; g < sessions.size(); ++g) {
    NodeCoverage& node = nodes[profile.gpus[g].host];
    node.host = profile.gpus[g].host;
    node.gpus_in_session.resize(profile.sessions.size());
    ++node.gpus;
    for (const std::int32_t session : sessions[g]) ++node.gpus_in_session.at(static_cast<std::size_t>(session));
    all.most_sessions = std::max(all.most_sessions, sessions[g].size());
  }
  for (auto& [host, node] : nodes) all.nodes.push_back(std::move(node));
  for (std::size_t g = 0; g < sessions.size(); ++g) {
    const ProfileGpu& gpu = profile.gpus[g];
    if (sessions[g].size() < all.most_sessions) {
      all.shortfalls.push_back({gpu.uuid, gpu.host, gpu.local, sessions[g].size()});
    }
  }
  return all;
}

std::string too_little(const Profile& profile, const std::vector<std::string>& kernels) {
  if (profile.origin == "imported") return "";
  std::vector<std::string> names = kernels;
  if (names.empty()) {
    for (const ProfileKernel& kernel : profile.kernels) names.push_back(kernel.name);
  }
  if (names.empty()) return "no kernel was measured";
  for (const std::string& name : names) {
    if (auto reason = too_little_of(profile, name); !reason.empty()) return reason;
  }
  return "";
}

std::vector<std::string> profile_warnings(const Profile& profile) {
  std::vector<std::string> warnings;
  const auto any = [&](const auto& property) {
    return std::any_of(profile.sessions.begin(), profile.sessions.end(), property);
  };
  if (any([](const ProfileSession& s) { return s.backend == "host"; })) {
    warnings.emplace_back("its times are of CPU cores (--backend host), not of GPUs");
  }
  if (any([](const ProfileSession& s) { return s.planted; })) {
    warnings.emplace_back("some of its GPUs were slowed on purpose (--plant): it describes no machine");
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
    warnings.push_back(fmt::format("{} of {} left out, the result was wrong", plural(count, "repeat"), what));
  }
  return warnings;
}

}  // namespace palstudy
