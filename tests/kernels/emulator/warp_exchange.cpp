// SPDX-License-Identifier: MIT
#include "warp_exchange.hpp"

#include <sched.h>

namespace palstudy::emulated {

float WarpExchange::exchange(unsigned me, float value, unsigned other) {
  values_[me] = value;
  wait();
  const float got = values_[other];
  wait();
  return got;
}

void WarpExchange::wait() {
  const unsigned passages = passages_.load();
  if (here_.fetch_add(1) + 1 == lanes_) {
    here_.store(0);
    passages_.fetch_add(1);
    return;
  }
  while (passages_.load() == passages) sched_yield();
}

}  // namespace palstudy::emulated
