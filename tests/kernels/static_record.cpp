// SPDX-License-Identifier: MIT
#include "kernels/static_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace palstudy {
namespace {

// fake_nvml.cpp knows one GPU. What its library lacks or refuses stays empty; this process is no other one.
TEST(StaticRecord, FromNvml) {
  const StaticRecord record = read_static_record("00000000:0F:00.0", PALSTUDY_FAKE_NVML);
  EXPECT_EQ(record.serial, "1650123456789");
  EXPECT_EQ(record.board_part, "900-21010-0040-000");
  EXPECT_EQ(record.vbios, "");
  EXPECT_EQ(record.driver, "550.54.15");
  EXPECT_EQ(record.ecc, "on");
  EXPECT_EQ(record.mig, "off");  // is off; that it will be on after a reset does not count
  EXPECT_EQ(record.persistence, "");
  EXPECT_EQ(record.power_limit_w, 600);
  EXPECT_EQ(record.power_limit_default_w, 700);
  EXPECT_EQ(record.max_sm_mhz, 1980);
  EXPECT_EQ(record.max_mem_mhz, 3201);
  EXPECT_TRUE(record.in_use);
  ASSERT_EQ(record.remarks.size(), 2U);
  EXPECT_EQ(record.remarks[0], "1 other process(es) on it before the measurement");
  EXPECT_NE(record.remarks[1].find("remapped"), std::string::npos);
}

TEST(StaticRecord, WithoutNvmlItSaysWhy) {
  const StaticRecord record = read_static_record("00000000:0F:00.0", "libno-such-library.so");
  EXPECT_EQ(record.serial, "");
  EXPECT_TRUE(std::isnan(record.power_limit_w));
  EXPECT_FALSE(record.in_use);
  ASSERT_EQ(record.remarks.size(), 1U);
  EXPECT_NE(record.remarks[0].find("libno-such-library"), std::string::npos);
}

}  // namespace
}  // namespace palstudy
