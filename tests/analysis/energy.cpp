// SPDX-License-Identifier: MIT
// [power] of a study that accounts energy: from the keys to the archive.
#include <algorithm>
#include <numeric>

#include "analysis/comparison.hpp"
#include "archive/export.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy {
namespace {

class EnergyStudy : public Scratch {
 protected:
  EnergyStudy() {
    write("jobs.csv",
          "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,4,1000,1,A\n1,100,2,2000,1,B\n2,300,8,500,1,A\n");
    write_cluster(8, 4, [](int gpu) { return gpu == 3 ? 1.25 : 1.0; }, {"A", "B"});
    write("watts.csv", "name,kind,watts,exponent\nA,capped,300,\nB,lockstep,200,\nidle,idle,40,\n");
  }
  const std::string on_8 = minimal + "cluster.gpus = 8\nmeasure.jobs = { first = 0, last = 2 }\n";
  const std::string watts = "[power]\nwatts = \"watts.csv\"\n";
  const std::string placements = "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
};

double metric_of(const RunRecord& record, const std::string& name) { return reals_of(record.runs, name).at(0); }
double sum_of(const TableData& table, const std::string& column) {
  const auto& values = reals_of(table, column);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Without a key of [power] nothing changes, and switching the account off is the same; with it the run has another id,
// the table and its columns, and the jobs run as before.
TEST_F(EnergyStudy, OnlyWhereItIsAskedFor) {
  const Study plain = read(on_8);
  EXPECT_EQ(read(on_8 + "[power]\naccount = false\nbase_w = 200\n").runs[0].id, plain.runs[0].id);
  const RunRecord without = simulate_all(plain).at(0);
  EXPECT_TRUE(without.power.columns.empty());
  EXPECT_EQ(without.runs.find("energy_j"), nullptr);
  EXPECT_EQ(without.jobs.find("energy_j"), nullptr);
  const Study study = read(on_8 + watts);
  EXPECT_NE(study.runs[0].id, plain.runs[0].id);
  const RunRecord with = simulate_all(study).at(0);
  EXPECT_EQ(with.power.rows(), 7U);
  EXPECT_EQ(reals_of(with.jobs, "finish_s"), reals_of(without.jobs, "finish_s"));
  EXPECT_EQ(metric_of(with, "jct_mean_s"), metric_of(without, "jct_mean_s"));
  const Study again = parse_study(study.resolved, (dir / "study.toml").string());
  EXPECT_EQ(simulate_all(again).at(0).digest, with.digest) << "the resolved study says the same";
}

// The horizon is one for all policies: the last arrival and the longest ideal time, 300 + 2000 s, which is later than
// 1.5 times what 8 GPUs need for 12,000 GPU-seconds.
TEST_F(EnergyStudy, TheHorizonIsThatOfTheJobs) {
  const auto node_s = [&](const std::string& more) {
    return sum_of(simulate_all(read(on_8 + watts + more)).at(0).power, "node_s");
  };
  EXPECT_NEAR(node_s(""), 2 * 2300, 1e-6);
  EXPECT_NEAR(node_s("horizon_s = 5000\n"), 2 * 5000, 1e-6);
}

// The archive verifies, exports its table, and has metrics that follow from it; a changed row is found.
TEST_F(EnergyStudy, IsArchivedAndVerified) {
  const Study study = read(on_8 + watts + placements);
  std::vector<RunRecord> records = simulate_all(study);
  for (const RunRecord& record : records) {
    EXPECT_EQ(metric_of(record, "energy_j"), sum_of(record.power, "energy_j"));
    EXPECT_EQ(metric_of(record, "energy_delay"), metric_of(record, "energy_j") * metric_of(record, "jct_mean_s"));
    const auto& joules = reals_of(record.power, "energy_j");
    EXPECT_NEAR(sum_of(record.jobs, "energy_j"), joules[0] + joules[1], 1e-9 * (joules[0] + joules[1]));
  }
  Provenance provenance;
  provenance.resolved_study = study.resolved;
  write_archive(dir / "out.h5", records, {}, provenance);
  EXPECT_EQ(verified_archive(dir / "out.h5"), std::vector<std::string>{});
  const ArchiveReader archive(dir / "out.h5");
  const std::string csv = export_table(archive, TableId::power, 0, false);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "run,state,class,node_s,gpu_s,work_s,energy_j");
  const Comparison result = compare(archive, {{"energy_j"}, {}, {}, {}});
  EXPECT_EQ(result.groups.at(0).rows.at(0).metric, "energy_j");
  EXPECT_THROW((void)compare(archive, {{"energy_j"}, {}, {"class"}, {}}), Error) << "the energy of a whole run";
  for (std::size_t c = 0; c < records[0].power.columns.size(); ++c) {
    if (records[0].power.columns[c].name == "energy_j")
      std::get<std::vector<double>>(records[0].power.values[c])[2] += 1;
  }
  write_archive(dir / "changed.h5", records, {}, provenance);
  const auto findings = verified_archive(dir / "changed.h5");
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(),
                          [](const std::string& text) { return text.find("/runs/energy_j") != std::string::npos; }));
}

