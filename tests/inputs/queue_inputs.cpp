// SPDX-License-Identifier: MIT
// Queues and accounts from files, by hand.
#include "inputs/queue_inputs.hpp"

#include "campaign/scratch.hpp"
#include "inputs/share_inputs.hpp"

namespace palstudy {
namespace {

/// Four nodes of four GPUs; three jobs, of which the second names the queue "short".
class SlurmFilesOf : public Scratch {
 protected:
  SlurmFilesOf() {
    write_cluster(16);
    write("jobs.csv",
          "job_id,submit_s,num_gpus,iterations,iteration_s,class,queue,user,account,estimate_s\n"
          "0,0,4,60,1,A,,ann,,\n1,0,4,60,1,A,short,bob,chem,\n2,0,4,60,1,A,,bob,,120\n");
  }
  [[nodiscard]] Study study_with(const std::string& more) const {
    return read(minimal + "cluster.gpus = 16\npolicy.backfill = \"slurm\"\npolicy.placement = \"slurm\"\n" + more);
  }
  [[nodiscard]] Study with_queues(const std::string& rows) const {
    write("q.csv", "queue,nodes,tier,default_min,max_min\n" + rows);
    return study_with("slurm.queues = \"q.csv\"\n");
  }
  [[nodiscard]] std::string refused(const Study& study) const {
    return message_of(ErrorCode::data, [&] {
      Inputs inputs(study);
      (void)inputs.check();
    });
  }
};

// Jobs without a limit get the default one of their queue, or else its longest; a job's own limit stays.
TEST_F(SlurmFilesOf, QueuesHaveNodesTiersAndLimits) {
  const Study study = with_queues("main,0-1 3,1,30,60\nshort,2,5,,10\n");
  Inputs inputs(study);
  (void)inputs.check();
  const auto loaded = inputs.load(study.runs.at(0));
  ASSERT_NE(loaded.queues, nullptr);
  const auto& jobs = loaded.workload.jobs;
  EXPECT_EQ(loaded.queues->of(jobs[0]), 0U) << "the first is that of jobs that name none";
  EXPECT_EQ(loaded.queues->of(jobs[1]), 1U);
  EXPECT_EQ(loaded.queues->all[1].tier, 5U);
  EXPECT_TRUE(loaded.queues->all[0].nodes.contains(NodeId(3)));
  EXPECT_FALSE(loaded.queues->all[0].nodes.contains(NodeId(2)));
  EXPECT_EQ(jobs[0].estimate_s, 1800);
  EXPECT_EQ(jobs[1].estimate_s, 600);
  EXPECT_EQ(jobs[2].estimate_s, 120);
}

TEST_F(SlurmFilesOf, QueuesAreRefusedWithAReason) {
  const auto queues = [&](const std::string& rows) { return refused(with_queues(rows)); };
  expect_parts(queues("main,,1,,\n"), {"short", "main"});                    // a job's queue is not there
  expect_parts(queues("main,,1,,1\nshort,,1,,\n"), {"job 2", "main"});       // its limit is longer
  expect_parts(queues("main,,1,,\nshort,9,1,,\n"), {"q.csv:3", "node 9"});   // no such node
  expect_parts(queues("main,,1,,\nmain,,1,,\n"), {"q.csv:3", "main"});       // twice
  expect_parts(queues("main,0-x,1,,\nshort,,1,,\n"), {"q.csv:2", "0-x"});    // no range
  expect_parts(queues("main,,1,90,60\nshort,,1,,\n"), {"q.csv:2", "main"});  // no default is longer than the longest
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,8,60,1,A\n");
  expect_parts(queues("main,1,1,,\n"), {"job 0", "8", "4"});  // wider than its queue
}

// A column without the key that gives it a meaning is noted, and a key without its column.
TEST_F(SlurmFilesOf, KeysAndColumnsThatNeedEachOtherAreNoted) {
  const auto notes = [&](const Study& study) {
    std::vector<std::string> ids;
    Inputs inputs(study);
    for (const Note& note : inputs.check()) {
      if (note.id == "no-column" || note.id == "idle-column") ids.push_back(note.id + " " + note["column"].name());
    }
    return ids;
  };
  const std::string counts = "policy.order = \"multifactor\"\nslurm.PriorityWeightFairshare = 1000\n";
  EXPECT_EQ(notes(study_with("")), (std::vector<std::string>{"idle-column queue"}));
  EXPECT_EQ(notes(study_with(counts)), (std::vector<std::string>{"idle-column queue", "idle-column account"}));
  EXPECT_EQ(notes(with_queues("main,,1,,\nshort,,1,,\n")), std::vector<std::string>{});
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,4,60,1,A\n");
  EXPECT_EQ(notes(with_queues("main,,1,,\n")), (std::vector<std::string>{"no-column queue"}));
}

// What jobs wait for is read under backfill slurm alone, and is lost where jobs are copied.
TEST_F(SlurmFilesOf, JobsWaitForOthersUnderBackfillSlurm) {
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class,after\n5,0,4,60,1,A,\n7,0,4,60,1,A,5\n");
  const Study study = study_with("");
  Inputs inputs(study);
  (void)inputs.check();
  const StartRules* const starts = inputs.load(study.runs.at(0)).starts;
  ASSERT_NE(starts, nullptr);
  ASSERT_EQ(starts->after(JobId(1)).size(), 1U);
  EXPECT_EQ(starts->after(JobId(1))[0].second, JobId(0));
  EXPECT_EQ(starts->followers(JobId(0)).size(), 1U);

  const Study other =
      read(minimal + "cluster.gpus = 16\npolicy.backfill = \"easy\"\npolicy.placement = \"packed-sticky\"\n");
  Inputs idle(other);
  EXPECT_NE(find(idle.check(), "idle-column"), nullptr);
  EXPECT_EQ(idle.load(other.runs.at(0)).starts, nullptr);
  expect_parts(refused(study_with("workload.copies = 2\nworkload.copies_first_s = 0\nworkload.copies_length_s = 9\n")),
               {"after", "workload.copies"});
}

// Two accounts of 3 and 1 shares; bob is in both, first in phys.
TEST_F(SlurmFilesOf, AccountsHaveUsersAndShares) {
  write("a.csv", "account,user,shares\nphys,,3\nphys,ann,2\nphys,bob,1\nchem,bob,5\n");
  const Study study =
      study_with("policy.order = \"multifactor\"\nslurm.PriorityWeightFairshare = 1000\nslurm.accounts = \"a.csv\"\n");
  Inputs inputs(study);
  (void)inputs.check();
  const ShareTree* shares = inputs.load(study.runs.at(0)).shares;
  ASSERT_NE(shares, nullptr);
  EXPECT_EQ(shares->account_shares, (std::vector<double>{3, 1}));
  EXPECT_EQ(shares->user_of_job, (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(shares->users[2].account, 1U);
  EXPECT_EQ(shares->users[2].shares, 5);
}

TEST_F(SlurmFilesOf, AccountsAreRefusedWithAReason) {
  const auto accounts = [&](const std::string& rows) {
    write("a.csv", "account,user,shares\n" + rows);
    return refused(study_with(
        "policy.order = \"multifactor\"\nslurm.PriorityWeightFairshare = 1000\nslurm.accounts = \"a.csv\"\n"));
  };
  expect_parts(accounts("phys,ann,1\n"), {"job 1", "bob", "chem"});
  expect_parts(accounts("phys,ann,1\nphys,ann,2\n"), {"a.csv:3", "ann", "phys"});
  expect_parts(accounts("phys,ann,0\n"), {"a.csv:2", "0"});
}

}  // namespace
}  // namespace palstudy
