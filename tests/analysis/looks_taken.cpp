// SPDX-License-Identifier: MIT
#include "analysis/looks_taken.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace palstudy {
namespace {

LooksTaken taken(const LookFinding& why) { return {{20, 30}, 40, "jct_mean_s", 0.1 + 0.2, false, why}; }

// Whatever a look found comes back, with all that is said of it.
TEST(ArchivedLooks, ComeBackWhole) {
  std::vector<LookFinding> all = {{},
                                  {LookResult::no_claim, {}, {}, 5, NoClaim::unfinished, 2},
                                  {LookResult::no_ratio, "pal", "sticky", 7},
                                  {LookResult::interval, "pal", "sticky"}};
  all.back().half_width = 0.1 + 0.2;
  for (const Missing why :
       {Missing::no_change, Missing::few_replications, Missing::few_clusters, Missing::few_workloads,
        Missing::few_blocks, Missing::few_resamples, Missing::no_spread, Missing::few_decide}) {
    all.push_back({LookResult::no_interval, "pal", "sticky"});
    all.back().no_interval = {why, 3, 8};
  }
  for (const LookFinding& why : all) EXPECT_EQ(looks_of(values_of(taken(why)), "looks"), taken(why));
  LooksTaken narrow = taken(all.back());
  narrow.narrow = true;
  EXPECT_EQ(looks_of(values_of(narrow), "looks"), narrow);
}

// A file says by names why they ended, and of a finding only what it has.
TEST(ArchivedLooks, HaveNames) {
  const Value values = values_of(taken({LookResult::no_claim, {}, {}, 5, NoClaim::failed, 0}));
  EXPECT_EQ(values["ended"], Value("last-look"));
  EXPECT_EQ(values["why"], Value(ValueRecord{{"what", "no-claim"}, {"run", 5}, {"no_claim", "failed"}, {"more", 0}}));
}

// What another program put there is refused as data, not as a mistake of ours.
TEST(ArchivedLooks, ThatAreSomethingElseAreRefused) {
  const Value good = values_of(taken({LookResult::interval, "pal", "sticky"}));
  const auto with = [&](const char* name, const Value& value) {
    ValueRecord record = good.record();
    for (auto& [key, one] : record) one = key == name ? value : one;
    return Value(record);
  };
  const Value unknown = ValueRecord{{"what", "no such thing"}};
  for (const Value& bad :
       {with("seeds", "20"), with("metric", 3), with("why", Value()), with("why", unknown), Value("looked twice")}) {
    expect_parts(message_of(ErrorCode::data, [&] { (void)looks_of(bad, "looks"); }),
                 {"looks", "not what this palstudy writes"});
  }
}

}  // namespace
}  // namespace palstudy
