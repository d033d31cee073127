// SPDX-License-Identifier: MIT
#include "words/note_text.hpp"

#include <gtest/gtest.h>

#include "analysis/comparison.hpp"
#include "archive/reader.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_tools.hpp"

namespace palstudy {
namespace {

std::string said(const char* id, ValueRecord values, const char* subject = "") {
  return text_of({id, Severity::care, subject, std::move(values)});
}

// Each kind that the program declares has words, and there are words of nothing else. (A comparison, and what joins
// profiles, is linked with all.)
TEST(NoteWords, AreThoseOfTheKindsThatAreDeclared) {
  EXPECT_THROW((void)compare(ArchiveReader("there is none"), {}), Error);
  EXPECT_THROW((void)merge_profile_files({"there is none"}), Error);
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

// `palstudy explain` says in a few short sentences what each means.
TEST(NoteWords, ExplainThemselves) {
  for (const auto& [id, words] : note_words().entries()) {
    const auto all = split(words.explanation, ' ');
    EXPECT_GE(all.size(), 40u) << id;
    EXPECT_LE(all.size(), 120u) << id;
    std::size_t length = 0;
    for (const std::string& word : all) {
      ++length;
      EXPECT_LE(length, 30u) << id << ": " << word;
      if (word.ends_with('.') || word.ends_with(':')) length = 0;
    }
  }
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

TEST(NoteWords, OfStudies) {
  EXPECT_EQ(said("unused-key", {{"key", "failures.retries"}}),
            "failures.retries is not used: no run has a failures.model");
  EXPECT_EQ(said("unused-key", {{"key", "no.key"}}), "no.key is not used");
  EXPECT_EQ(said("unused-seeds", {{"key", "seed"}, {"seeds", 23}, {"used", 22}}),
            "the axis seed has 23 values; [stop] never takes more than the first 22");
  EXPECT_EQ(said("unused-table", {{"models", "jobs/models.toml"}}, "/s/jobs/models.toml"),
            "/s/jobs/models.toml is not used: workload.models = \"jobs/models.toml\" is the program's own table; give "
            "yours another name");
  EXPECT_EQ(said("endless", {{"migration_s", 400.0}, {"round_s", 360.0}}),
            "a move costs 400 s and a round takes 360 s: jobs that are moved at every boundary may never finish; "
            "measure.end_s gives up in time");
  EXPECT_EQ(said("lost-baseline", {{"key", "policy.placement"}, {"is_axis", true}}, "pal"),
            "--set leaves the baseline \"pal\" out of policy.placement, so nothing is compared with it");
  EXPECT_EQ(said("lost-baseline", {{"key", "policy.placement"}, {"is_axis", false}}),
            "nothing is compared with compare.baseline, since policy.placement is no axis");
}

TEST(NoteWords, OfTraces) {
  const auto of_trace = [](const char* id, ValueRecord values) { return said(id, std::move(values), "t.csv"); };
  EXPECT_EQ(of_trace("unsorted", {}),
            "t.csv: not sorted by submit time; sorted, jobs of one time in the order of the file");
  const Value reason = ValueRecord{{"reason", "want no GPU"}, {"records", 2}, {"first_line", 4}};
  EXPECT_EQ(of_trace("left-records", {{"left", 2}, {"of", 9}, {"reasons", ValueList{reason}}}),
            "t.csv: 2 of 9 records left out: 2 want no GPU (first: line 4)");
  EXPECT_EQ(of_trace("unread-column", {{"column", "tennant"}, {"like", "tenant"}}),
            "t.csv: column \"tennant\" is not read; did you mean \"tenant\"?");
  EXPECT_EQ(of_trace("unread-column", {{"column", "x"}, {"like", Value()}}), "t.csv: column \"x\" is not read");
  EXPECT_EQ(of_trace("late-start", {{"first_s", 1.5e9}}),
            "t.csv: the first job is submitted at 1500000000 s, and times count from 0: subtract that from the times "
            "of the trace");
  EXPECT_EQ(of_trace("units", {{"load", 0.005}}),
            "t.csv: the offered load is 0.005, so hardly any job waits; times are seconds, so check the units of the "
            "trace");
  EXPECT_EQ(of_trace("units", {{"duration_s", 100.0}, {"round_s", 3600.0}}),
            "t.csv: nine of ten measured jobs run for 100 s or less, and a round takes 3600 s; times are seconds, so "
            "check the units of the trace");
  EXPECT_EQ(said("no-quota", {{"jobs", 1}, {"tenants", ValueList{"c"}}}),
            "1 job of 1 tenant without a quota is left out: \"c\"");
  EXPECT_EQ(said("no-quota", {{"jobs", 3}, {"tenants", ValueList{"c", ""}}}),
            "3 jobs of 2 tenants without a quota are left out: \"c\", \"\"");
  EXPECT_EQ(said("no-llm-jobs", {{"gpus", 64}}, "generator philly"),
            "generator philly: workload.llm_share makes no jobs on 64 GPUs: the cluster is too small for them");
}

TEST(NoteWords, OfDrawnAndCopiedJobs) {
  const auto drawn = [](const char* by, int blocks, int empty, bool by_weekday) {
    return said("resampled",
                {{"jobs", 224}, {"by", by}, {"blocks", blocks}, {"empty", empty}, {"by_weekday", by_weekday}}, "t.csv");
  };
  EXPECT_EQ(drawn("days", 56, 0, true),
            "t.csv: 224 jobs in 56 days; each workload.seed draws as many of these with replacement, each in place of "
            "one of the same weekday (workload.resample)");
  EXPECT_EQ(drawn("weeks", 3, 1, false),
            "t.csv: 224 jobs in 3 whole weeks, 1 of them without jobs; each workload.seed draws as many of these with "
            "replacement (workload.resample)");
  EXPECT_EQ(drawn("users", 1, 0, false).find("t.csv: 224 jobs in 1 user; "), 0u);
  const auto copied = [](double copies, const Value& own, const Value& jobs) {
    return said("copied-jobs", {{"copies", copies}, {"own", own}, {"jobs", jobs}}, "t.csv");
  };
  EXPECT_EQ(copied(2, 2, 4), "t.csv: 4 jobs in place of 2, workload.copies = 2");
  EXPECT_EQ(copied(1.5, 2, {}),
            "t.csv: workload.copies = 1.5 of 2 jobs; each workload.seed draws those of the last copy");
  EXPECT_EQ(copied(2, {}, {}), "t.csv: workload.copies = 2 of the jobs that each workload.seed draws");
}

TEST(NoteWords, OfMeasuredGpus) {
  const ValueRecord common = {{"kernels", ValueList{"m", "n"}}, {"nodes", 15}, {"gpus", 4}, {"need", 16}};
  EXPECT_EQ(said("joint-classes", common), "classes drawn jointly, from the 15 nodes of 4 GPUs that carry all of m, n");
  EXPECT_EQ(said("split-classes", common),
            "classes drawn apart, each kernel from its own nodes: 15 nodes of 4 GPUs carry all of m, n, and a joint "
            "draw needs 16");
  const auto missing = [](int gpus, int nodes, int unmatched) {
    return said("missing-nodes",
                {{"gpus", gpus},
                 {"of_gpus", 392},
                 {"nodes", nodes},
                 {"of_nodes", 98},
                 {"size", 4},
                 {"unmatched", unmatched},
                 {"of_joint", 75}},
                "m");
  };
  EXPECT_EQ(missing(48, 0, 0), "m: 48 of 392 GPUs were left out, their node is not known");
  EXPECT_EQ(
      missing(0, 3, 5),
      "m: 3 of 98 nodes were left out, they do not have 4 measured GPUs. 5 of 75 nodes are matched by node and not "
      "by GPU, as no index of a GPU is known");
  EXPECT_EQ(said("node-size", {{"gpus", 2}, {"measured", 4}}, "m"),
            "m: a node of 2 GPUs takes that many of a measured node of 4, from a random slot on");
  EXPECT_EQ(said("node-size", {{"gpus", 6}, {"measured", 4}}, "m"),
            "m: a node of 6 GPUs is 2 measured nodes of 4, drawn apart, side by side: a node fault hits 4 of its GPUs");
  EXPECT_EQ(
      said("odd-table", {{"class", "A"}, {"median", 120.5}}, "c.csv").find("c.csv: the median slowdown of class A is"),
      0u);
  EXPECT_EQ(
      said("run-halves", {{"knowledge", "other-half"}}).find("policy.knowledge = \"other-half\": of each GPU's runs"),
      0u);
  EXPECT_EQ(said("other-machine", {{"kernel", "frontera-bert"}, {"profile", "longhorn"}}, "B"),
            "class B stands on frontera-bert, of another machine than the profile longhorn");
  const auto kernel = [](const char* name, const Value& r, const ValueList& classes) -> Value {
    return ValueRecord{{"kernel", name}, {"r", r}, {"classes", classes}};
  };
  const std::string why =
      "what was measured is hardly a property of the GPU: the two halves of its runs correlate under 0.5: ";
  EXPECT_EQ(said("unrepeatable", {{"kernels", ValueList{kernel("once", {}, {"A", "B"}), kernel("turned", -1.0, {"C"})}},
                                  {"least", 0.5}}),
            why + "classes A, B of once (too few runs to tell); class C of turned (-1.00)");
  EXPECT_EQ(said("unrepeatable", {{"kernels", ValueList{kernel("turned", -1.0, {})}}, {"least", 0.5}}),
            why + "turned (-1.00)");
}

TEST(NoteWords, OfModelsAndProfiles) {
  EXPECT_EQ(said("assumed-models", {{"models", ValueList{"a", "b"}}}),
            "the shares of communication of a, b are assumptions, not fitted to measured scaling (docs/models.md)");
  EXPECT_EQ(said("no-gradients", {{"models", ValueList{"a"}}}, "m.toml"),
            "m.toml has no gradient_bytes of a, so their penalty is 1");
  EXPECT_EQ(said("few-links", {{"level", "cabinet"}, {"stand_in", "node"}}, "p.h5"),
            "p.h5: no transfers within a cabinet, so those of the node stand for them");
  EXPECT_EQ(said("cpu-times", {}, "p.h5"), "p.h5: the times are of CPU cores (--backend host), not of GPUs");
  EXPECT_EQ(said("made-up", {}, "p.h5").find("p.h5: some GPUs were slowed on purpose, or the hosts are made up"), 0u);
  EXPECT_EQ(said("one-gpu", {}), "it is of one GPU, and says nothing of how far GPUs differ");
  EXPECT_EQ(said("wrong-results", {{"kernel", "triad"}, {"gpu", "GPU-1"}, {"repeats", 2}}),
            "2 repeats of triad on GPU-1 left out, the result was wrong");
  EXPECT_EQ(said("changed-gpu", {{"what", "host"}, {"values", ValueList{"a", "b"}}}, "GPU-1"),
            "GPU GPU-1 was on a and on b: it is counted where its last session found it");
  EXPECT_EQ(said("changed-gpu", {{"what", "power_limit_w"}, {"values", ValueList{250.0, 300.0}}}, "GPU-1"),
            "GPU GPU-1 had power limits of 250 W and 300 W: its sessions may differ for that");
}

}  // namespace
}  // namespace palstudy
