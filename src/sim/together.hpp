// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace palstudy {

/// A property of a run on which it depends what else the run can have.
enum class Feature : std::uint8_t {
  tenants,
  ladder,
  gangs,
  tenant_preemption,
  dedicated_nodes,
  no_order,
  order_with_state,
  stopping_order,
  starvation,
  strict_order,
  reservations,
  kills,
  repacking,
  moves,
  event_start,
  failures,
  outages,
  power_off,
  energy,
  interference,
  partitions,
  queues,
  wide_jobs,
  elastic,
  job_models,
  count_,
};
inline constexpr auto feature_count = static_cast<std::size_t>(Feature::count_);

/// What a run has.
class Features {
 public:
  void set(Feature feature, bool on = true) { bits_.set(static_cast<std::size_t>(feature), on); }
  [[nodiscard]] bool has(Feature feature) const { return bits_.test(static_cast<std::size_t>(feature)); }
  friend bool operator==(const Features&, const Features&) = default;

 private:
  std::bitset<feature_count> bits_;
};

struct FeatureInfo {
  Feature feature;
  const char* name;     ///< as `palstudy list features` has it
  const char* summary;  ///< "jobs of tenants with quotas"
};
/// All features, in the order of the enumeration.
[[nodiscard]] std::span<const FeatureInfo> feature_infos();
[[nodiscard]] const FeatureInfo& info_of(Feature feature);

/// Two features that no run can have both. Every pair that is not in the table works.
struct Apart {
  Feature first, second;  ///< a study is refused at the place of the second, if that is given
  const char* why;
  const char* advice;
};
/// The table of what goes together: study, inputs and sim ask it, and the docs show it.
[[nodiscard]] std::span<const Apart> apart();
/// The first row of the table of which a run has both; none if all that it has goes together.
[[nodiscard]] const Apart* first_apart(const Features& features);

}  // namespace palstudy
