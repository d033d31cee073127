// SPDX-License-Identifier: MIT
// What fibers and threads have in common: the GPU that is emulated.
#include "kernels/cuda/emulator.hpp"

namespace palstudy::emulated {

DeviceLimits emulated_limits = {90, 232'448};  // an H100
std::function<void(void*, std::function<void()>)> enqueue = [](void*, const std::function<void()>& work) { work(); };
std::function<void(std::size_t)> on_shared;

}  // namespace palstudy::emulated
