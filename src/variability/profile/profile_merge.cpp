// SPDX-License-Identifier: MIT
#include "variability/profile/profile_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {
namespace {

const NoteKind changed_gpu("changed-gpu", Severity::info);

/// Something that stands in a merged profile, and the file it was first seen in.
template <class Thing>
struct FirstSeen {
  Thing thing;
  std::string file;
};

Error differs(const std::string& what, const std::string& first, const std::string& second) {
  return data_error(what + " with other content in each", first + " and " + second,
                    "one of them is damaged, or was made from another measurement under the same name; leave it out");
}

std::string earliest(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? std::max(a, b) : std::min(a, b);
}

using KernelKey = std::pair<std::string, std::string>;                               // name, parameters
using RepeatKey = std::tuple<KernelKey, std::string, std::string, std::int32_t>;     // ..., UUID, session, repeat
using TransferKey = std::tuple<std::string, std::string, std::string, std::string>;  // session, kernel, level, path

class Merger {
 public:
  void add(const NamedProfile& named) {
    if (named.profile.origin == "imported") origin_ = named.profile.origin;
    for (const ProfileSession& session : named.profile.sessions) add_session(session, named.file);
    for (const ProfileKernel& kernel : named.profile.kernels) add_kernel(kernel, named.file);
    for (const ProfileRepeat& repeat : named.profile.repeats) add_repeat(repeat, named);
    for (const ProfileUtilization& use : named.profile.utilization) add_utilization(use, named.file);
    add_gpus(named);
    add_transfers(named.profile);
  }

  MergedProfile finish() {
    Profile& profile = merged_.profile;
    profile.origin = origin_;
    std::map<std::string, std::int32_t> gpus, sessions;
    std::map<KernelKey, std::int32_t> kernels;
    for (const auto& [uuid, last] : gpus_) {
      gpus[uuid] = static_cast<std::int32_t>(profile.gpus.size());
      profile.gpus.push_back(last.seen.thing);
    }
    for (const auto& [id, seen] : sessions_) {
      sessions[id] = static_cast<std::int32_t>(profile.sessions.size());
      profile.sessions.push_back(seen.thing);
    }
    for (const auto& [key, seen] : kernels_) {
      kernels[key] = static_cast<std::int32_t>(profile.kernels.size());
      profile.kernels.push_back(seen.thing);
    }
    for (auto& [key, seen] : repeats_) {
      profile.repeats.push_back(std::move(seen.thing));
      profile.repeats.back().kernel = kernels.at(std::get<0>(key));
      profile.repeats.back().gpu = gpus.at(std::get<1>(key));
      profile.repeats.back().session = sessions.at(std::get<2>(key));
    }
    for (auto& [key, rows] : transfers_) {
      for (ProfileTransfer& row : rows) {
        row.session = sessions.at(std::get<0>(key));
        profile.transfers.push_back(std::move(row));
      }
    }
    for (auto& [application, seen] : utilization_) profile.utilization.push_back(std::move(seen.thing));
    profile = in_order(std::move(profile));
    note_changes();
    return std::move(merged_);
  }

 private:
  /// The record of a GPU is that of its last session: a card may move, or get another power limit.
  struct LastRecord {
    std::string session;
    FirstSeen<ProfileGpu> seen;
  };
  /// What is known of it in any profile.
  struct SeenWith {
    std::set<std::string> hosts;
    std::set<double> power_limits_w;
  };

  void add_session(const ProfileSession& session, const std::string& file) {
    const auto [place, is_new] = sessions_.try_emplace(session.id, FirstSeen<ProfileSession>{session, file});
    if (is_new) return;
    ProfileSession& known = place->second.thing;
    if (!same_but_times(known, session)) {
      throw differs(fmt::format("session {}", session.id), place->second.file, file);
    }
    known.start = earliest(known.start, session.start);
    known.end = std::max(known.end, session.end);
    const auto length = [](const std::string& text) { return std::pair(text.size(), text); };
    known.remarks =
        std::max(known.remarks, session.remarks, [&](const auto& a, const auto& b) { return length(a) < length(b); });
  }

  void add_kernel(const ProfileKernel& kernel, const std::string& file) {
    const auto [place, is_new] =
        kernels_.try_emplace(KernelKey(kernel.name, kernel.params), FirstSeen<ProfileKernel>{kernel, file});
    if (is_new || same(place->second.thing, kernel)) return;
    throw differs(fmt::format("kernel {} ({})", kernel.name, kernel.params), place->second.file, file);
  }

