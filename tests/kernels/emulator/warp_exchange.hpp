// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace palstudy::emulated {

/// The exchange of values between the lanes of a warp, each a thread. It is compiled without the thread sanitizer,
/// which so does not see that lanes wait here: on a GPU a shuffle orders no memory either. All lanes call it, or none.
class WarpExchange {
 public:
  explicit WarpExchange(unsigned lanes) : lanes_(lanes) {}
  float exchange(unsigned me, float value, unsigned other);

 private:
  void wait();
  unsigned lanes_;
  std::atomic<unsigned> here_{0}, passages_{0};
  float values_[32] = {};
};

}  // namespace palstudy::emulated
