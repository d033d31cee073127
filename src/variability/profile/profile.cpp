// SPDX-License-Identifier: MIT
#include "variability/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "stats/descriptive.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}

bool same(const ProfileTelemetry& a, const ProfileTelemetry& b) {
  return a.t_ns == b.t_ns && a.reasons == b.reasons && same(a.sm_mhz, b.sm_mhz) && same(a.mem_mhz, b.mem_mhz) &&
         same(a.power_w, b.power_w) && same(a.temp_c, b.temp_c) && same(a.energy_j, b.energy_j);
}

auto texts(const ProfileGpu& g) {
  return std::tie(g.uuid, g.host, g.local, g.cabinet, g.name, g.pci_bus_id, g.serial, g.board_part, g.vbios, g.ecc,
                  g.mig, g.persistence, g.numa_node, g.multiprocessors);
}

}  // namespace

bool same(const ProfileGpu& a, const ProfileGpu& b) {
  return texts(a) == texts(b) && same(a.memory_bytes, b.memory_bytes) && same(a.power_limit_w, b.power_limit_w) &&
         same(a.power_limit_default_w, b.power_limit_default_w) && same(a.max_sm_mhz, b.max_sm_mhz) &&
         same(a.max_mem_mhz, b.max_mem_mhz);
}

bool same(const ProfileKernel& a, const ProfileKernel& b) {
  return std::tie(a.name, a.params, a.pipe) == std::tie(b.name, b.params, b.pipe) && same(a.flops, b.flops) &&
         same(a.bytes_least, b.bytes_least) && same(a.bytes_most, b.bytes_most);
}

bool same(const ProfileUtilization& a, const ProfileUtilization& b) {
  return a.application == b.application && a.launches == b.launches && same(a.duration_s, b.duration_s) &&
         same(a.u_dram, b.u_dram) && same(a.u_fu, b.u_fu) && same(a.u_fma, b.u_fma) && same(a.u_fp64, b.u_fp64) &&
         same(a.u_fp16, b.u_fp16) && same(a.u_alu, b.u_alu) && same(a.u_xu, b.u_xu) && same(a.u_tensor, b.u_tensor);
}

bool same_but_times(const ProfileSession& a, const ProfileSession& b) {
  const auto rest = [](const ProfileSession& s) {
    return std::tie(s.id, s.backend, s.driver, s.runtime, s.command_line, s.seed, s.ranks, s.solo, s.injected_slowdown,
                    s.protocol);
  };
  return rest(a) == rest(b);
}

bool same_but_indices(const ProfileRepeat& a, const ProfileRepeat& b) {
  return std::tie(a.repeat, a.launches, a.start_ns, a.flags, a.batch_ms) ==
             std::tie(b.repeat, b.launches, b.start_ns, b.flags, b.batch_ms) &&
         same(a.warm_up_s, b.warm_up_s) && same(a.host_s, b.host_s) && same(a.check_error, b.check_error) &&
         same(a.telemetry, b.telemetry);
}

bool same_but_indices(const ProfileTransfer& a, const ProfileTransfer& b) {
  return std::tie(a.kernel, a.level, a.path, a.ranks) == std::tie(b.kernel, b.level, b.path, b.ranks) &&
         same(a.bytes, b.bytes) && same(a.seconds, b.seconds) && same(a.check_error, b.check_error);
}

namespace {

/// A number as a key of a total order: NaN too has its place.
std::uint64_t key(double value) {
  if (value == 0) value = 0;  // -0 and 0 are one
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

/// Sorts `rows` by `key_of` and gives the new place of each old row.
template <class Row, class Key>
std::vector<std::int32_t> sort_rows(std::vector<Row>& rows, Key key_of) {
  std::vector<std::int32_t> order(rows.size()), place(rows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](std::int32_t i) -> const Row& { return rows[static_cast<std::size_t>(i)]; };
  std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) { return key_of(row(a)) < key_of(row(b)); });
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    sorted.push_back(std::move(rows[from]));
    place[from] = static_cast<std::int32_t>(i);
  }
  rows = std::move(sorted);
  return place;
}

/// An index that points nowhere stays as it is, for check_profile to find.
void follow(std::int32_t& index, const std::vector<std::int32_t>& place) {
  if (index >= 0 && static_cast<std::size_t>(index) < place.size()) index = place[static_cast<std::size_t>(index)];
}

}  // namespace

