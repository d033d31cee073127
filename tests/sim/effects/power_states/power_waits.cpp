// SPDX-License-Identifier: MIT
#include "sim/effects/power_states/power_waits.hpp"

#include <gtest/gtest.h>

#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Jobs 1 and 3 wait from 10 on, job 1 up to 15 and again from 20 to 30, job 3 up to 30, job 4 from 15 to 20.
void wait_in_turn(PowerWaits& waits) {
  waits.set({JobId(1), JobId(3)}, 10);
  waits.set({JobId(1), JobId(3)}, 12);
  waits.set({JobId(3), JobId(4)}, 15);
  waits.set({JobId(1), JobId(3)}, 20);
}

// Job 2 waits from 40 to the end. A job that waits several times has one row, of the sum; rows go by job, whoever ended
// first. That a job still waits is no end, also where the state is saved and restored meanwhile.
TEST(PowerWaits, AreTheSumsOfEachJob) {
  PowerWaits saved;
  wait_in_turn(saved);
  PowerWaits restored;
  from_bytes(to_bytes([&](StateOut& archive) { archive << saved; }), [&](StateIn& archive) { archive >> restored; });
  for (PowerWaits* waits : {&saved, &restored}) {
    waits->set({}, 30);
    waits->set({JobId(2)}, 40);
    PartitionRecord record;
    waits->close(record, 50);
    EXPECT_EQ(record.power_wait_job, (std::vector{JobId(1), JobId(2), JobId(3), JobId(4)}));
    EXPECT_EQ(record.power_wait_s, (std::vector<double>{15, 10, 20, 5}));
  }
}

}  // namespace
}  // namespace palstudy
