// SPDX-License-Identifier: MIT
#include "words/note_text.hpp"

#include <gtest/gtest.h>

#include "analysis/comparison.hpp"
#include "archive/reader.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

std::string said(const char* id, ValueRecord values, const char* subject = "") {
  return text_of({id, Severity::care, subject, std::move(values)});
}

// Each kind that the program declares has words, and there are words of nothing else. (A comparison is linked with
// all.)
TEST(NoteWords, AreThoseOfTheKindsThatAreDeclared) {
  EXPECT_THROW((void)compare(ArchiveReader("there is none"), {}), Error);
  const auto& words = note_words().entries();
  std::size_t declared = 0;
  for (const NoteKind* kind : NoteKind::all()) {
    if (kind->id() == std::string("even-seeds")) continue;  // the example of CONTRIBUTING.md
    EXPECT_TRUE(words.contains(kind->id())) << kind->id();
    ++declared;
  }
  EXPECT_EQ(words.size(), declared);
  EXPECT_THROW((void)said("not-declared", {}), Error);
}

TEST(NoteWords, OfGpus) {
  const auto slow = [](int runs) {
    return said("slow-gpu", {{"runs", runs}, {"of", 40}, {"slowdown", 3.0}, {"limit", 2.0}});
  };
  EXPECT_EQ(
      slow(20),
      "before quoting a gain: in 20 of 40 runs the slowest GPU has a slowdown over 2 (up to 3; 1 is the median GPU "
      "of a profile, or what a table calls 1). One such GPU can make most of the gain of a policy that avoids it; "
      "--by \"cluster.slowdown_max>2\" splits the runs; experiments/straggler.toml shows how much");
  EXPECT_EQ(slow(40).find("splits the runs"), std::string::npos) << "a split that all runs exceed tells nothing";
}

TEST(NoteWords, OfClaims) {
  EXPECT_EQ(said("failed", {{"runs", 1}, {"of", 8}}), "1 of 8 runs failed and make no claim, nor do their pairs");
  EXPECT_EQ(said("unfinished", {{"runs", 3}, {"of", 8}, {"jobs", 12}}),
            "3 of 8 runs left 12 measured jobs unfinished and make no claim, nor do their pairs");
  EXPECT_EQ(
      said("unstable", {{"runs", 3}, {"of", 8}, {"growth", least_and_most(6.8, 65)}}),
      "3 of 8 runs are unstable and make no claim, nor do their pairs: their queues grow by 6.8 to 65 jobs an hour");
  EXPECT_EQ(
      said("up-to-end", {{"metrics", ValueList{"a", "b"}}, {"runs", 2}, {"of", 8}}),
      "2 of 8 runs left jobs unfinished: a, b are up to the end of the run there, and compared where both runs of a "
      "pair did");
  EXPECT_EQ(said("no-baseline", {}).find("no gain is shown"), 0u);
}

TEST(NoteWords, OfJobs) {
  EXPECT_EQ(
      said("few-jobs", {{"metric", "jct_mean_s"},
                        {"runs", 2},
                        {"of", 3},
                        {"jobs", 1},
                        {"of_jobs", 101},
                        {"share", 0.5},
                        {"run", 9}}),
      "few jobs rule jct_mean_s: in 2 of 3 runs under 2 % of the measured jobs hold over a third of it, as few as 1 "
      "of 101 jobs 50 % (run 9); jct_p50_s and jct_log_mean_s depend on them less");
  EXPECT_EQ(
      said("one-episode", {{"runs", 2}, {"of", 4}, {"share", 0.67}, {"run", 8}}),
      "one episode rules jct_mean_s: in 2 of 4 runs over half of it is the waiting of a tenth of the measured jobs, "
      "which arrived one after another, up to 67 % (run 8); a single wide job that others wait for can do that");
  EXPECT_EQ(said("killed-jobs", {{"jobs", 12}, {"of", 4}, {"most", 5}})
                .find("12 measured jobs, in all of 4 runs together, were killed"),
            0u);
  EXPECT_EQ(said("no-job-rows", {{"unknown", "few-jobs"}}).find("whether few jobs rule the means is not known"), 0u);
  EXPECT_EQ(said("no-job-rows", {{"unknown", "overloaded"}}).find("overloaded or not is not known"), 0u);
}

