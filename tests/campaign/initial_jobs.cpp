// SPDX-License-Identifier: MIT
// `measure.initial`: whether jobs that a generator makes up as running at time 0 are measured.
#include <algorithm>

#include "campaign/check_resume.hpp"
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

const std::string generated = R"(
cluster = { gpus = 32, source = "measured" }
engine.round_s = 600
workload.generator = "philly"
workload.rho = 0.8
workload.weekdays = false
)";
const std::string from_0 = "measure.window_s = 40000\n", later = "measure = { warmup_s = 3600, window_s = 40000 }\n";
const std::string with_initial = "measure = { window_s = 40000, initial = true }\n";

class InitialJobs : public Scratch {
 protected:
  [[nodiscard]] std::string id(const std::string& text) const { return read(generated + text).runs.at(0).id; }
  [[nodiscard]] RunRecord run(const std::string& text) const { return simulate_all(read(generated + text)).at(0); }
  /// Measured jobs with ids under 0, and others.
  [[nodiscard]] static std::pair<int, int> measured(const RunRecord& record) {
    const auto& job = std::get<std::vector<std::int64_t>>(*record.jobs.find("job"));
    const auto& flag = std::get<std::vector<std::int64_t>>(*record.jobs.find("measured"));
    std::pair<int, int> counts;
    for (std::size_t i = 0; i < job.size(); ++i)
      (job[i] < 0 ? counts.first : counts.second) += static_cast<int>(flag[i]);
    return counts;
  }
};

// They are left out, the jobs that arrive are the same, and the measured jobs still begin with the first that arrives:
// no steady state is claimed.
TEST_F(InitialJobs, AreNotMeasuredUnlessAskedFor) {
  const RunRecord without = run(from_0), with = run(with_initial);
  EXPECT_EQ(measured(without).first, 0);
  EXPECT_GT(measured(with).first, 0);
  EXPECT_EQ(measured(without).second, measured(with).second);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(*without.runs.find("stable")).at(0), 1);
  EXPECT_NE(without.digest, with.digest);
}

// A queue that grows is no reason to leave out a run that is measured from time 0 on, with initial jobs or without.
TEST_F(InitialJobs, LeftOutMakeNoClaimOfASteadyState) {
  for (const std::string& window : {from_0, with_initial}) {
    const Study study = read(generated + window, {"workload.rho=20", "measure.end_s=60000"});
    const RunRecord record = simulate_all(study).at(0);
    EXPECT_GT(std::get<std::vector<double>>(*record.runs.find("queue_slope")).at(0), 1);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(*record.runs.find("stable")).at(0), 1);
  }
}

// `true` is what programs did before: it enters no id. The default does, where there are such jobs in the window, and
// nowhere else.
TEST_F(InitialJobs, EnterTheIdWhereTheDefaultTakesEffect) {
  EXPECT_NE(id(from_0), id(with_initial));
  EXPECT_EQ(id(from_0), id("measure = { window_s = 40000, initial = false }\n"));
  for (const std::string& elsewhere : {later, std::string("measure.jobs.last = 50\n"),
                                       std::string("workload.stationary = false\nmeasure.window_s = 40000\n")}) {
    const Study plain = read(generated + elsewhere), given = read(generated + elsewhere, {"measure.initial=true"});
    EXPECT_EQ(plain.runs.at(0).id, given.runs.at(0).id) << elsewhere;
    EXPECT_EQ(plain.resolved, given.resolved) << elsewhere;
    EXPECT_EQ(plain.resolved.find("initial"), std::string::npos) << elsewhere;
    EXPECT_EQ(given.notes, std::vector<Note>{unused_key("measure.initial")});
  }
}

// Of two generators only one has them, whatever is said of it to both.
TEST_F(InitialJobs, AreOfGeneratorsThatMakeThem) {
  const Study study = read(
      "cluster = { gpus = 32, source = \"measured\" }\nworkload = { rho = 0.8, jobs_per_h = 8, stationary = true }\n" +
      from_0 + "axes.\"workload.generator\" = [\"philly\", \"synergy\"]\n");
  EXPECT_TRUE(study.runs.at(0).measured.initial_jobs);
  EXPECT_FALSE(study.runs.at(1).measured.initial_jobs);
}

// A campaign of such a study goes on with the same meaning, and with no other.
TEST_F(InitialJobs, AreOfTheSameCampaignOnlyIfMeasured) {
  EXPECT_EQ(first_difference(read(generated + with_initial).resolved, read(generated + from_0).resolved),
            "measure.initial was true and is false");
}

// Where the first run is one that has none in its window, the resolved study names the key for those that have.
TEST_F(InitialJobs, AreNamedWhereAnyRunHasThem) {
  const std::string text = "measure.window_s = 40000\naxes.\"measure.warmup_s\" = [3600.0, 0.0]\n";
  for (const std::vector<std::string>& given : {std::vector<std::string>{}, {"measure.initial=true"}}) {
    const Study study = read(generated + text, given);
    const Study again = parse_study(study.resolved, "/study/resolved");
    for (std::size_t run = 0; run < 2; ++run) EXPECT_EQ(study.runs[run].id, again.runs[run].id) << run;
    EXPECT_EQ(study.runs[1].measure.initial, !given.empty());
    EXPECT_EQ(study.runs[0].id, id(later));
  }
}

}  // namespace
}  // namespace palstudy
