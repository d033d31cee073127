// SPDX-License-Identifier: MIT
// The forms of parallel/ without a launcher; tests/mpi has those of several ranks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "parallel/agree.hpp"
#include "parallel/mpi.hpp"
#include "parallel/without_launcher.hpp"
#include "parallel/work_counter.hpp"

namespace palstudy {
namespace {

class OneRank : public WithoutLauncher {
 protected:
  int argc_ = 0;
  char** argv_ = nullptr;
  Mpi mpi_{argc_, argv_};
};

TEST_F(OneRank, IsRankZeroOfOneAndTalksToItself) {
  EXPECT_FALSE(mpi_.started());
  EXPECT_EQ(mpi_.rank(), 0);
  EXPECT_EQ(mpi_.ranks(), 1);
  EXPECT_EQ(mpi_.max(-7), -7);
  EXPECT_EQ(mpi_.broadcast("x"), "x");
  EXPECT_EQ(mpi_.broadcast(std::vector{1, 2}), (std::vector{1, 2}));
  EXPECT_EQ(mpi_.gather("x"), std::vector<std::string>{"x"});
}

TEST_F(OneRank, CounterCountsFromZero) {
  WorkCounter counter(mpi_);
  for (std::int64_t i = 0; i < 5; ++i) EXPECT_EQ(counter.next(), i);
  counter.report(false);
  counter.report(true);
  EXPECT_EQ(counter.progress().taken, 5);
  EXPECT_EQ(counter.progress().done, 1);
  EXPECT_EQ(counter.progress().failed, 1);
  EXPECT_FALSE(counter.stopping());
  counter.stop_all();
  EXPECT_TRUE(counter.stopping());
}

// Code and message pass unchanged; an error that is none of ours is a fault.
TEST_F(OneRank, AgreesWithItself) {
  on_all_ranks(mpi_, [] {});
  try {
    on_rank_0(mpi_, [] { throw data_error("is full", "disk", "make room"); });
    FAIL();
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_STREQ(error.what(), "disk: is full\n  make room");
  }
  EXPECT_EQ(failure_of([] { throw std::runtime_error("?"); })->code, ErrorCode::fault);
}

}  // namespace
}  // namespace palstudy
