// SPDX-License-Identifier: MIT
#include "variability/profile/profile_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

namespace palstudy {
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
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return key_of(row(a)) < key_of(row(b)); });
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

}  // namespace palstudy