Value policy(const char* name, double share, int over_half, int runs) {
  return ValueRecord{{"name", name}, {"share", share}, {"over_half", over_half}, {"runs", runs}};
}

// Up to four policies are named, of five the range.
TEST(NoteWords, OfWaiting) {
  const std::string why =
      ", on average over the runs; where it is over half, a gain is mostly one of waits, which depend on the load, on "
      "what queued before and on the length of rounds";
  EXPECT_EQ(said("waiting", {{"policies", ValueList{policy("a", 0.3, 1, 4), policy("b", 0.6, 1, 1)}}}),
            "waiting is 30 % of the completion time under a (over half in 1 of 4 runs), 60 % under b" + why);
  ValueList five;
  for (const double share : {0.6, 0.7, 0.8, 0.55, 0.9}) five.push_back(policy("p", share, 1, 1));
  EXPECT_EQ(said("waiting", {{"policies", five}}),
            "waiting is 55 to 90 % of the completion time under 5 policies" + why);
  EXPECT_EQ(said("waiting", {{"policies", ValueList{policy("las", 0.6, 1, 1)}}, {"key", "policy.order"}}),
            "waiting is 60 % of the completion time under policy.order = las" + why);
}

TEST(NoteWords, OfALoadThatIsKnownBeforeARun) {
  EXPECT_EQ(said("overloaded", {{"workloads", 8}, {"of", 8}}).find("overloaded in 8 of 8 workloads: the waits"), 0u);
  EXPECT_EQ(said("overloaded", {{"workloads", 5}, {"of", 8}}).find("overloaded in at least 5 of 8 workloads: "), 0u);
  EXPECT_EQ(said("over-one", {{"workloads", 1}, {"of", 1}}).find("over 1: more work than the GPUs can do"), 0u);
}

// Three gains are named, with their groups; of more it is said how many there are.
TEST(NoteWords, OfGains) {
  const auto gain = [](const char* value) -> Value {
    return ValueRecord{
        {"policy", "pal"},        {"baseline", "sticky"},
        {"metric", "jct_mean_s"}, {"at", ValueList{ValueRecord{{"key", "a"}, {"relation", "="}, {"value", value}}}},
        {"gain", 0.018},          {"least", -0.42},
        {"most", 0.37},           {"parts", 2},
        {"traces", false}};
  };
  const auto of = [](const std::string& value) {
    return "pal against sticky at a = " + value +
           ", jct_mean_s: 1.8 % is the average of 2 points, from -42.0 % to 37.0 %";
  };
  const std::string beginning = "averages hide opposite signs, and --by KEY splits them: ";
  EXPECT_EQ(said("mixed-signs", {{"gains", ValueList{gain("1")}}}), beginning + of("1"));
  EXPECT_EQ(said("mixed-signs", {{"gains", ValueList{gain("1"), gain("2"), gain("3"), gain("4"), gain("5")}}}),
            beginning + of("1") + "; " + of("2") + "; " + of("3") + "; and 2 more");
  const Value zero = ValueRecord{{"policy", "pal"},   {"baseline", "sticky"}, {"metric", "jct_mean_s"},
                                 {"at", ValueList()}, {"pairs", 2},           {"of", 8}};
  EXPECT_EQ(
      said("zero-values", {{"gains", ValueList{zero}}}),
      "pairs of which one value is 0 have no ratio, so the gain is of the others: pal against sticky, jct_mean_s: 2 "
      "of 8 pairs");
  EXPECT_EQ(said("horizon", {{"runs", 2}, {"of", 2}}).find("2 of 2 runs end after power.horizon_s"), 0u);
}

TEST(NoteWords, OfIntervals) {
  EXPECT_EQ(said("donors", {}).find("given these donors: "), 0u);
  EXPECT_EQ(said("idle-seeds", {}).find("the seeds change nothing but random choices of the policies"), 0u);
  EXPECT_EQ(said("same-nodes", {}).find("the seeds only put the same nodes in other places"), 0u);
}

}  // namespace
}  // namespace palstudy
