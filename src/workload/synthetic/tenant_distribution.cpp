// SPDX-License-Identifier: MIT
#include "workload/synthetic/tenant_distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace palstudy {

TenantDistribution::TenantDistribution(const TenantStatistics& numbers, std::uint32_t cluster_gpus)
    : numbers_(numbers),
      tenants_(static_cast<std::uint32_t>(
          std::clamp(std::round(cluster_gpus / numbers.gpus_each), 1.0, static_cast<double>(numbers.most)))) {}

std::vector<std::string> TenantDistribution::names() const {
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < tenants_; ++i) all.push_back(fmt::format("vc{}", i));
  return all;
}

std::uint16_t TenantDistribution::choose(bool wide, double department, double within) const {
  const auto any = std::min(static_cast<std::uint32_t>(department * tenants_), tenants_ - 1);
  const std::uint32_t first = any / numbers_.block * numbers_.block;
  const std::uint32_t here = std::min(numbers_.block, tenants_ - first);
  const double ratio = wide ? numbers_.wide_ratio : numbers_.narrow_ratio;
  // A geometric law over `here` ranks: a share 1 - ratio^k of it lies in the first k, before all is scaled to 1.
  const double rank = std::floor(std::log1p(-within * (1 - std::pow(ratio, here))) / std::log(ratio));
  const auto k = std::min(static_cast<std::uint32_t>(rank), here - 1);
  return static_cast<std::uint16_t>(first + (wide ? here - 1 - k : k));
}

}  // namespace palstudy
