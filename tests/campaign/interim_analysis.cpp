// SPDX-License-Identifier: MIT
// The stopping rule on a study: what the file may say, which runs a look sees, and when it ends.
#include "campaign/interim_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/comparison.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/write_archive.hpp"
#include "archive/write_records.hpp"
#include "campaign/campaign_status.hpp"
#include "campaign/execute.hpp"
#include "campaign/scratch.hpp"
#include "core/files.hpp"
#include "shard/run_frame.hpp"
#include "stats/paired.hpp"
#include "words/looks_text.hpp"

namespace palstudy {
namespace {

const std::string policies = "[axes]\n\"policy.placement\" = [\"pal\", \"pm-first\", \"packed-sticky\"]\n";

std::string stop(const std::string& width, const std::string& looks = "[20, 30, 40]") {
  return "[stop]\nmetric = \"jct_mean_s\"\nrelative_half_width = " + width + "\nlooks = " + looks + "\n";
}

class Looks : public Scratch {
 protected:
  [[nodiscard]] Study study(const std::string& width, const std::string& seeds = "") const {
    return read(minimal + stop(width) + policies + seeds);
  }
};

// However many seeds the axis names, from 7 on: the last look wants 40 of them, and a look at n seeds sees what the
// study with n seeds has, run by run.
TEST_F(Looks, SeePrefixesOfTheRuns) {
  for (const std::string axis :
       {"seed = { first = 7, count = 3 }", "seed = [7, 8]", "seed = { first = 7, count = 50 }"}) {
    const Study whole = study("0.01", axis + "\n");
    ASSERT_EQ(whole.runs.size(), 120u);
    EXPECT_EQ(whole.notes.size(), axis.find("50") == std::string::npos ? 0u : 1u);
    for (const auto& [look, seeds] : {std::pair{0u, "20"}, {1u, "30"}, {2u, "40"}}) {
      EXPECT_EQ(name_of_look(whole, look), fmt::format("look {} of 3, at {} seeds", look + 1, seeds));
      const Study plain = read(minimal + policies + "seed = { first = 7, count = " + seeds + " }\n");
      const Study part = part_of(whole, look);
      ASSERT_EQ(part.runs.size(), plain.runs.size());
      for (std::size_t i = 0; i < plain.runs.size(); ++i) {
        EXPECT_EQ(part.runs[i].id, plain.runs[i].id);
        EXPECT_EQ(part.runs[i].number, plain.runs[i].number);
        EXPECT_EQ(part.runs[i].values, plain.runs[i].values);
      }
    }
  }
}

// A study without an axis of seeds has one all the same: it goes on from its one seed.
TEST_F(Looks, GoOnFromTheOneSeed) {
  const Study whole = read("seed = 3\n" + minimal + stop("0.01") + policies);
  EXPECT_EQ(whole.stop->seed_key, "seed");
  EXPECT_EQ(whole.runs.front().seed, 3u);
  EXPECT_EQ(whole.runs.back().seed, 42u);
}

TEST_F(Looks, OfOneKindOfSeedAlone) {
  const Study whole = study("0.01", "\"cluster.seed\" = [1]\n");
  EXPECT_EQ(whole.stop->seed_key, "cluster.seed");
  EXPECT_EQ(whole.runs.back().cluster.seed, 40u);
  EXPECT_EQ(whole.runs.back().workload.seed, 1u);
}

// What the archive keeps runs again to the same archive: the study of a look is the whole rule with that look's seeds.
TEST_F(Looks, ReadBackFromWhatTheArchiveKeeps) {
  const Study whole = study("0.01", "seed = { first = 1, count = 20 }\n");
  for (std::size_t look = 0; look < 3; ++look) {
    const Study again = parse_study(part_of(whole, look).resolved, "archive");
    EXPECT_EQ(again.resolved, whole.resolved);
    ASSERT_EQ(again.runs.size(), whole.runs.size());
    for (std::size_t i = 0; i < whole.runs.size(); ++i) EXPECT_EQ(again.runs[i].id, whole.runs[i].id);
  }
}

TEST_F(Looks, AreRefusedWithASentence) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    EXPECT_NE(refusal(minimal + text).find(why), std::string::npos) << refusal(minimal + text);
  };
  refused(stop("0.01", "[10, 20]") + policies, "the first of stop.looks is at 10 seeds, before 20");
  refused(stop("0.01", "[20, 40, 40]") + policies, "stop.looks has 40 after 40");
  refused(stop("0.01", "[]") + policies, "a rising list of numbers of seeds");
  refused(stop("0.01", "[20, 1e9]") + policies, "stop.looks");
  refused(stop("0") + policies, "above 0");
  refused("[stop]\nlooks = [20]\n" + policies, "[stop] needs stop.relative_half_width");
  refused("[stop]\nrelative_half_width = 0.01\n" + policies, "[stop] needs stop.looks");
  refused("[stop]\nmetric = \"jct_mean_s\"\n" + policies, "[stop] needs stop.looks");
  refused("[stop]\nmetric = \"jct_mea_s\"\n", "did you mean \"jct_mean_s\"?");
  refused(stop("0.01"), "the study compares none");
  refused(stop("0.01") + "[axes]\n\"policy.placement\" = [\"pal\", \"pm-first\"]\n", "the study compares none");
  refused(stop("0.01") + "[compare]\nbaseline = \"random-sticky\"\n" + policies, "is not on the axis policy.placement");
  refused(stop("0.01") + policies + "seed = [1, 3]\n", "let the seeds count up");
  refused(stop("0.01") + policies + "\"cluster.seed\" = [1, 2]\n\"workload.seed\" = [1, 2]\n", "one axis of seeds");
}

