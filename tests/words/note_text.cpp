// SPDX-License-Identifier: MIT
#include "words/note_text.hpp"

#include <gtest/gtest.h>

#include "analysis/comparison.hpp"
#include "archive/reader.hpp"
#include "bundle/verification.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_tools.hpp"
#include "variability/classify/classifier.hpp"

namespace palstudy {
namespace {

std::string said(const char* id, ValueRecord values, const char* subject = "") {
  return text_of({id, Severity::care, subject, std::move(values)});
}

// Each kind that the program declares has words, and there are words of nothing else. (A comparison, what joins
// profiles, what classifies them and what verifies files are linked with all.)
TEST(NoteWords, AreThoseOfTheKindsThatAreDeclared) {
  EXPECT_THROW((void)compare(ArchiveReader("there is none"), {}), Error);
  EXPECT_THROW((void)merge_profile_files({"there is none"}), Error);
  EXPECT_THROW((void)classify(kernel_uses({}), {}, "there is none"), Error);
  EXPECT_THROW((void)verify_file("there is none"), Error);
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

// A note fits one line of 80 columns with its id, so its sentence has at most 62; names from files may be longer.
TEST(NoteWords, OfGpus) {
  EXPECT_EQ(said("slow-gpu", {{"runs", 20}, {"of", 40}, {"slowdown", 3.0}, {"limit", 2.0}}),
            "one GPU is 3 times as slow as the median, in 20 of 40 runs");
}

TEST(NoteWords, OfClaims) {
  EXPECT_EQ(said("failed", {{"runs", 1}, {"of", 8}}), "1 of 8 runs failed and are left out with their pairs");
  EXPECT_EQ(said("unfinished", {{"runs", 3}, {"of", 8}, {"jobs", 12}}), "3 of 8 runs left 12 measured jobs unfinished");
  EXPECT_EQ(said("unstable", {{"runs", 3}, {"of", 8}, {"growth", least_and_most(6.8, 65)}}),
            "3 of 8 runs are unstable: queues grow by 6.8 to 65 jobs/h");
  EXPECT_EQ(said("up-to-end", {{"metrics", ValueList{"a", "b"}}, {"runs", 2}, {"of", 8}}),
            "a and 1 more: up to the end of 2 of 8 runs that left jobs");
  EXPECT_EQ(said("no-baseline", {}), "no gain: name a baseline with --baseline NAME");
}

TEST(NoteWords, OfJobs) {
  EXPECT_EQ(said("few-jobs", {{"metric", "jct_mean_s"},
                              {"runs", 2},
                              {"of", 3},
                              {"jobs", 1},
                              {"of_jobs", 101},
                              {"share", 0.5},
                              {"run", 9}}),
            "1 of 101 jobs hold 50 % of jct_mean_s (worst of 3 runs)");
  EXPECT_EQ(said("one-episode", {{"runs", 2}, {"of", 4}, {"share", 0.67}, {"run", 8}}),
            "one stretch of waits is 67 % of the mean, in 2 of 4 runs");
  EXPECT_EQ(said("killed-jobs", {{"jobs", 12}, {"of", 4}, {"most", 5}}),
            "12 jobs killed at their limit count as finished");
  EXPECT_EQ(said("no-job-rows", {{"unknown", "few-jobs"}}),
            "no rows of jobs: whether few jobs decide cannot be checked");
  EXPECT_EQ(said("no-job-rows", {{"unknown", "overloaded"}}), "no rows of jobs: overload cannot be checked");
}

Value policy(const char* name, double share, int over_half, int runs) {
  return ValueRecord{{"name", name}, {"share", share}, {"over_half", over_half}, {"runs", runs}};
}

TEST(NoteWords, OfWaiting) {
  EXPECT_EQ(said("waiting", {{"policies", ValueList{policy("a", 0.3, 1, 4), policy("b", 0.6, 1, 1)}}}),
            "waiting is 30 to 60 % of the completion time");
}

TEST(NoteWords, OfTheLoad) {
  EXPECT_EQ(said("overloaded", {{"workloads", 5}, {"of", 8}}),
            "more work arrives than the GPUs can do, in 5 of 8 workloads");
  const auto growing = [](int runs, const Value& growth) {
    return said("overloaded", {{"runs", runs}, {"of", 8}, {"growth", growth}});
  };
  EXPECT_EQ(growing(8, least_and_most(11, 28)), "queues grow by 11 to 28 jobs/h: a longer trace, another gain");
  EXPECT_EQ(growing(3, least_and_most(11, 28)), "queues grow by 11 to 28 jobs/h in 3 of 8 runs");
  EXPECT_EQ(growing(3, {}), "jobs arrive faster than they are served in 3 of 8 runs");
  EXPECT_EQ(growing(3, least_and_most(-1, 0)), growing(3, {})) << "a queue that does not grow yet is not said to";
  EXPECT_EQ(said("backlog", {{"shrink", least_and_most(3, 5)}}),
            "queues shrink by 3 to 5 jobs/h: earlier jobs still wait");
  EXPECT_EQ(said("over-one", {{"workloads", 1}, {"of", 1}}),
            "load over 1: more work than the GPUs can do, in 1 of 1 workload");
}

// The first is told, with its group; of more it is said how many there are.
TEST(NoteWords, OfGains) {
  const auto gain = [](const char* value) -> Value {
    return ValueRecord{
        {"policy", "pal"},        {"baseline", "sticky"},
        {"metric", "jct_mean_s"}, {"at", ValueList{ValueRecord{{"key", "a"}, {"relation", "="}, {"value", value}}}},
        {"change", -0.018},       {"least", -0.42},
        {"most", 0.37},           {"parts", 2},
        {"traces", false}};
  };
  EXPECT_EQ(said("mixed-signs", {{"gains", ValueList{gain("1")}}}), "pal, a = 1: -1.8 % averages -42.0 to +37.0 %");
  EXPECT_EQ(said("mixed-signs", {{"gains", ValueList{gain("1"), gain("2"), gain("3")}}}),
            "pal, a = 1: -1.8 % averages -42.0 to +37.0 %; 2 more");
  const Value other =
      ValueRecord{{"policy", "pal"}, {"baseline", "sticky"}, {"metric", "jct_mean_s"}, {"at", ValueList()},
                  {"change", 0.06},  {"other", "jct_p50_s"}, {"other_change", -0.15}};
  EXPECT_EQ(said("metrics-disagree", {{"gains", ValueList{other}}}), "pal: jct_mean_s +6.0 %, but jct_p50_s -15.0 %");
  const Value zero = ValueRecord{{"policy", "pal"},   {"baseline", "sticky"}, {"metric", "jct_mean_s"},
                                 {"at", ValueList()}, {"pairs", 2},           {"of", 8}};
  EXPECT_EQ(said("zero-values", {{"gains", ValueList{zero}}}), "jct_mean_s: 2 of 8 pairs have a zero and are left out");
  EXPECT_EQ(said("horizon", {{"runs", 2}, {"of", 2}}), "2 of 2 runs end after power.horizon_s: unequal work");
}

TEST(NoteWords, OfIntervals) {
  EXPECT_EQ(said("donors", {}), "all clusters are drawn from the measured nodes of one machine");
  EXPECT_EQ(said("idle-seeds", {}), "the seeds draw nothing but the policies' own choices");
  EXPECT_EQ(said("same-nodes", {}), "the seeds only move the same nodes to other places");
}

TEST(NoteWords, OfStudies) {
  EXPECT_EQ(said("unused-key", {{"key", "failures.retries"}}),
            "failures.retries is not used: no run has a failures.model");
  EXPECT_EQ(said("unused-key", {{"key", "no.key"}}), "no.key is not used");
  EXPECT_EQ(said("unused-seeds", {{"key", "seed"}, {"seeds", 23}, {"used", 22}}),
            "22 of 23 values of seed are used: [stop] takes no more");
  EXPECT_EQ(said("unused-table", {{"models", "jobs/models.toml"}}, "/s/jobs/models.toml"),
            "/s/jobs/models.toml is not used: workload.models = \"jobs/models.toml\" is the program's own");
  EXPECT_EQ(said("endless", {{"migration_s", 400.0}, {"round_s", 360.0}}),
            "a move costs 400 s, a round is 360 s: jobs may never end");
  EXPECT_EQ(said("lost-baseline", {{"key", "policy.placement"}, {"is_axis", true}}, "pal"),
            "baseline pal is not among the values of policy.placement");
  EXPECT_EQ(said("lost-baseline", {{"key", "policy.placement"}, {"is_axis", false}}),
            "no comparison with compare.baseline: policy.placement is no axis");
  EXPECT_EQ(said("slurm-conf",
                 {{"keys", std::vector<std::string>{"cluster.nodes", "policy.order"}},
                  {"unread", std::vector<std::string>{"CPUs", "PreemptMode"}}},
                 "slurm.conf"),
            "slurm.conf sets cluster.nodes, policy.order; 2 other settings are not read, among them PreemptMode");
  EXPECT_EQ(said("slurm-conf", {{"keys", std::vector<std::string>{}}, {"unread", std::vector<std::string>{"CPUs"}}},
                 "slurm.conf"),
            "slurm.conf sets no key; 1 other setting is not read");
}

TEST(NoteWords, OfTraces) {
  EXPECT_EQ(said("no-column", {{"column", "queue"}, {"key", "slurm.queues"}}),
            "slurm.queues is given, and the trace has no column queue: each job gets the first");
  EXPECT_EQ(said("idle-column", {{"column", "account"}, {"key", "slurm.accounts"}}),
            "the trace has a column account, and the study has no slurm.accounts: it changes nothing");
  const auto of_trace = [](const char* id, ValueRecord values) { return said(id, std::move(values), "t.csv"); };
  EXPECT_EQ(of_trace("unsorted", {}), "t.csv: was not sorted by submission; it is sorted now");
  const Value reason = ValueRecord{{"reason", "want no GPU"}, {"records", 2}, {"first_line", 4}};
  EXPECT_EQ(of_trace("left-records", {{"left", 2}, {"of", 9}, {"reasons", ValueList{reason}}}),
            "t.csv: 2 of 9 records left out: 2 want no GPU (first: line 4)");
  EXPECT_EQ(of_trace("unread-column", {{"column", "tennant"}, {"like", "tenant"}}),
            "t.csv: column tennant is not read; did you mean tenant?");
  EXPECT_EQ(of_trace("unread-column", {{"column", "x"}, {"like", Value()}}), "t.csv: column x is not read");
  const Value failed = ValueRecord{{"state", "FAILED"}, {"jobs", 2}},
              timeout = ValueRecord{{"state", "TIMEOUT"}, {"jobs", 1}};
  EXPECT_EQ(of_trace("recorded-ends",
                     {{"jobs", 3}, {"requeued_runs", 1}, {"past_limit", 1}, {"ends", ValueList{failed, timeout}}}),
            "t.csv: 3 jobs as recorded: 2 FAILED, 1 TIMEOUT; 1 run joined to the one before");
  EXPECT_EQ(of_trace("recorded-ends", {{"jobs", 3}, {"requeued_runs", 0}, {"past_limit", 0}, {"ends", ValueList{}}}),
            "t.csv: 3 jobs as recorded");
  EXPECT_EQ(of_trace("time-zero", {{"at_s", 1788264000.0}, {"ran", 12}, {"waited", 5}}),
            "t.csv: time 0 is 1788264000 s after 1970; 12 jobs ran then, and 5 waited");
  EXPECT_EQ(of_trace("row-ids", {{"jobs", 3}}),
            "t.csv: ids are not whole numbers, each another: 3 jobs are numbered by submission");
  EXPECT_EQ(of_trace("drawn-classes", {{"jobs", 3}}), "t.csv: the class of 3 jobs is not known, and is drawn");
  EXPECT_EQ(of_trace("left-initial", {{"jobs", 3}}),
            "t.csv: 3 jobs of time 0 left out, since arrivals are drawn again");
  EXPECT_EQ(of_trace("idle-classes", {{"names", std::vector<std::string>{"x", "y"}}}),
            "t.csv: no job is called, or is of a user or account called, x, y");
  EXPECT_EQ(of_trace("shifted", {{"by_s", 1.5e9}}), "t.csv: times count from the first job, at 1500000000 s");
  EXPECT_EQ(of_trace("left-wider", {{"left", 2}, {"of", 9}, {"gpus", 64}}),
            "t.csv: 2 of 9 jobs left out: they want over 64 GPUs");
  EXPECT_EQ(of_trace("start-by-end", {}),
            "t.csv: is of Slurm 21.08, which gives no starts: they are taken from the ends");
  EXPECT_EQ(of_trace("swf-layout", {{"header", true}, {"longer", 1}}),
            "t.csv: the first line is a header, and is not read; 1 line has more than 18 fields, of which the rest is "
            "not read");
  EXPECT_EQ(of_trace("zoneless", {}), "t.csv: times have no zone, and are taken as UTC");
  EXPECT_EQ(of_trace("latin-1", {}), "t.csv: is no UTF-8, and is taken as Latin-1");
  EXPECT_EQ(of_trace("late-start", {{"first_s", 1.5e9}}),
            "t.csv: the first job arrives at 1500000000 s; times count from 0");
  EXPECT_EQ(of_trace("units", {{"load", 0.005}}), "t.csv: load 0.005; are its times in seconds?");
  EXPECT_EQ(of_trace("units", {{"duration_s", 100.0}, {"round_s", 3600.0}}),
            "t.csv: most jobs last under 100 s; are its times in seconds?");
  EXPECT_EQ(said("no-quota", {{"jobs", 3}, {"tenants", ValueList{"c", "d"}}}),
            "3 jobs of 2 tenants without a quota left out: c, d");
  EXPECT_EQ(said("no-llm-jobs", {{"gpus", 64}}, "generator philly"),
            "no large-model jobs: 64 GPUs are too few for them");
}

TEST(NoteWords, OfDrawnAndCopiedJobs) {
  const ValueRecord drawn = {{"jobs", 224}, {"by", "weeks"}, {"blocks", 3}, {"empty", 1}, {"by_weekday", false}};
  EXPECT_EQ(said("resampled", drawn, "t.csv"),
            "t.csv: each seed draws from 224 jobs in 3 whole weeks, 1 of them without jobs");
  EXPECT_EQ(said("copied-jobs", {{"copies", 1.5}, {"own", 2}, {"jobs", Value()}}, "t.csv"),
            "t.csv: the jobs are laid over themselves 1.5 times");
}

TEST(NoteWords, OfImportedFiles) {
  const Value reason = ValueRecord{{"reason", "empty"}, {"values", 2}};
  EXPECT_EQ(said("left-values", {{"reasons", ValueList{reason}}}, "b.csv"),
            "b.csv: values that are not used, empty: 2");
  EXPECT_EQ(said("idle-sensors", {{"gpus", 2}, {"of", 8}}, "smi.csv"),
            "smi.csv: 2 of 8 GPUs with sensors have no times");
}

TEST(NoteWords, OfMeasuredGpus) {
  const ValueRecord common = {{"kernels", ValueList{"m", "n"}}, {"nodes", 15}, {"gpus", 4}, {"need", 16}};
  EXPECT_EQ(said("joint-classes", common), "2 classes are drawn together, from 15 nodes");
  EXPECT_EQ(said("split-classes", common), "classes are drawn apart: 15 nodes carry all kernels, not 16");
  const ValueRecord missing = {{"gpus", 48}, {"of_gpus", 392}, {"nodes", 3},    {"of_nodes", 98},
                               {"size", 4},  {"unmatched", 5}, {"of_joint", 75}};
  EXPECT_EQ(said("missing-nodes", missing, "m"),
            "m: 48 of 392 GPUs lack a node, 3 of 98 nodes lack GPUs, 5 of 75 nodes lack slots");
  EXPECT_EQ(said("node-size", {{"gpus", 2}, {"measured", 4}}, "m"),
            "m: a node of 2 GPUs is a part of a measured one of 4");
  EXPECT_EQ(said("node-size", {{"gpus", 6}, {"measured", 4}}, "m"), "m: a node of 6 GPUs is 2 measured nodes of 4");
  EXPECT_EQ(said("odd-table", {{"class", "A"}, {"median", 120.5}}, "c.csv"),
            "class A: median slowdown 120; does c.csv hold times?");
  EXPECT_EQ(said("run-halves", {{"knowledge", "other-half"}}),
            "half of each GPU's runs is its truth, the other is what is believed");
  EXPECT_EQ(said("other-machine", {{"kernel", "frontera-bert"}, {"profile", "longhorn"}}, "B"),
            "class B stands on frontera-bert, of another machine than longhorn");
  const auto kernel = [](const char* name, const Value& r, const ValueList& classes) -> Value {
    return ValueRecord{{"kernel", name}, {"r", r}, {"classes", classes}};
  };
  EXPECT_EQ(said("unrepeatable",
                 {{"kernels", ValueList{kernel("once", {}, {"A", "B"}), kernel("turned", -1.0, {})}}, {"least", 0.5}}),
            "slow GPUs do not stay slow: r = unknown (A, B), -1.00 (turned)");
}

TEST(NoteWords, OfModelsAndProfiles) {
  EXPECT_EQ(said("assumed-models", {{"models", ValueList{"a", "b"}}}),
            "the communication of a, b is assumed, not measured");
  EXPECT_EQ(said("no-gradients", {{"models", ValueList{"a"}}}, "m.toml"),
            "no gradient_bytes for a: their penalty is 1");
  EXPECT_EQ(said("few-links", {{"level", "cabinet"}, {"stand_in", "node"}}, "p.h5"),
            "no transfers within a cabinet: those of the node are used");
  EXPECT_EQ(said("cpu-times", {}, "p.h5"), "p.h5: the times are of CPU cores, not of GPUs");
  EXPECT_EQ(said("made-up", {}, "p.h5"), "p.h5: slowed on purpose, or with made-up hosts: no real machine");
  EXPECT_EQ(said("one-gpu", {}), "one GPU: it says nothing about how far GPUs differ");
  const auto outlier = [](const char* gpu, int sessions) -> Value {
    return ValueRecord{{"gpu", gpu},       {"slowdown", 1.2131},    {"deviations", 5.14},
                       {"bin", 0},         {"bin_slowdown", 1.002}, {"sessions", sessions},
                       {"sessions_off", 1}};
  };
  const std::string off = " of 1.213, 5.1 robust SDs off, is in bin 0 of 1.002, and ";
  EXPECT_EQ(said("binned-outliers", {{"gpus", ValueList{outlier("a", 3), outlier("b", 0)}}}, "p"),
            "p: GPU a" + off + "1 of 3 sessions confirm it; GPU b" + off + "its sessions are not known");
  const std::string ten = said("binned-outliers", {{"gpus", ValueList(10, outlier("a", 3))}}, "p");
  EXPECT_TRUE(ten.ends_with("; 2 more: palstudy profile show --all")) << ten;
  EXPECT_EQ(said("wrong-results", {{"kernel", "triad"}, {"gpu", "GPU-1"}, {"repeats", 2}}),
            "triad on GPU-1: 2 wrong results left out");
  EXPECT_EQ(said("changed-gpu", {{"what", "host"}, {"values", ValueList{"a", "b"}}}, "GPU-1"), "GPU-1 was on a and b");
  EXPECT_EQ(said("changed-gpu", {{"what", "power_limit_w"}, {"values", ValueList{250.0, 300.0}}}, "GPU-1"),
            "GPU-1 had power limits of 250 W and 300 W");
}

TEST(NoteWords, OfClasses) {
  const auto left = [](ValueRecord why) { return said("left-kernel", std::move(why), "triad"); };
  EXPECT_EQ(left({{"why", "asked"}}), "triad is in no class: left out by request");
  EXPECT_EQ(left({{"why", "no-application"}}), "triad is in no class: no application");
  EXPECT_EQ(left({{"why", "no-times"}}), "triad is in no class: no times");
  const auto missing = [&](ValueList what) { return left({{"why", "unknown-use"}, {"missing", std::move(what)}}); };
  EXPECT_EQ(missing({}), "triad is in no class: use unknown");
  EXPECT_EQ(missing({"bytes", "operations"}), "triad is in no class: bytes not counted, operations not counted");
  EXPECT_EQ(missing({"triad", "fma-peak"}), "triad is in no class: no triad, no fma-peak of its pipe");
  EXPECT_EQ(missing({"triad-in-session"}), "triad is in no class: no triad in its sessions");
  EXPECT_EQ(missing({"u_dram"}), "triad is in no class: no u_dram from the profiler");
  EXPECT_EQ(missing({"u_fu"}), "triad is in no class: no u_fu from the profiler");
  EXPECT_EQ(left({{"why", "too-little"}, {"gpus", 7}, {"sessions", 1}}),
            "triad is in no class: 7 GPUs in 1 session; the least is 8 in 2");
  EXPECT_EQ(said("few-kernels", {{"kernels", 1}}), "1 kernel: too few to choose classes, each has its own");
  EXPECT_EQ(said("few-kernels", {{"kernels", 3}}), "of 3 kernels a silhouette compares two classes at most");
  EXPECT_EQ(said("unsure-class", {{"why", "unknown-use"}}, "x"), "x: no class, one of its shares was not counted");
  EXPECT_EQ(said("unsure-class", {{"why", "between"}, {"other", "B"}}, "x"), "x: nearly as near to class B");
  EXPECT_EQ(said("unsure-class", {{"why", "far"}, {"class", "A"}, {"distance", 2.236}}, "x"),
            "x: 2.2 from class A, farther than any measured kernel");
  EXPECT_EQ(said("unsure-class", {{"why", "cache-misses"}, {"other", "C"}, {"u_dram", 1.0}}, "x"),
            "x: would be of class C at a DRAM use of 1.00");
  EXPECT_EQ(said("ceilings", {{"what", "stand-in"}, {"pipe", "tensor"}}, "x"),
            "x: the best tensor kernel stands for the missing ceiling");
  EXPECT_EQ(said("ceilings", {{"what", "u_dram"}, {"share", 3.0}}, "x"),
            "x: DRAM use of 3.00, over 1: cached, or the ceiling was slow");
  EXPECT_EQ(said("ceilings", {{"what", "u_fu"}, {"share", 1.01}}, "x"),
            "x: FU use of 1.01, over 1: cached, or the ceiling was slow");
}

TEST(NoteWords, OfValidation) {
  const ValueRecord waits = {
      {"verdict", "accepted"}, {"jobs", 900}, {"recorded_wait_s", 95.0}, {"simulated_wait_s", 100.0}};
  EXPECT_EQ(said("validated", waits, "jobs.psv"),
            "the model reproduces the site's waits: mean wait 95 s as recorded, 100 s as simulated");
  EXPECT_EQ(said("rejected-model", waits, "jobs.psv"),
            "the model does not reproduce the site's waits: mean wait 95 s as recorded, 100 s as simulated");
  EXPECT_EQ(said("not-validated", {{"changed", false}}),
            "the trace has recorded starts, and the model was not held against them");
  EXPECT_EQ(said("not-validated", {{"changed", true}}),
            "the trace or the scheduler changed since the model was validated");
  EXPECT_EQ(said("unmeasured-nodes", {{"nodes", 2}, {"of", 16}}),
            "2 of 16 nodes are not measured: they count as fast as the median");
}

}  // namespace
}  // namespace palstudy
