// SPDX-License-Identifier: MIT
// Tenants from the study file to the table of delays: what is read, what is refused, what stays as it was.
#include <cmath>
#include <map>
#include <sstream>

#include "campaign/execute.hpp"
#include "campaign/scratch.hpp"
#include "inputs/inputs.hpp"
#include "record/tables.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

class Tenants : public Scratch {
 protected:
  Tenants() {
    write_cluster(8);
    write("jobs.csv",
          "job_id,submit_s,num_gpus,iterations,iteration_s,class,model,tenant\n"
          "0,0,4,1000,1,A,,a\n1,0,4,1000,1,A,,a\n2,100,4,500,1,A,,b\n3,200,1,500,1,A,,c\n");
  }
  static std::string study(const std::string& more, int last = 3) {
    return minimal + "cluster.gpus = 8\nmeasure.jobs.last = " + std::to_string(last) +
           "\npolicy.backfill = \"greedy\"\npolicy.placement = \"packed-sticky\"\n" + more;
  }
  RunRecord run(const std::string& more, int last = 3) {
    const Study read_in = read(study(more, last));
    Inputs inputs(read_in);
    notes = inputs.check();
    LocalExchange alone;
    return execute(read_in, read_in.runs.at(0), inputs, alone).value();
  }
  [[nodiscard]] std::string data_refusal(const std::string& more) {
    return message_of(ErrorCode::data, [&] { (void)run(more); });
  }
  std::vector<Note> notes;
};

constexpr auto all_three = "tenants.gpus = { a = 4, b = 4, c = 0 }\n";

