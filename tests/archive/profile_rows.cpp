// SPDX-License-Identifier: MIT
#include "archive/profile/profile_rows.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "archive/profile/profile_file.hpp"
#include "archive/small_profile.hpp"
#include "core/error.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

// In the order of a file the four repeats have 1, 2, 3 and 4 batches, the third two samples: each begins behind the one
// before, and from the rows comes the profile that they were made of.
TEST(ProfileRows, EachRepeatHasItsRows) {
  const Profile profile = in_order(small_profile());
  const ProfileRows rows = to_rows(profile);
  ASSERT_EQ(rows.repeats.size(), 4U);
  const std::int64_t begins[] = {0, 1, 3, 6}, samples[] = {0, 0, 0, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rows.repeats[i].batch_begin, begins[i]) << i;
    EXPECT_EQ(rows.repeats[i].batch_count, static_cast<std::int64_t>(i) + 1) << i;
    EXPECT_EQ(rows.repeats[i].sample_begin, samples[i]) << i;
    EXPECT_EQ(rows.repeats[i].sample_count, i == 2 ? 2 : 0) << i;
  }
  ASSERT_EQ(rows.batches.size(), 10U);
  EXPECT_EQ(rows.batches[3].time_ms, 4);
  ASSERT_EQ(rows.samples.size(), 2U);
  const SampleRow& sample = rows.samples[1];
  EXPECT_EQ(sample.t_ns, 2);
  EXPECT_EQ(sample.sm_mhz, 1410);
  EXPECT_EQ(sample.mem_mhz, 877);
  EXPECT_EQ(sample.power_w, 251);
  EXPECT_EQ(sample.temp_c, 61);
  EXPECT_EQ(sample.energy_j, 20);
  EXPECT_EQ(sample.reasons, 4);
  EXPECT_EQ(profile_digest(from_rows(rows, "p.h5")), profile_digest(profile));
}

// Rows that a repeat claims must be there and follow those before, and none may be left: what does not fit is named
// with its numbers.
TEST(ProfileRows, WhatDoesNotFitIsSaid) {
  const auto refusal = [](const std::function<void(ProfileRows&)>& change) -> std::string {
    ProfileRows rows = to_rows(in_order(small_profile()));
    change(rows);
    return message_or_none(ErrorCode::data, [&] { (void)from_rows(rows, "p.h5"); });
  };
  const std::string advice = "\n  restore the profile from a copy or measure again";
  const std::string batches = "p.h5:/repeats/batch_begin, row ", samples = "p.h5:/repeats/sample_begin, row ";
  EXPECT_EQ(refusal([](ProfileRows&) {}), "");
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.repeats[1].batch_begin = 0; }),
            batches + "1: says 2 rows from 0, where 10 are there and the next is 1" + advice);
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.repeats[1].batch_begin = -1; }),
            batches + "1: says 2 rows from -1, where 10 are there and the next is 1" + advice);
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.repeats[1].batch_count = -1; }),
            batches + "1: says -1 rows from 1, where 10 are there and the next is 1" + advice);
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.repeats[3].batch_count = 5; }),
            batches + "3: says 5 rows from 6, where 10 are there and the next is 6" + advice);
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.repeats[2].sample_count = 3; }),
            samples + "2: says 3 rows from 0, where 2 are there and the next is 0" + advice);
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.repeats[3].batch_count = 3; }),
            "p.h5:/batches: 1 rows belong to no repeat" + advice);
  EXPECT_EQ(refusal([](ProfileRows& rows) { rows.samples.resize(4); }),
            "p.h5:/telemetry: 2 rows belong to no repeat" + advice);
}

}  // namespace
}  // namespace palstudy::test
