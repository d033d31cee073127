// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/keys/keys.hpp"
#include "study/keys/tenant_options.hpp"
#include "study/parsed_study.hpp"

namespace palstudy {

/// The keys under tenants, ladder and gang. None has a constant default, so that runs without tenants keep their ids.
[[nodiscard]] std::vector<KeySpec> tenant_keys();
/// Checks a table of quotas.
[[nodiscard]] TomlValue check_quotas(const KeySpec& spec, const TomlValue& value);
/// Fills in what is missing where there are tenants. Errors (usage): without them, keys that change nothing; what
/// tenants do not go together with yet.
void complete_tenants(Point& point);
/// Of a completed point.
[[nodiscard]] TenantOptions tenant_options(const Point& point);

}  // namespace palstudy