Profile in_order(Profile profile) {
  const auto gpus = sort_rows(profile.gpus, [](const ProfileGpu& g) { return std::tie(g.host, g.local, g.uuid); });
  const auto sessions = sort_rows(profile.sessions, [](const ProfileSession& s) { return std::tie(s.id); });
  const auto kernels = sort_rows(profile.kernels, [](const ProfileKernel& k) { return std::tie(k.name, k.params); });
  for (ProfileRepeat& repeat : profile.repeats) {
    follow(repeat.gpu, gpus);
    follow(repeat.session, sessions);
    follow(repeat.kernel, kernels);
  }
  for (ProfileTransfer& transfer : profile.transfers) follow(transfer.session, sessions);
  sort_rows(profile.repeats, [](const ProfileRepeat& r) { return std::tie(r.kernel, r.gpu, r.session, r.repeat); });
  sort_rows(profile.transfers, [](const ProfileTransfer& t) {
    return std::tuple(t.kernel, t.level, t.path, t.ranks, key(t.bytes), t.session, key(t.seconds), key(t.check_error));
  });
  sort_rows(profile.utilization, [](const ProfileUtilization& u) { return std::tie(u.application); });
  return profile;
}

namespace {

/// Says what is wrong with which row.
class Check {
 public:
  Check(std::string where, const char* table) : where_(std::move(where)), table_(table) {}
  void need(bool good, std::size_t row, const char* what) const {
    if (!good) refuse(row, what);
  }
  /// `what()`: the same, made only where it is needed.
  template <class What>
  requires std::invocable<What>
  void need(bool good, std::size_t row, What what) const {
    if (!good) refuse(row, what());
  }
  [[noreturn]] void refuse(std::size_t row, const std::string& what) const {
    throw data_error(what, fmt::format("{}:/{}, row {}", where_, table_, row),
                     "the profile is damaged or not ours; restore it or measure again");
  }
  template <class Rows>
  void index(std::int32_t value, const Rows& rows, const char* column, std::size_t row) const {
    need(value >= 0 && static_cast<std::size_t>(value) < rows.size(), row,
         [&] { return fmt::format("{} is {}, and there are {} of them", column, value, rows.size()); });
  }

 private:
  std::string where_;
  const char* table_;
};

template <class Rows, class Key>
void check_unique(const Rows& rows, const Check& check, const char* what, Key key_of) {
  std::set<decltype(key_of(rows.front()))> seen;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    check.need(seen.insert(key_of(rows[row])).second, row,
               [&] { return fmt::format("the same {} for the second time", what); });
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
    check.need(repeat.repeat >= 0, row, [&] { return fmt::format("repeat is {}", repeat.repeat); });
    check.need(repeat.launches >= 1, row, [&] { return fmt::format("a batch of {} launches", repeat.launches); });
    check.need(!repeat.batch_ms.empty(), row, "no batches");
    for (const float time : repeat.batch_ms) {
      check.need(time > 0 && std::isfinite(time), row, [&] { return fmt::format("a batch of {} ms", time); });
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
    check.need(!(transfer.seconds <= 0), row, [&] { return fmt::format("a transfer of {} s", transfer.seconds); });
  }
}

void check_shares(const Profile& profile, const std::string& where) {
  const Check check(where, "utilization");
  for (std::size_t row = 0; row < profile.utilization.size(); ++row) {
    const ProfileUtilization& u = profile.utilization[row];
    check.need(u.duration_s > 0, row, [&] { return fmt::format("a duration of {} s", u.duration_s); });
    for (const double share : {u.u_dram, u.u_fu, u.u_fma, u.u_fp64, u.u_fp16, u.u_alu, u.u_xu, u.u_tensor}) {
      check.need(!(share < 0), row, [&] { return fmt::format("a utilisation of {}", share); });
    }
  }
}

}  // namespace

void check_profile(const Profile& profile, const std::string& where) {
  if (profile.origin != "bundled-kernels" && profile.origin != "imported") {
    throw data_error("the origin \"" + profile.origin + "\" is none that there is", where + ":/ (profile.origin)",
                     "it is bundled-kernels or imported");
  }
  check_names(profile, where);
  check_repeats(profile, where);
  check_transfers(profile, where);
  check_shares(profile, where);
}

namespace {

double median_of_launch(const ProfileRepeat& repeat) {
  return median({repeat.batch_ms.begin(), repeat.batch_ms.end()}) / static_cast<double>(repeat.launches);
}

std::string name_of(const Profile& profile, const ProfileKernel& kernel) {
  const auto same_name = [&](const ProfileKernel& other) { return other.name == kernel.name; };
  const bool one_size = std::ranges::count_if(profile.kernels, same_name) == 1;
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
  const bool imported =
      std::ranges::any_of(runs.times, [&](const auto& run) { return is_import(profile, std::get<0>(run)); });
  std::ranges::sort(runs.times);
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
  std::ranges::sort(all, [](const Measurements& a, const Measurements& b) { return a.name < b.name; });
  return all;
}

}  // namespace palstudy
