// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "variability/profile.hpp"

namespace palstudy::made_up {

/// A profile of `gpus` GPUs, four a host, in `sessions` sessions, without kernels.
Profile empty_profile(int gpus, int sessions);

/// A kernel of such work, one size of it.
ProfileKernel kernel(const std::string& name, const std::string& pipe, double flops, double bytes_least,
                     double bytes_most);

/// Adds the kernel and a repeat of it on each GPU in each session: a launch takes `seconds` x (1 + spread x (g - (n -
/// 1) / 2)) on GPU g of n. Batches of two launches: exact, and for the median's sake one faster and one slower.
void measure(Profile& profile, const ProfileKernel& kernel, double seconds, double spread = 0);

}  // namespace palstudy::made_up