/// One row of /runs.
RunRecord record_of(const Study& study, const RunPlan& plan, double jct, double unfinished = 0) {
  const Topology topology(std::vector<NodeGroup>{{1, 2}}, 1);
  RunResult result;
  result.metrics[static_cast<std::size_t>(Metric::jct_mean_s)] = jct;
  result.metrics[static_cast<std::size_t>(Metric::makespan_s)] = jct;
  result.metrics[static_cast<std::size_t>(Metric::jobs_unfinished)] = unfinished;
  result.metrics[static_cast<std::size_t>(Metric::stable)] = 1;
  OutputTables tables;
  tables.jobs = false;
  return make_record(label_of(study, plan), result, Workload{}, Slowdowns({"A"}, 2, {1.0, 1.0}), topology,
                     Partitioning(topology, 1), tables);
}

/// Completion times that no two seeds share; pal's wander by `pal` about the baseline's, pm-first's by `pm_first`.
double jct_of(const RunPlan& run, double pal, double pm_first) {
  const auto seed = static_cast<double>(run.seed);
  const double base = 1000 + 10 * seed, wander = std::sin(7 * seed * seed);
  if (run.policy.placement == "pal") return base * std::exp(pal * wander);
  return run.policy.placement == "pm-first" ? base * std::exp(0.1 + pm_first * wander) : base;
}

std::vector<RunRecord> records_of(const Study& study, std::size_t runs, double pal, double pm_first) {
  std::vector<RunRecord> records;
  for (std::size_t i = 0; i < runs; ++i) {
    records.push_back(record_of(study, study.runs[i], jct_of(study.runs[i], pal, pm_first)));
  }
  return records;
}

Outcomes outcomes(const Study& study, const std::vector<RunRecord>& records) {
  Outcomes all(study.runs.size());
  for (const auto& record : records) {
    const auto at = static_cast<std::size_t>(record.run);
    all[at] = outcomes_of(study, record.runs)[at];
  }
  return all;
}

// The rule sees the same of runs, whether they lie in shards or in tables of /runs; one of them left jobs unfinished.
TEST_F(Looks, SeeShardsAsTheySeeTables) {
  const Study whole = study("0.02");
  auto records = records_of(whole, 9, 0.02, 0.1);
  records[4] = record_of(whole, whole.runs[4], 1234, 2);
  const auto parts = parts_dir(dir / "shards.h5");
  std::filesystem::create_directory(parts);
  ShardWriter writer(parts, "20240101T000000", 0);
  for (const RunRecord& record : records) writer.append(record);
  writer.close();
  const Outcomes expected = outcomes(whole, records), seen = outcomes_of(whole, parts, std::nullopt);
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].ended, i < 9) << i;
    EXPECT_EQ(seen[i].value, expected[i].value) << i;
    EXPECT_EQ(seen[i].no_claim, i == 4 ? NoClaim::unfinished : NoClaim::none) << i;
  }
}

// Where the seeds change nothing all comparisons are as narrow as can be: the first look ends the study and says why.
TEST_F(Looks, EndAtOnceWhereTheSeedsChangeNothing) {
  const Study whole = study("0.02");
  const LookState state = look_at(whole, outcomes(whole, records_of(whole, whole.runs.size(), 0, 0)));
  EXPECT_TRUE(state.ends);
  EXPECT_TRUE(state.narrow);
  EXPECT_EQ(state.look, 0U);
  EXPECT_EQ(state.why.what, LookResult::no_interval);
  EXPECT_EQ(state.why.no_interval.why, Missing::no_change);
  EXPECT_EQ(state.why.baseline, "packed-sticky");
}

