// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

namespace palstudy::emulated {

/// The barriers that kernels came to, as "file:line"; and the one that is passed over, "" for none.
std::set<std::string>& barriers_seen();
std::string& barrier_left_out();

}  // namespace palstudy::emulated
