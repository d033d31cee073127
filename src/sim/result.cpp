// SPDX-License-Identifier: MIT
#include "sim/result.hpp"

namespace palstudy {

void JobRows::resize(std::size_t size) {
  job.resize(size);
  partition.resize(size);
  start_s.resize(size);
  finish_s.resize(size);
  exec_s.resize(size);
  finished.resize(size);
  measured.resize(size);
  attempts.resize(size);
  slowdown_mean.resize(size);
  penalty_mean.resize(size);
  preemptions.resize(size);
  migrations.resize(size);
}

}  // namespace palstudy