// The slow, obvious twin: at each look an archive of exactly its runs is written, and `compare` asked. The rule ends at
// the first look at which all of compare's intervals are narrow, whatever the width; all three looks are met on the
// way.
TEST_F(Looks, EndWhereCompareIsNarrow) {
  std::vector<int> ended(3, 0);
  for (const char* width : {"0.02", "0.03", "0.034", "0.036", "0.038", "0.04", "0.05", "0.1"}) {
    const Study whole = study(width);
    const auto records = records_of(whole, whole.runs.size(), 0.02, 0.1);
    const LookState state = look_at(whole, outcomes(whole, records));
    ASSERT_TRUE(state.ends);
    std::size_t want = 0;
    for (bool narrow = false; !narrow && want < 3; want += narrow ? 0 : 1) {
      Provenance provenance;
      provenance.baselines = whole.baselines;
      const auto file = dir / "look.h5";
      const auto end = records.begin() + static_cast<std::ptrdiff_t>(whole.stop->looks[want].runs);
      write_archive(file, {records.begin(), end}, {}, provenance);
      const Comparison compared = compare(ArchiveReader(file), {{"jct_mean_s"}, {}, {}, {}});
      const auto& gains = compared.groups.at(0).gains;
      ASSERT_EQ(gains.size(), 4u);  // two policies, and the makespan beside what was asked
      narrow = std::all_of(gains.begin(), gains.end(), [&](const PolicyGain& one) {
        return narrow_enough(one.gain.value(), whole.stop->relative_half_width);
      });
    }
    EXPECT_EQ(state.narrow, want < 3);
    EXPECT_EQ(state.look, std::min<std::size_t>(want, 2));
    ++ended[state.look];
  }
  for (const int times : ended) EXPECT_GT(times, 0);
}

// pal alone is known well at once; the study goes on for pm-first, and says so.
TEST_F(Looks, WaitForEveryComparison) {
  const Study whole = study("0.01");
  const auto at_once = look_at(whole, outcomes(whole, records_of(whole, 60, 0.001, 0.001)));
  EXPECT_TRUE(at_once.ends && at_once.narrow);
  EXPECT_EQ(at_once.look, 0u);
  const auto later = look_at(whole, outcomes(whole, records_of(whole, 60, 0.001, 0.2)));
  EXPECT_FALSE(later.ends);
  EXPECT_EQ(later.look, 1u);
  EXPECT_EQ(later.ended, 60u);
  EXPECT_EQ(later.why.what, LookResult::interval);
  EXPECT_EQ(later.why.policy, "pm-first");
  EXPECT_EQ(later.why.baseline, "packed-sticky");
  EXPECT_GT(later.why.half_width, 0.01);
}

// Where a run makes no claim its pair is left out of every interval, so a narrow one may be luck: on to the last look.
TEST_F(Looks, GoOnToTheLastWhereARunMakesNoClaim) {
  const Study whole = study("0.01");
  auto records = records_of(whole, whole.runs.size(), 0.001, 0.001);
  records[5] = record_of(whole, whole.runs[5], 1000, 2);
  LookState state = look_at(whole, outcomes(whole, records));
  EXPECT_TRUE(state.ends);
  EXPECT_FALSE(state.narrow);
  EXPECT_EQ(state.look, 2u);
  EXPECT_EQ(state.why, (LookFinding{LookResult::no_claim, {}, {}, 5, NoClaim::unfinished}));
  records[5] = make_failed_record(label_of(whole, whole.runs[5]), "for the test");
  state = look_at(whole, outcomes(whole, records));
  EXPECT_EQ(state.look, 2u);
  EXPECT_EQ(state.why, (LookFinding{LookResult::no_claim, {}, {}, 5, NoClaim::failed}));
}

// What runs beyond a look gave, and which of them are there, is nothing to it.
TEST_F(Looks, AreAFunctionOfTheirOwnRuns) {
  const Study whole = study("0.01");
  const auto first = outcomes(whole, records_of(whole, 60, 0.001, 0.001));
  auto more = outcomes(whole, records_of(whole, 120, 0.001, 0.3));
  std::copy_n(first.begin(), 60, more.begin());
  EXPECT_EQ(look_at(whole, first).look, look_at(whole, more).look);
  EXPECT_EQ(look_at(whole, first).why, look_at(whole, more).why);
  auto missing = more;
  missing[59] = {};
  const LookState state = look_at(whole, missing);
  EXPECT_FALSE(state.ends);
  EXPECT_EQ(state.look, 0u);
  EXPECT_EQ(state.ended, 59u);
}

