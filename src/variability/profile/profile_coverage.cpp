// SPDX-License-Identifier: MIT
#include "variability/profile/profile_coverage.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace palstudy {
namespace {

const NoteKind cpu_times("cpu-times", Severity::care), made_up("made-up", Severity::stop),
    one_gpu("one-gpu", Severity::stop), wrong_results("wrong-results", Severity::care);

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

std::optional<TooLittle> too_little(const Profile& profile, const Measurements& measured) {
  if (profile.origin == "imported") return std::nullopt;
  Indices sessions;
  for (const auto& gpu : measured.gpus) sessions.insert(gpu.session_of_run.begin(), gpu.session_of_run.end());
  const TooLittle found{measured.gpus.size(), sessions.size()};
  const bool enough = found.gpus >= least_profile_gpus && found.sessions >= least_profile_sessions;
  return enough ? std::nullopt : std::optional(found);
}

std::vector<Note> profile_notes(const Profile& profile, const std::string& name) {
  std::vector<Note> notes;
  const auto any = [&](const auto& property) { return std::ranges::any_of(profile.sessions, property); };
  if (any([](const ProfileSession& s) { return s.backend == "host"; })) notes.push_back(cpu_times({}, name));
  if (any([](const ProfileSession& s) { return s.injected_slowdown; })) notes.push_back(made_up({}, name));
  Indices gpus;
  std::map<std::pair<std::string, std::string>, std::size_t> wrong;  // by kernel and GPU
  for (const ProfileRepeat& repeat : profile.repeats) {
    gpus.insert(repeat.gpu);
    if ((repeat.flags & wrong_result) == 0) continue;
    ++wrong[{kernel_of(profile, repeat).name, gpu_of(profile, repeat).uuid}];
  }
  if (gpus.size() == 1) notes.push_back(one_gpu({}, name));
  for (const auto& [of, count] : wrong) {
    notes.push_back(wrong_results({{"kernel", of.first}, {"gpu", of.second}, {"repeats", count}}, name));
  }
  return notes;
}

}  // namespace palstudy