  void add_repeat(const ProfileRepeat& repeat, const NamedProfile& named) {
    const Profile& from = named.profile;
    const ProfileKernel& kernel = from.kernels.at(static_cast<std::size_t>(repeat.kernel));
    const std::string& uuid = from.gpus.at(static_cast<std::size_t>(repeat.gpu)).uuid;
    const std::string& session = from.sessions.at(static_cast<std::size_t>(repeat.session)).id;
    const auto [place, is_new] =
        repeats_.try_emplace(RepeatKey(KernelKey(kernel.name, kernel.params), uuid, session, repeat.repeat),
                             FirstSeen<ProfileRepeat>{repeat, named.file});
    if (is_new || same_but_indices(place->second.thing, repeat)) return;
    throw differs(fmt::format("repeat {} of {} on {} in session {}", repeat.repeat, kernel.name, uuid, session),
                  place->second.file, named.file);
  }

  void add_utilization(const ProfileUtilization& use, const std::string& file) {
    const auto [place, is_new] = utilization_.try_emplace(use.application, FirstSeen<ProfileUtilization>{use, file});
    if (is_new || same(place->second.thing, use)) return;
    throw differs(fmt::format("utilisation of {}", use.application), place->second.file, file);
  }

  void add_gpus(const NamedProfile& named) {
    const Profile& from = named.profile;
    std::vector<std::string> last(from.gpus.size());
    for (const ProfileRepeat& repeat : from.repeats) {
      std::string& session = last.at(static_cast<std::size_t>(repeat.gpu));
      session = std::max(session, from.sessions.at(static_cast<std::size_t>(repeat.session)).id);
    }
    for (std::size_t g = 0; g < from.gpus.size(); ++g) {
      const LastRecord mine{last[g], {from.gpus[g], named.file}};
      SeenWith& with = seen_with_[from.gpus[g].uuid];
      if (!from.gpus[g].host.empty()) with.hosts.insert(from.gpus[g].host);
      if (!std::isnan(from.gpus[g].power_limit_w)) with.power_limits_w.insert(from.gpus[g].power_limit_w);
      const auto [place, is_new] = gpus_.try_emplace(from.gpus[g].uuid, mine);
      if (is_new || same(place->second.seen.thing, mine.seen.thing)) {
        place->second.session = std::max(place->second.session, mine.session);
        continue;
      }
      if (place->second.session == mine.session) {
        throw differs(fmt::format("GPU {}, last measured in session \"{}\" in both,", from.gpus[g].uuid, mine.session),
                      place->second.seen.file, named.file);
      }
      if (mine.session > place->second.session) place->second = mine;
    }
  }

  /// What a GPU had in different profiles.
  void note_changes() {
    const auto note = [&](const std::string& uuid, const char* what, const auto& values) {
      if (values.size() < 2) return;
      merged_.notes.push_back(changed_gpu({{"what", what}, {"values", ValueList(values.begin(), values.end())}}, uuid));
    };
    for (const auto& [uuid, seen] : seen_with_) {
      note(uuid, "host", seen.hosts);
      note(uuid, "power_limit_w", seen.power_limits_w);
    }
  }

  /// Rows without a key of their own: as many of each as the file has that has most.
  void add_transfers(const Profile& from) {
    std::map<TransferKey, std::vector<ProfileTransfer>> own;
    for (const ProfileTransfer& row : from.transfers) {
      const std::string& session = from.sessions.at(static_cast<std::size_t>(row.session)).id;
      own[TransferKey(session, row.kernel, row.level, row.path)].push_back(row);
    }
    for (auto& [key, rows] : own) {
      auto& known = transfers_[key];
      std::vector<bool> matched(known.size());
      for (const ProfileTransfer& row : rows) {
        std::size_t twin = 0;
        while (twin < matched.size() && (matched[twin] || !same_but_indices(known[twin], row))) ++twin;
        if (twin < matched.size()) {
          matched[twin] = true;
        } else {
          known.push_back(row);
        }
      }
    }
  }

  std::string origin_ = "bundled-kernels";
  std::map<std::string, LastRecord> gpus_;
  std::map<std::string, SeenWith> seen_with_;  // by UUID
  std::map<std::string, FirstSeen<ProfileSession>> sessions_;
  std::map<KernelKey, FirstSeen<ProfileKernel>> kernels_;
  std::map<RepeatKey, FirstSeen<ProfileRepeat>> repeats_;
  std::map<TransferKey, std::vector<ProfileTransfer>> transfers_;
  std::map<std::string, FirstSeen<ProfileUtilization>> utilization_;
  MergedProfile merged_;
};

}  // namespace

MergedProfile merge_profiles(const std::vector<NamedProfile>& profiles) {
  Merger merger;
  for (const NamedProfile& named : profiles) merger.add(named);
  return merger.finish();
}

}  // namespace palstudy