// The plan that merge leaves for the slices; without one, or with one of other looks, they begin at the first.
TEST_F(Looks, ArePlannedBesideTheShards) {
  const Study whole = study("0.01");
  EXPECT_EQ(planned_look(whole, dir), 0u);
  write_plan(whole, 2, dir);
  EXPECT_EQ(planned_look(whole, dir), 2u);
  EXPECT_EQ(planned_look(read(minimal + stop("0.01", "[20, 41]") + policies), dir), 0u);
  write("next-look.json", "{");
  EXPECT_THROW((void)planned_look(whole, dir), Error);
}

// What the archive says of the looks: at how many seeds, of how many at most, what was wanted, and how it ended.
TEST_F(Looks, AreToldWithWhyTheyEnded) {
  const Study whole = study("0.015");
  const LookFinding fine{LookResult::interval, "pal", "packed-sticky"}, not_fine{LookResult::no_claim, {}, {}, 3};
  EXPECT_EQ(looks_taken(whole, {1, 90, true, true, fine}), (LooksTaken{{20, 30}, 40, "jct_mean_s", 0.015, true, fine}));
  EXPECT_EQ(looks_taken(whole, {2, 120, true, false, not_fine}),
            (LooksTaken{{20, 30, 40}, 40, "jct_mean_s", 0.015, false, not_fine}));
  EXPECT_EQ(look_text(read(minimal + policies), dir / "none.h5"), "");
}

// Beside the shards of a campaign it is told at which look it would go on, with what the look before said; and with all
// runs of a look that ends it, that it ends.
TEST_F(Looks, AreToldBesideTheShards) {
  const Study whole = study("0.01");
  const auto told = [&](std::size_t runs, double pm_first) {
    const auto output = dir / "shards.h5", parts = parts_dir(output);
    std::filesystem::remove_all(parts);
    std::filesystem::create_directory(parts);
    ShardWriter writer(parts, "20240101T000000", 0);
    const auto records = records_of(whole, runs, 0.001, pm_first);
    for (const RunRecord& record : records) writer.append(record);
    writer.close();
    const LookState state = look_at(whole, outcomes(whole, records));
    return std::pair(look_text(whole, output), state);
  };
  EXPECT_EQ(told(59, 0.001).first, "look 1 of 3, at 20 seeds\n");
  const auto [on, state] = told(60, 0.2);
  EXPECT_EQ(on, "look 2 of 3, at 30 seeds; at the look before, " + finding_text(state.why) + "\n");
  const auto [over, last] = told(60, 0.001);
  EXPECT_EQ(over, looks_text(looks_taken(whole, last)) + "\n");
}

// Of several runs that make no claim the first is named, and how many there are besides; a value that no ratio can be
// made of is named with its comparison.
TEST_F(Looks, NameTheFirstRunThatIsInTheWay) {
  const Study whole = study("0.01");
  auto seen = outcomes(whole, records_of(whole, whole.runs.size(), 0.001, 0.001));
  for (const std::size_t run : {7u, 11u, 12u}) seen[run].no_claim = NoClaim::failed;
  EXPECT_EQ(look_at(whole, seen).why, (LookFinding{LookResult::no_claim, {}, {}, 7, NoClaim::failed, 2}));
  for (RunOutcome& one : seen) one.no_claim = NoClaim::none;
  std::size_t first_of_pal = 0;
  while (whole.runs[first_of_pal].policy.placement != "pal") ++first_of_pal;
  seen[first_of_pal].value = std::nan("");
  const LookState state = look_at(whole, seen);
  EXPECT_FALSE(state.narrow);
  EXPECT_EQ(state.why, (LookFinding{LookResult::no_ratio, "pal", "packed-sticky", first_of_pal}));
}

// A plan that another program wrote, or another version, is not taken for one.
TEST_F(Looks, ArePlannedByThisProgramAlone) {
  const Study whole = study("0.01");
  write("next-look.json", "{\"format\": \"palstudy-next-look-2\", \"seeds\": 30}");
  expect_parts(message_of(ErrorCode::data, [&] { (void)planned_look(whole, dir); }),
               {"next-look.json: is not what palstudy merge writes", "remove this file"});
  write("next-look.json", "{\"format\": \"palstudy-next-look-1\", \"seeds\": 30}");
  EXPECT_EQ(planned_look(whole, dir), 1u);
}

}  // namespace
}  // namespace palstudy
