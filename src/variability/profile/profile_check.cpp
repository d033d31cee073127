// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "variability/profile/profile_order.hpp"

namespace palstudy {
namespace {

/// Says what is wrong with which row.
class Check {
 public:
  Check(std::string where, const char* table) : where_(std::move(where)), table_(table) {}
  void need(bool good, std::size_t row, const std::string& what) const {
    if (good) return;
    throw data_error(what, fmt::format("{}:/{}, row {}", where_, table_, row),
                     "The profile is damaged or not ours; restore it or measure again.");
  }
  template <class Rows>
  void index(std::int32_t value, const Rows& rows, const char* column, std::size_t row) const {
    need(value >= 0 && static_cast<std::size_t>(value) < rows.size(), row,
         fmt::format("{} is {}, and there are {} of them", column, value, rows.size()));
  }

 private:
  std::string where_;
  const char* table_;
};

template <class Rows, class Key>
void check_unique(const Rows& rows, const Check& check, const char* what, Key key_of) {
  std::set<decltype(key_of(rows.front()))> seen;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    check.need(seen.insert(key_of(rows[row])).second, row, fmt::format("the same {} for the second time", what));
  }
}

void check_names(const Profile& profile, const std::string& where) {
  check_unique(profile.gpus, {where, "gpus"}, "uuid", [](const ProfileGpu& g) { return g.uuid; });
  check_unique(profile.sessions, {where, "sessions"}, "id", [](const ProfileSession& s) { return s.id; });
  check_unique(profile.kernels, {where, "kernels"}, "name and params",
               [](const ProfileKernel& k) { return std::pair(k.name, k.params); });
  check_unique(profile.utilization, {where, "utilization"}, "application",
               [](const ProfileUtilization& u) { return u.application; });
}

void check_samples(const ProfileTelemetry& t, const Check& check, std::size_t row) {
  const std::size_t samples = t.t_ns.size();
  for (const auto* column : {&t.sm_mhz, &t.mem_mhz, &t.power_w, &t.temp_c, &t.energy_j}) {
    check.need(column->size() == samples, row, "the sensors have different numbers of samples");
  }
  check.need(t.reasons.size() == samples, row, "the sensors have different numbers of samples");
}

void check_repeats(const Profile& profile, const std::string& where) {
  const Check check(where, "repeats");
  for (std::size_t row = 0; row < profile.repeats.size(); ++row) {
    const ProfileRepeat& repeat = profile.repeats[row];
    check.index(repeat.gpu, profile.gpus, "gpu", row);
    check.index(repeat.session, profile.sessions, "session", row);
    check.index(repeat.kernel, profile.kernels, "kernel", row);
    check.need(repeat.repeat >= 0, row, fmt::format("repeat is {}", repeat.repeat));
    check.need(repeat.launches >= 1, row, fmt::format("a batch of {} launches", repeat.launches));
    check.need(!repeat.batch_ms.empty(), row, "no batches");
    for (const float time : repeat.batch_ms) {
      check.need(time > 0 && std::isfinite(time), row, fmt::format("a batch of {} ms", time));
    }
    check_samples(repeat.telemetry, check, row);
  }
  check_unique(profile.repeats, check, "kernel, gpu, session and repeat",
               [](const ProfileRepeat& r) { return std::tuple(r.kernel, r.gpu, r.session, r.repeat); });
}

void check_transfers(const Profile& profile, const std::string& where) {
  const Check check(where, "transfers");
  for (std::size_t row = 0; row < profile.transfers.size(); ++row) {
    const ProfileTransfer& transfer = profile.transfers[row];
    check.index(transfer.session, profile.sessions, "session", row);
    check.need(!(transfer.seconds <= 0), row, fmt::format("a transfer of {} s", transfer.seconds));
  }
}

void check_shares(const Profile& profile, const std::string& where) {
  const Check check(where, "utilization");
  for (std::size_t row = 0; row < profile.utilization.size(); ++row) {
    const ProfileUtilization& u = profile.utilization[row];
    check.need(u.duration_s > 0, row, fmt::format("a duration of {} s", u.duration_s));
    for (const double share : {u.u_dram, u.u_fu, u.u_fma, u.u_fp64, u.u_fp16, u.u_alu, u.u_xu, u.u_tensor}) {
      check.need(!(share < 0), row, fmt::format("a utilisation of {}", share));
    }
  }
}

}  // namespace

void check_profile(const Profile& profile, const std::string& where) {
  if (profile.origin != "bundled-kernels" && profile.origin != "imported") {
    throw data_error("the origin \"" + profile.origin + "\" is none that there is", where + ":/ (profile.origin)",
                     "It is bundled-kernels or imported.");
  }
  check_names(profile, where);
  check_repeats(profile, where);
  check_transfers(profile, where);
  check_shares(profile, where);
}

}  // namespace palstudy
