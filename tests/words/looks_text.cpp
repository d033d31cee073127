// SPDX-License-Identifier: MIT
#include "words/looks_text.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// At how many seeds, of how many at most, what was wanted, and how it ended.
TEST(LookWords, SayWhyTheyEnded) {
  LookFinding known{LookResult::interval, "pal", "sticky"};
  known.half_width = 0.00812;
  LooksTaken looks{{20, 30}, 40, "jct_mean_s", 0.015, true, known};
  EXPECT_EQ(looks_text(looks),
            "[stop] looked at 20, 30 seeds (at most 40), until jct_mean_s is known to within 1.5 %: narrow enough; pal "
            "over sticky is known to within 0.81 %");
  looks.seeds.push_back(40);
  looks.narrow = false;
  EXPECT_EQ(looks_text(looks),
            "[stop] looked at 20, 30, 40 seeds (at most 40), until jct_mean_s is known to within 1.5 %: not narrow "
            "enough at the last look; pal over sticky is known to within 0.81 %");
}

// The first of the runs that are in the way is named, and how many there are besides.
TEST(LookWords, NameTheRunThatIsInTheWay) {
  EXPECT_EQ(finding_text({}), "");
  EXPECT_EQ(finding_text({LookResult::no_claim, {}, {}, 7, NoClaim::failed}), "run 7 failed and makes no claim");
  EXPECT_EQ(finding_text({LookResult::no_claim, {}, {}, 5, NoClaim::unfinished, 2}),
            "run 5 left jobs unfinished and makes no claim, like 2 more");
  EXPECT_EQ(finding_text({LookResult::no_claim, {}, {}, 6, NoClaim::unstable}),
            "run 6 was unstable and makes no claim");
  EXPECT_EQ(finding_text({LookResult::no_ratio, "pal", "sticky", 7}), "pal over sticky: run 7 cannot be compared");
}

TEST(LookWords, SayWhyThereIsNoInterval) {
  LookFinding none{LookResult::no_interval, "pal", "sticky"};
  none.no_interval.why = Missing::no_change;
  EXPECT_EQ(finding_text(none), "pal over sticky has no interval: the seeds change nothing");
  none.no_interval = {Missing::few_clusters, 3, 8};
  EXPECT_EQ(finding_text(none), "pal over sticky has no interval: 3 of at least 8 cluster seeds");
}

}  // namespace
}  // namespace palstudy