// One job alone takes 2,000 s, so that a run ends after a horizon of 1,000 s, and before one of 20,000 s: energies up
// to the first are over equal time, with other work done in it, which is said.
TEST_F(EnergyStudy, RunsBeyondTheHorizonAreWarnedOf) {
  const auto note = [&](const std::string& horizon) {
    const Study study = read(on_8 + watts + "horizon_s = " + horizon + "\n" + placements);
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = {"packed-sticky"};
    write_archive(dir / ("h" + horizon + ".h5"), simulate_all(study), {}, provenance);
    const ArchiveReader archive(dir / ("h" + horizon + ".h5"));
    const auto notes = compare(archive, {{"energy_j"}, {}, {}, {}}).notes;
    const Note* found = find(notes, "horizon");
    return found == nullptr ? ValueRecord() : found->values;
  };
  EXPECT_EQ(note("1000"), (ValueRecord{{"runs", 2}, {"of", 2}}));
  EXPECT_TRUE(note("20000").empty());
}

// Where nodes are powered off, the wait for them is a column and a metric that follow from each other, also for a part
// of the jobs; results that are digested are as before. Elsewhere there is neither, and asking for it says why.
TEST_F(EnergyStudy, WaitsForPowerAreArchived) {
  const std::string off = "[power]\naccount = false\noff = \"timer\"\nidle_s = 50\n";
  const auto archived = [&](const Study& study) {
    const std::vector<RunRecord> records = simulate_all(study);
    write_archive(dir / "out.h5", records, {}, provenance_of(study.resolved));
    EXPECT_EQ(verified_archive(dir / "out.h5"), std::vector<std::string>{});
    return records;
  };
  const RunRecord plain = archived(read(on_8 + placements)).at(0);
  EXPECT_EQ(plain.runs.find("power_wait_mean_s"), nullptr);
  EXPECT_EQ(plain.jobs.find("power_wait_s"), nullptr);
  expect_parts(message_of([&] {
                 (void)compare(ArchiveReader(dir / "out.h5"), {{"power_wait_mean_s"}, {}, {}, {}});
               }),
               {"no run of the study powers nodes off"});
  for (const RunRecord& record : archived(read(on_8 + off + placements))) {
    EXPECT_GT(metric_of(record, "power_wait_mean_s"), 0);
    EXPECT_NEAR(metric_of(record, "power_wait_mean_s"), sum_of(record.jobs, "power_wait_s") / 3, 1e-9);
  }
  const ArchiveReader archive(dir / "out.h5");
  EXPECT_EQ(compare(archive, {{"power_wait_mean_s"}, {}, {"class"}, {}}).groups.size(), 2U);
}

TEST_F(EnergyStudy, SaysWhatIsWrong) {
  const auto refused = [&](const std::string& text) -> std::string {
    return message_of([&] {
      const Study study = read(text);
      Inputs inputs(study);
      (void)inputs.check();
    });
  };
  expect_parts(refused(on_8 + "[power]\npue = 0.9\n"), {"study.toml:7:7", "from 1 to 10"});
  expect_parts(refused(on_8 + "[power]\nwatts = \"v10\"\n"), {"study.toml:7:9", "no table of power is called \"v10\""});
  write("watts.csv", "name,kind,watts,exponent\nA,capped,300,\nidle,idle,40,\n");
  expect_parts(refused(on_8 + watts), {"has no row for class B"});
  const Study study = read(on_8 + placements);
  write_archive(dir / "plain.h5", simulate_all(study), {}, provenance_of(study.resolved));
  EXPECT_THROW((void)compare(ArchiveReader(dir / "plain.h5"), {{"energy_j"}, {}, {}, {}}), Error);
}

}  // namespace
}  // namespace palstudy
