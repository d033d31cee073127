// SPDX-License-Identifier: MIT
// Runs that are simulated to know what they take: what is seen in them, where they are cut, and for which other runs
// they stand. Seconds are never looked at, since every machine has its own.
#include "study/rehearsal.hpp"

#include <algorithm>
#include <cmath>

#include "scratch.hpp"
#include "sim/exchange.hpp"
#include "study/study_plan.hpp"

namespace palstudy {
namespace {

class Rehearsals : public Scratch {
 protected:
  // Sixteen GPUs; 120 jobs that together want more than there are, so that under las all of them take turns.
  Study busy(const std::string& axes, const std::string& order = "las") const {
    std::string table = "gpu_id,node_id,class,score\n",
                trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
    for (int gpu = 0; gpu < 16; ++gpu) table += std::to_string(gpu) + "," + std::to_string(gpu / 4) + ",A,1\n";
    for (int job = 0; job < 120; ++job) {
      trace += std::to_string(job) + "," + std::to_string(100 * job) + "," + std::to_string(1 + job % 4) + "," +
               std::to_string(2000 + 370 * (job % 11)) + ",1,A\n";
    }
    write("c.csv", table);
    write("jobs.csv", trace);
    return read(minimal + "cluster.gpus = 16\nmeasure.jobs = { first = 0, last = 119 }\nengine.round_s = 60\n" +
                "policy.order = \"" + order + "\"\n" + axes);
  }
  static Activity foretold(const Study& study, Inputs& inputs) {
    const auto loaded = inputs.load(study.runs.at(0));
    return foretell(study.runs.at(0), loaded, traits_of(study.runs.at(0), loaded));
  }
};

const std::string one_placement = "policy.placement = \"packed-sticky\"\n";

// Nothing of a whole rehearsal is a guess: the jobs are those of the trace, and the last boundary is that at which the
// last measured job finishes, by the run's own makespan.
TEST_F(Rehearsals, SeeTheWholeRun) {
  const Study study = busy(one_placement);
  Inputs inputs(study);
  const Rehearsed seen = rehearse(study, study.runs.at(0), inputs, 1e9);
  ASSERT_TRUE(seen.whole);
  ASSERT_TRUE(seen.record);
  EXPECT_EQ(seen.activity.jobs, 120);
  EXPECT_EQ(seen.record->jobs.rows(), 120u);
  const auto& finishes = std::get<std::vector<double>>(*seen.record->jobs.find("finish_s"));
  const double last_s = *std::max_element(finishes.begin(), finishes.end());
  EXPECT_GE(seen.activity.span_s, last_s);
  EXPECT_LE(seen.activity.span_s, last_s + 60);
  // Every boundary between the first arrival and the end has somebody waiting, and las looks at nearly all of them.
  EXPECT_LE(seen.activity.boundaries, last_s / 60 + 2);
  EXPECT_GT(seen.activity.boundaries, 0.5 * last_s / 60);
  EXPECT_GE(seen.activity.ordered, seen.activity.running);
}

// Allowed a third or an eighth of the work, it is seen with boundaries that are farther apart; what the whole does is
// then known to within a factor of two, how long it lasts to within a fifth.
TEST_F(Rehearsals, SeeLongRunsFromAfar) {
  const Study study = busy(one_placement);
  Inputs inputs(study);
  const Rehearsed whole = rehearse(study, study.runs.at(0), inputs, 1e9);
  const double work_s = engine_rates(study.runs.at(0), inputs.load(study.runs.at(0))).seconds(whole.activity);
  for (const double share : {0.3, 0.125}) {
    const Rehearsed afar = rehearse(study, study.runs.at(0), inputs, share * work_s);
    EXPECT_FALSE(afar.whole) << share;
    EXPECT_FALSE(afar.record) << share;
    EXPECT_LT(afar.spent_s, 3 * share * work_s) << share;
    EXPECT_NEAR(afar.activity.span_s / whole.activity.span_s, 1, 0.2) << share;
    for (const auto what : {&Activity::boundaries, &Activity::running, &Activity::ordered}) {
      EXPECT_GT(afar.activity.*what / whole.activity.*what, 0.5) << share;
      EXPECT_LT(afar.activity.*what / whole.activity.*what, 2.0) << share;
    }
  }
}

// Events are mostly of jobs that are moved or stopped, and how many those are shows in the beginning of a run: a tenth
// of its work is enough to know the rows of all of it within a half, where they differ thirtyfold.
TEST_F(Rehearsals, SeeInTheBeginningWhoIsMoved) {
  const Study study = read(
      "[cluster]\ngpus = 512\ngpus_per_node = 8\npartitions = 2\nsource = \"block\"\n[workload]\ngenerator = "
      "\"philly\"\n"
      "rho = 0.75\n[measure]\nwarmup_s = 0\nwindow_s = 172800\nend_s = 345600\n[engine]\nround_s = 120\n[output]\n"
      "jobs = false\nevents = true\n[axes]\n\"policy.order\" = [\"fifo\", \"srtf\"]\n"
      "\"policy.placement\" = [\"pal\", \"packed-nonsticky\", \"random-nonsticky\", \"packed-sticky\"]\n");
  Inputs inputs(study);
  LocalExchange alone;
  double fewest = 1e300, most = 0;
  for (const RunPlan& run : study.runs) {
    const auto loaded = inputs.load(run);
    const Activity formula = foretell(run, loaded, traits_of(run, loaded));
    const double tenth_s = engine_rates(run, loaded).seconds(formula) / 10;
    const bool doubtful = is_doubtful(run, loaded, traits_of(run, loaded));
    const std::optional<Rehearsed> found =
        doubtful ? rehearse(study, run, inputs, tenth_s) : glimpse(study, run, inputs, tenth_s);
    EXPECT_EQ(found.has_value(), doubtful || run.policy.placement != "packed-sticky") << "nobody is moved there";
    const Rehearsed seen = found.value_or(Rehearsed{formula, 0, 0, false, std::nullopt, false});
    EXPECT_FALSE(seen.whole);
    EXPECT_LT(seen.spent_s, 4 * tenth_s);
    const auto used = static_cast<double>(execute(study, run, inputs, alone)->events.rows());
    EXPECT_LT(std::abs(std::log((2 * formula.jobs + seen.activity.moved) / used)), std::log(1.5))
        << run.policy.order << ", " << run.policy.placement << ": " << formula.jobs << " jobs, " << seen.activity.moved
        << " moves, " << used << " rows";
    fewest = std::min(fewest, used);
    most = std::max(most, used);
  }
  EXPECT_GT(most, 30 * fewest) << "what is foretold here has to differ";
}

// What is simulated depends on the work to be done, not on the clock, so all but seconds comes out the same again.
TEST_F(Rehearsals, AreTheSameAgain) {
  const Study study = busy("[axes]\nseed = [1, 2]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  Inputs once(study), again(study);
  (void)once.check(), (void)again.check();
  const StudyPlan a = plan_study(study, once), b = plan_study(study, again);
  EXPECT_EQ(a.disk.total_mib, b.disk.total_mib);
  EXPECT_EQ(a.needs.memory_mib, b.needs.memory_mib);
  EXPECT_EQ(a.needs.shards_mib, b.needs.shards_mib);
  EXPECT_EQ(a.rehearsed, b.rehearsed);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    EXPECT_EQ(a.sources[i].from, b.sources[i].from);
    EXPECT_EQ(a.sources[i].like, b.sources[i].like);
    EXPECT_EQ(a.needs.runs[i].jobs, b.needs.runs[i].jobs);
  }
  const Rehearsed one = rehearse(study, study.runs.at(0), once, 1e-4),
                  two = rehearse(study, study.runs.at(0), again, 1e-4);
  EXPECT_FALSE(one.whole);
  EXPECT_EQ(one.activity.ordered, two.activity.ordered);
  EXPECT_EQ(one.activity.span_s, two.activity.span_s);
}

// A short study is simulated run by run; asked to be quick, nothing is.
TEST_F(Rehearsals, SaySoOfEveryRun) {
  const Study study = busy("[axes]\nseed = [1, 2]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  Inputs inputs(study);
  (void)inputs.check();
  const StudyPlan plan = plan_study(study, inputs);
  EXPECT_EQ(plan.rehearsed, 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.sources[i].from, EstimateFrom::rehearsed);
    EXPECT_EQ(plan.sources[i].like, i);
  }
  const StudyPlan quick = plan_study(study, inputs, {.quick = true});
  EXPECT_EQ(quick.rehearsed, 0u);
  for (const auto& source : quick.sources) EXPECT_EQ(source.from, EstimateFrom::computed);
}

// 640 short jobs come in the first tenth of a run that one long job draws out: at nine in ten of its rounds nothing
// changes, and hardly anything runs there. On 8 GPUs they queue, for more than twice as long as they come.
TEST_F(Rehearsals, AgreeWithTheFormulaOnBursts) {
  for (const int gpus : {64, 8}) {
    std::string table = "gpu_id,node_id,class,score\n",
                trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,100000,1,A\n";
    for (int gpu = 0; gpu < gpus; ++gpu) {
      table += std::to_string(gpu) + "," + std::to_string(gpu / 4) + ",A,1\n";
    }
    for (int job = 1; job <= 640; ++job) {
      trace +=
          std::to_string(job) + "," + std::to_string(15 * job) + ",1," + std::to_string(200 + job % 7 * 30) + ",1,A\n";
    }
    write("c.csv", table);
    write("jobs.csv", trace);
    const Study study = read(minimal + "cluster.gpus = " + std::to_string(gpus) +
                             "\nmeasure.jobs = { first = 0, last = 640 }\nengine.round_s = 60\n");
    Inputs inputs(study);
    const Activity formula = foretold(study, inputs), seen = rehearse(study, study.runs.at(0), inputs, 10).activity;
    EXPECT_NEAR(formula.boundaries / seen.boundaries, 1, 0.25) << seen.boundaries << " of 1,667 on " << gpus;
    EXPECT_NEAR(formula.running / seen.running, 1, 0.25) << gpus;
  }
}

// The formula takes jobs that take turns for jobs that run once they have begun; the rehearsal sees how often they do.
TEST_F(Rehearsals, AreAskedWhereTheFormulaIsDoubtful) {
  const Study las = busy(one_placement), fifo = busy(one_placement, "fifo");
  Inputs of_las(las), of_fifo(fifo);
  const auto doubtful = [](const Study& study, Inputs& inputs) {
    const auto loaded = inputs.load(study.runs.at(0));
    return is_doubtful(study.runs.at(0), loaded, traits_of(study.runs.at(0), loaded));
  };
  EXPECT_TRUE(doubtful(las, of_las));
  EXPECT_FALSE(doubtful(fifo, of_fifo));
  EXPECT_GT(foretold(las, of_las).boundaries, 0);
}

// Of a point that was simulated whole further seeds are, as many as the seconds allow by what the first of them took,
// in the order of the seeds; whatever is not stands for the first. A plan is the same again.
TEST_F(Rehearsals, GoOnWithMoreSeeds) {
  const Study study =
      busy("[axes]\nseed = { first = 1, count = 12 }\n\"policy.placement\" = [\"packed-sticky\", \"pal\"]\n");
  Inputs inputs(study);
  const StudyEstimate formula = estimate(study, inputs);
  const Rehearsal firsts = rehearse(study, inputs, formula, {}, 0);
  ASSERT_EQ(firsts.runs.size(), 2u);
  double seconds = 0;
  for (const auto& [run, one] : firsts.runs) seconds += one.spent_s;
  const Rehearsal some = rehearse(study, inputs, formula, {}, 3.5 * seconds),
                  again = rehearse(study, inputs, formula, {}, 3.5 * seconds);
  EXPECT_GE(some.runs.size(), 5u);
  EXPECT_LE(some.runs.size(), 12u);
  for (const auto& point : some.points) {
    bool before = true;  // no seed is left out
    for (const std::size_t run : point) {
      EXPECT_TRUE(before || !some.runs.contains(run)) << run;
      before = some.runs.contains(run);
      EXPECT_EQ(some.runs.contains(run), again.runs.contains(run)) << run;
    }
  }
  for (const auto& [run, one] : some.runs) EXPECT_TRUE(one.whole && one.record) << run;
  EXPECT_EQ(rehearse(study, inputs, formula, {}, 1e9).runs.size(), study.runs.size());
}

}  // namespace
}  // namespace palstudy