// Quotas 4, 4, 0 of 8 GPUs, rounds of 360 s: a's second job borrows, so b's waits from 360 until both end at 1080.
TEST_F(Tenants, DelaysAreATableOfTheirOwn) {
  const RunRecord record = run(all_three);
  EXPECT_EQ(reals_of(record.jobs, "start_s"), (std::vector<double>{0, 0, 1080, 1080}));
  EXPECT_EQ(integers_of(record.delays, "job"), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(reals_of(record.delays, "fragmentation_s"), (std::vector<double>{0, 0, 720, 0}));
  EXPECT_EQ(reals_of(record.delays, "fair_share_s"), (std::vector<double>{0, 0, 0, 720}));
  EXPECT_EQ(reals_of(record.delays, "gang_s"), std::vector<double>(4, 0));
  EXPECT_EQ(reals_of(record.delays, "locality_s"), std::vector<double>(4, 0));
  EXPECT_EQ(run("").delays.columns.size(), 0u) << "without tenants there is no such table";
}

// From 90 % on a's last job is stopped for b's.
TEST_F(Tenants, ThresholdsAreRead) {
  const RunRecord record = run(std::string(all_three) + "tenants.preempt_occupancy = 0.9\n");
  EXPECT_EQ(reals_of(record.jobs, "start_s")[2], 360);
  EXPECT_EQ(integers_of(record.jobs, "preemptions"), (std::vector<std::int64_t>{0, 1, 0, 0}));
}

// Stopping for others from all GPUs in use is the last share that is ever reached; anything above is none.
TEST_F(Tenants, JobsMayBeStoppedWhereTheClusterIsFull) {
  const auto keys = [](const char* share) {
    return std::string(all_three) + "tenants.preempt_occupancy = " + share + "\n";
  };
  EXPECT_EQ(reals_of(run(keys("1.0")).jobs, "start_s")[2], 360);
  EXPECT_EQ(read(study(keys("inf"))).runs.at(0).tenants.rules.preempts(), false);
  expect_parts(refusal(study(keys("1.001"))), {"study.toml:9:", "never reached"});
}

// A file and a table say the same; in proportion, 1 : 1 : 0 of 8 GPUs are 4, 4 and 0; the published table of the Philly
// clusters counts nodes.
TEST_F(Tenants, QuotasComeFromAFileToo) {
  const auto starts = [&](const std::string& more) { return reals_of(run(more).jobs, "start_s"); };
  const auto expected = starts(all_three);
  write("q.csv", "tenant,gpus\na,4\nb,4\nc,0\n");
  EXPECT_EQ(starts("tenants.quotas = \"q.csv\"\n"), expected);
  write("half.csv", "vc,node num\na,1\nb,1\nc,0\n");
  EXPECT_EQ(starts("tenants.quotas = \"half.csv\"\ntenants.scale = true\n"), expected);
  EXPECT_NE(data_refusal("tenants.quotas = \"half.csv\"\n").find("tenants.scale = true"), std::string::npos);
  write("twice.csv", "tenant,gpus\na,4\na,4\n");
  EXPECT_NE(data_refusal("tenants.quotas = \"twice.csv\"\n").find("twice.csv:3:1"), std::string::npos);
  write("lacks.csv", "tenant,gpu\na,4\n");
  expect_parts(data_refusal("tenants.quotas = \"lacks.csv\"\n"), {"lacks.csv: ", "no column gpus"});
  write("below.csv", "tenant,gpus\na,4\nb,-4\n");
  expect_parts(data_refusal("tenants.quotas = \"below.csv\"\n"), {"below.csv:3:3: a quota of -4 in column gpus"});
  write("inf.csv", "tenant,gpus\na,inf\nb,4\nc,0\n");
  EXPECT_EQ(starts("tenants.quotas = \"inf.csv\"\n"), starts("tenants.gpus = { a = inf, b = 4, c = 0 }\n"));
}

// c has no quota: it is refused, borrows, or its job is left out and that is said.
TEST_F(Tenants, TenantsThatAreNotListedAreReported) {
  const std::string two = "tenants.gpus = { a = 4, b = 4 }\n";
  expect_parts(data_refusal(two), {"1 job is of the tenant \"c\"", "tenants.unlisted"});
  EXPECT_EQ(reals_of(run(two + "tenants.unlisted = \"borrow\"\n").delays, "fair_share_s")[3], 720);
  const RunRecord record = run(two + "tenants.unlisted = \"drop\"\n", 2);
  EXPECT_EQ(record.jobs.rows(), 3u);
  EXPECT_EQ(notes, (std::vector<Note>{{"no-quota", Severity::care, "", {{"jobs", 1}, {"tenants", ValueList{"c"}}}}}));
  expect_parts(message_of([&] { (void)run(two + "tenants.unlisted = \"drop\"\n", 3); }),
               {"ends at job 3", "\"drop\" leaves out is 2"});
  // A trace that names no tenants is what is at fault, not a quota.
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,4,1000,1,A\n");
  expect_parts(data_refusal(two), {"jobs.csv: 1 job names no tenant", "column tenant"});
}

// What changes nothing, or does not go together, is refused at its place.
TEST_F(Tenants, WhatDoesNotGoTogetherIsRefused) {
  const auto refused = [&](const std::string& more) { return refusal(study(more)); };
  expect_parts(refused("ladder.attempts = 2\n"), {"study.toml:8:", "no tenant has a quota"});
  expect_parts(refused(all_three + std::string("tenants.quotas = \"q.csv\"\n")), {"exclude each other"});
  expect_parts(refused("tenants.gpus = 3\n"), {"tenants.gpus wants a table of tenants"});
  expect_parts(refused("tenants.gpus = {}\n"), {"study.toml:8:", "tenants.gpus is empty"});
  expect_parts(refused("tenants.gpus = { a = -1 }\n"), {"tenants.gpus", "-1"});
  expect_parts(refused(all_three + std::string("tenants.preempt_occupancy = 90\n")), {"study.toml:9:", "from 0 to 1"});
  expect_parts(refusal(minimal + "cluster.gpus = 8\n" + all_three), {"study.toml:5:", "policy.backfill"});
  const std::vector<std::pair<std::string, std::string>> cases = {{"engine.start = \"event\"", "engine.start"},
                                                                  {"engine.starvation_s = 1000", "engine.starvation_s"},
                                                                  {"policy.order = \"las\"", "policy.order = \"las\""}};
  for (const auto& [key, part] : cases) {
    expect_parts(refused(all_three + key + "\n"), {"study.toml:9:", "tenants does not go together with", part});
  }
  const auto set = [&](const std::string& more, const std::string& assignment) {
    return refusal(study(all_three + more), {assignment});
  };
  expect_parts(set("", "policy.backfill=none"), {"policy.backfill = \"greedy\""});
  for (const char* key : {"ladder.attempts = 2", "gang.timeout_s = 150", "tenants.preempt_occupancy = 0.9"}) {
    expect_parts(set(std::string(key) + "\n", "policy.placement=pal"),
                 {"policy.placement = \"pal\" does not go together with", "study.toml:9:"});
  }
}

// A part of a ladder or a gang without the whole changes nothing, which is said; on an axis that has both it is used.
TEST_F(Tenants, WhatHasNoEffectIsSaid) {
  const auto said = [&](const std::string& more) { return read(study(all_three + more)).notes; };
  const std::string none = "ladder.attempts = 0\ngang.timeout_s = 0\n",
                    parts = "ladder.patience = 1\ngang.backoff_s = 9\n";
  EXPECT_TRUE(said(none).empty());
  EXPECT_EQ(said(none + parts), (std::vector<Note>{unused_key("gang.backoff_s"), unused_key("ladder.patience")}));
  EXPECT_TRUE(said(parts + "[axes]\n\"ladder.attempts\" = [0, 2]\n\"gang.timeout_s\" = [0, 60]\n").empty());
}

// What a key falls back to where its section is used is what `palstudy list keys` says: every key of tenants, ladder,
// gangs and failures whose documented fallback begins with a value, up to its first comma.
TEST_F(Tenants, FallbacksAreThoseDocumented) {
  const Study resolved =
      read(study(all_three + std::string("ladder.attempts = 3\ngang.timeout_s = 150\nfailures.model = \"philly\"\n")));
  std::map<std::string, std::string> values;
  std::istringstream lines(resolved.resolved);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find(" = ");
    if (line.starts_with('[')) section = line.substr(1, line.size() - 2) + ".";
    if (equals != std::string::npos) values[section + line.substr(0, equals)] = line.substr(equals + 3);
  }
  std::size_t checked = 0;
  for (const Key& spec : fixed_keys()) {
    const std::string section_of_key = spec.name.substr(0, spec.name.find('.'));
    if (section_of_key != "tenants" && section_of_key != "ladder" && section_of_key != "gang" &&
        section_of_key != "failures") {
      continue;
    }
    if (spec.derived.empty() || spec.derived.starts_with("seed") || spec.name == "tenants.gpus" ||
        spec.name == "failures.model") {
      continue;
    }
    if (!values.contains(spec.name)) continue;
    std::string documented = spec.derived.substr(0, spec.derived.find(','));
    if (values[spec.name].starts_with('"') && !documented.starts_with('"')) documented = '"' + documented + '"';
    std::string& value = values[spec.name];
    if (value.ends_with(".0")) value.resize(value.size() - 2);
    EXPECT_EQ(value, documented) << spec.name;
    ++checked;
  }
  EXPECT_GT(checked, 15U);
}

// Without tenants a study has none of these keys, so its runs have the ids that they always had; with them the resolved
// study reads back to the same run.
TEST_F(Tenants, TheResolvedStudyIsTheSameRun) {
  EXPECT_EQ(read(study("")).resolved.find("tenants"), std::string::npos);
  const Study first =
      read(study("tenants.gpus = { \"a b\" = 4, b = inf }\nladder.attempts = 2\ngang.timeout_s = 60\n"));
  const Study again = parse_study(first.resolved, "resolved.toml");
  EXPECT_EQ(again.runs[0].id, first.runs[0].id);
  EXPECT_EQ(again.resolved, first.resolved);
  EXPECT_EQ(again.runs[0].tenants.gpus, (std::vector<std::pair<std::string, double>>{{"a b", 4}, {"b", INFINITY}}));
  EXPECT_EQ(again.runs[0].tenants.rules.gang_backoff_s, 120);
}

}  // namespace
}  // namespace palstudy
